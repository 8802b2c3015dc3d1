/* FreeRTOS software timers: declarations. */
#ifndef INC_FREERTOS_H
/* Not FreeRTOS's, whose files include FreeRTOS.h first: whoever else has a header of this name comes next. */
#include_next <timers.h>
#elif !defined(STATEGLASS_TIMERS_H)
#define STATEGLASS_TIMERS_H

#ifdef __cplusplus
extern "C" {
#endif

#include <task.h>

typedef struct tmrTimerControl *TimerHandle_t;
typedef void (*TimerCallbackFunction_t)(TimerHandle_t timer);

TimerHandle_t xTimerCreate(
    const char *name, TickType_t period, BaseType_t reload, void *id, TimerCallbackFunction_t callback);
TimerHandle_t xTimerCreateStatic(const char *name, TickType_t period, BaseType_t reload, void *id,
    TimerCallbackFunction_t callback, StaticTimer_t *buffer);
void *pvTimerGetTimerID(TimerHandle_t timer);
void vTimerSetTimerID(TimerHandle_t timer, void *id);
BaseType_t xTimerIsTimerActive(TimerHandle_t timer);
BaseType_t xTimerStart(TimerHandle_t timer, TickType_t ticks);
BaseType_t xTimerStop(TimerHandle_t timer, TickType_t ticks);
BaseType_t xTimerReset(TimerHandle_t timer, TickType_t ticks);
BaseType_t xTimerDelete(TimerHandle_t timer, TickType_t ticks);
BaseType_t xTimerChangePeriod(TimerHandle_t timer, TickType_t period, TickType_t ticks);
BaseType_t xTimerStartFromISR(TimerHandle_t timer, BaseType_t *woken);
BaseType_t xTimerStopFromISR(TimerHandle_t timer, BaseType_t *woken);
BaseType_t xTimerResetFromISR(TimerHandle_t timer, BaseType_t *woken);

#ifdef __cplusplus
}
#endif

#endif
