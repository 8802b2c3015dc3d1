/* FreeRTOS event groups: declarations. */
#ifndef STATEGLASS_EVENT_GROUPS_H
#define STATEGLASS_EVENT_GROUPS_H

#ifdef __cplusplus
extern "C" {
#endif

#include <FreeRTOS.h>
#include <timers.h>

typedef struct EventGroupDef_t *EventGroupHandle_t;
typedef TickType_t EventBits_t;

EventGroupHandle_t xEventGroupCreate(void);
EventGroupHandle_t xEventGroupCreateStatic(StaticEventGroup_t *buffer);
void vEventGroupDelete(EventGroupHandle_t group);
EventBits_t xEventGroupWaitBits(
    EventGroupHandle_t group, const EventBits_t bits, const BaseType_t clear, const BaseType_t all, TickType_t ticks);
EventBits_t xEventGroupSetBits(EventGroupHandle_t group, const EventBits_t bits);
BaseType_t xEventGroupSetBitsFromISR(EventGroupHandle_t group, const EventBits_t bits, BaseType_t *woken);
EventBits_t xEventGroupClearBits(EventGroupHandle_t group, const EventBits_t bits);
EventBits_t xEventGroupGetBits(EventGroupHandle_t group);
EventBits_t xEventGroupSync(
    EventGroupHandle_t group, const EventBits_t set, const EventBits_t wait, TickType_t ticks);

#ifdef __cplusplus
}
#endif

#endif
