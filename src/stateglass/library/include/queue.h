/* FreeRTOS queues: declarations. */
#ifndef INC_FREERTOS_H
/* Not FreeRTOS's, whose files include FreeRTOS.h first: whoever else has a header of this name comes next. */
#include_next <queue.h>
#elif !defined(STATEGLASS_QUEUE_H)
#define STATEGLASS_QUEUE_H

#ifdef __cplusplus
extern "C" {
#endif

#include <FreeRTOS.h>

typedef struct QueueDefinition *QueueHandle_t;
typedef QueueHandle_t xQueueHandle;
typedef struct QueueDefinition *QueueSetHandle_t;
typedef struct QueueDefinition *QueueSetMemberHandle_t;

QueueHandle_t xQueueCreate(UBaseType_t length, UBaseType_t size);
QueueHandle_t xQueueCreateStatic(UBaseType_t length, UBaseType_t size, uint8_t *storage, StaticQueue_t *buffer);
void vQueueDelete(QueueHandle_t queue);
BaseType_t xQueueSend(QueueHandle_t queue, const void *item, TickType_t ticks);
BaseType_t xQueueSendToBack(QueueHandle_t queue, const void *item, TickType_t ticks);
BaseType_t xQueueSendToFront(QueueHandle_t queue, const void *item, TickType_t ticks);
BaseType_t xQueueSendFromISR(QueueHandle_t queue, const void *item, BaseType_t *woken);
BaseType_t xQueueSendToBackFromISR(QueueHandle_t queue, const void *item, BaseType_t *woken);
BaseType_t xQueueSendToFrontFromISR(QueueHandle_t queue, const void *item, BaseType_t *woken);
BaseType_t xQueueOverwrite(QueueHandle_t queue, const void *item);
BaseType_t xQueueOverwriteFromISR(QueueHandle_t queue, const void *item, BaseType_t *woken);
BaseType_t xQueueReceive(QueueHandle_t queue, void *item, TickType_t ticks);
BaseType_t xQueueReceiveFromISR(QueueHandle_t queue, void *item, BaseType_t *woken);
BaseType_t xQueuePeek(QueueHandle_t queue, void *item, TickType_t ticks);
BaseType_t xQueuePeekFromISR(QueueHandle_t queue, void *item);
BaseType_t xQueueReset(QueueHandle_t queue);
UBaseType_t uxQueueMessagesWaiting(QueueHandle_t queue);
UBaseType_t uxQueueMessagesWaitingFromISR(QueueHandle_t queue);
UBaseType_t uxQueueSpacesAvailable(QueueHandle_t queue);
BaseType_t xQueueIsQueueFullFromISR(QueueHandle_t queue);
BaseType_t xQueueIsQueueEmptyFromISR(QueueHandle_t queue);
QueueSetHandle_t xQueueCreateSet(UBaseType_t length);
BaseType_t xQueueAddToSet(QueueSetMemberHandle_t member, QueueSetHandle_t set);
QueueSetMemberHandle_t xQueueSelectFromSet(QueueSetHandle_t set, TickType_t ticks);
void vQueueAddToRegistry(QueueHandle_t queue, const char *name);

#ifdef __cplusplus
}
#endif

#endif
