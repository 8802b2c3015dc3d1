/* FreeRTOS tasks: declarations. */
#ifndef INC_FREERTOS_H
/* Not FreeRTOS's, whose files include FreeRTOS.h first: whoever else has a header of this name comes next. */
#include_next <task.h>
#elif !defined(STATEGLASS_TASK_H)
#define STATEGLASS_TASK_H
#define INC_TASK_H

#ifdef __cplusplus
extern "C" {
#endif

#include <FreeRTOS.h>

typedef struct tskTaskControlBlock *TaskHandle_t;
typedef TaskHandle_t xTaskHandle;
typedef enum { eRunning = 0, eReady, eBlocked, eSuspended, eDeleted, eInvalid } eTaskState;
typedef enum {
    eNoAction = 0,
    eSetBits,
    eIncrement,
    eSetValueWithOverwrite,
    eSetValueWithoutOverwrite
} eNotifyAction;

#define tskIDLE_PRIORITY ((UBaseType_t)0U)
#define taskSCHEDULER_SUSPENDED ((BaseType_t)0)
#define taskSCHEDULER_NOT_STARTED ((BaseType_t)1)
#define taskSCHEDULER_RUNNING ((BaseType_t)2)
#define taskYIELD() vPortYield()
#define taskENTER_CRITICAL() vPortEnterCritical()
#define taskEXIT_CRITICAL() vPortExitCritical()
#define taskENTER_CRITICAL_FROM_ISR() uxPortEnterCriticalFromISR()
#define taskEXIT_CRITICAL_FROM_ISR(mask) vPortExitCriticalFromISR(mask)
#define taskDISABLE_INTERRUPTS() vPortDisableInterrupts()
#define taskENABLE_INTERRUPTS() vPortEnableInterrupts()

UBaseType_t uxPortEnterCriticalFromISR(void);
void vPortExitCriticalFromISR(UBaseType_t mask);
BaseType_t xTaskCreate(TaskFunction_t code, const char *name, configSTACK_DEPTH_TYPE depth, void *parameters,
    UBaseType_t priority, TaskHandle_t *created);
TaskHandle_t xTaskCreateStatic(TaskFunction_t code, const char *name, uint32_t depth, void *parameters,
    UBaseType_t priority, StackType_t *stack, StaticTask_t *buffer);
void vTaskDelete(TaskHandle_t task);
void vTaskDelay(TickType_t ticks);
void vTaskDelayUntil(TickType_t *previous, TickType_t increment);
BaseType_t xTaskDelayUntil(TickType_t *previous, TickType_t increment);
UBaseType_t uxTaskPriorityGet(TaskHandle_t task);
void vTaskPrioritySet(TaskHandle_t task, UBaseType_t priority);
eTaskState eTaskGetState(TaskHandle_t task);
void vTaskSuspend(TaskHandle_t task);
void vTaskResume(TaskHandle_t task);
BaseType_t xTaskResumeFromISR(TaskHandle_t task);
void vTaskSuspendAll(void);
BaseType_t xTaskResumeAll(void);
void vTaskStartScheduler(void);
void vTaskEndScheduler(void);
TickType_t xTaskGetTickCount(void);
TickType_t xTaskGetTickCountFromISR(void);
BaseType_t xTaskGetSchedulerState(void);
TaskHandle_t xTaskGetCurrentTaskHandle(void);
TaskHandle_t xTaskGetHandle(const char *name);
char *pcTaskGetName(TaskHandle_t task);
UBaseType_t uxTaskGetNumberOfTasks(void);
UBaseType_t uxTaskGetStackHighWaterMark(TaskHandle_t task);
BaseType_t xTaskNotify(TaskHandle_t task, uint32_t value, eNotifyAction action);
BaseType_t xTaskNotifyFromISR(TaskHandle_t task, uint32_t value, eNotifyAction action, BaseType_t *woken);
BaseType_t xTaskNotifyGive(TaskHandle_t task);
void vTaskNotifyGiveFromISR(TaskHandle_t task, BaseType_t *woken);
BaseType_t xTaskNotifyWait(uint32_t clear_on_entry, uint32_t clear_on_exit, uint32_t *value, TickType_t ticks);
uint32_t ulTaskNotifyTake(BaseType_t clear, TickType_t ticks);
BaseType_t xTaskNotifyStateClear(TaskHandle_t task);

#ifdef __cplusplus
}
#endif

#endif
