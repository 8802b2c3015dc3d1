/* FreeRTOS: types, macros and declarations, so that application files can be read without the kernel's source. */
#ifndef STATEGLASS_FREERTOS_H
#define STATEGLASS_FREERTOS_H

#ifdef __cplusplus
extern "C" {
#endif
#define INC_FREERTOS_H

#include <stddef.h>
#include <stdint.h>

typedef long BaseType_t;
typedef unsigned long UBaseType_t;
typedef uint32_t TickType_t;
typedef uint32_t StackType_t;
typedef uint32_t configSTACK_DEPTH_TYPE;
typedef BaseType_t portBASE_TYPE;
typedef TickType_t portTickType;
typedef void (*TaskFunction_t)(void *);

typedef struct xSTATIC_TCB {
    void *state;
} StaticTask_t;
typedef struct xSTATIC_QUEUE {
    void *state;
} StaticQueue_t;
typedef StaticQueue_t StaticSemaphore_t;
typedef struct xSTATIC_TIMER {
    void *state;
} StaticTimer_t;
typedef struct xSTATIC_EVENT_GROUP {
    void *state;
} StaticEventGroup_t;

#define pdFALSE ((BaseType_t)0)
#define pdTRUE ((BaseType_t)1)
#define pdFAIL pdFALSE
#define pdPASS pdTRUE
#define errQUEUE_EMPTY pdFALSE
#define errQUEUE_FULL pdFALSE
#define errCOULD_NOT_ALLOCATE_REQUIRED_MEMORY (-1)

#ifndef configTICK_RATE_HZ
#define configTICK_RATE_HZ ((TickType_t)1000)
#endif
#ifndef configMAX_PRIORITIES
#define configMAX_PRIORITIES 5
#endif
#ifndef configMINIMAL_STACK_SIZE
#define configMINIMAL_STACK_SIZE 128
#endif
#ifndef configMAX_SYSCALL_INTERRUPT_PRIORITY
#define configMAX_SYSCALL_INTERRUPT_PRIORITY 5
#endif
#ifndef configASSERT
#define configASSERT(condition) ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __func__))
#endif
__attribute__((__noreturn__)) void __assert_fail(
    const char *assertion, const char *file, unsigned int line, const char *function);

#define portMAX_DELAY ((TickType_t)0xffffffffUL)
#define portTICK_PERIOD_MS ((TickType_t)1000 / configTICK_RATE_HZ)
#define portTICK_RATE_MS portTICK_PERIOD_MS
#define pdMS_TO_TICKS(ms) ((TickType_t)(((TickType_t)(ms) * (TickType_t)configTICK_RATE_HZ) / (TickType_t)1000U))
#define pdTICKS_TO_MS(ticks) ((TickType_t)((uint64_t)(ticks) * 1000U / configTICK_RATE_HZ))
#define portYIELD_FROM_ISR(woken) vPortYieldFromISR(woken)
#define portEND_SWITCHING_ISR(woken) vPortYieldFromISR(woken)
#define portYIELD() vPortYield()
#define portENTER_CRITICAL() vPortEnterCritical()
#define portEXIT_CRITICAL() vPortExitCritical()
#define portDISABLE_INTERRUPTS() vPortDisableInterrupts()
#define portENABLE_INTERRUPTS() vPortEnableInterrupts()

void vPortYieldFromISR(BaseType_t woken);
void vPortYield(void);
void vPortEnterCritical(void);
void vPortExitCritical(void);
void vPortDisableInterrupts(void);
void vPortEnableInterrupts(void);
void *pvPortMalloc(size_t size);
void vPortFree(void *p);
size_t xPortGetFreeHeapSize(void);
size_t xPortGetMinimumEverFreeHeapSize(void);

#ifdef __cplusplus
}
#endif

#endif
