/* FreeRTOS semaphores: declarations. */
#ifndef STATEGLASS_SEMPHR_H
#define STATEGLASS_SEMPHR_H

#ifdef __cplusplus
extern "C" {
#endif

#include <FreeRTOS.h>
#include <queue.h>

typedef QueueHandle_t SemaphoreHandle_t;
typedef SemaphoreHandle_t xSemaphoreHandle;

SemaphoreHandle_t xSemaphoreCreateBinary(void);
SemaphoreHandle_t xSemaphoreCreateBinaryStatic(StaticSemaphore_t *buffer);
SemaphoreHandle_t xSemaphoreCreateCounting(UBaseType_t most, UBaseType_t initial);
SemaphoreHandle_t xSemaphoreCreateCountingStatic(UBaseType_t most, UBaseType_t initial, StaticSemaphore_t *buffer);
SemaphoreHandle_t xSemaphoreCreateMutex(void);
SemaphoreHandle_t xSemaphoreCreateMutexStatic(StaticSemaphore_t *buffer);
SemaphoreHandle_t xSemaphoreCreateRecursiveMutex(void);
SemaphoreHandle_t xSemaphoreCreateRecursiveMutexStatic(StaticSemaphore_t *buffer);
void vSemaphoreDelete(SemaphoreHandle_t semaphore);
BaseType_t xSemaphoreTake(SemaphoreHandle_t semaphore, TickType_t ticks);
BaseType_t xSemaphoreTakeFromISR(SemaphoreHandle_t semaphore, BaseType_t *woken);
BaseType_t xSemaphoreTakeRecursive(SemaphoreHandle_t semaphore, TickType_t ticks);
BaseType_t xSemaphoreGive(SemaphoreHandle_t semaphore);
BaseType_t xSemaphoreGiveFromISR(SemaphoreHandle_t semaphore, BaseType_t *woken);
BaseType_t xSemaphoreGiveRecursive(SemaphoreHandle_t semaphore);
UBaseType_t uxSemaphoreGetCount(SemaphoreHandle_t semaphore);

#ifdef __cplusplus
}
#endif

#endif
