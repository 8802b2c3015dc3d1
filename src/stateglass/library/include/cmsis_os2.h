/* CMSIS-RTOS2: types and declarations, so that application files can be read without a kernel's source. */
#ifndef CMSIS_OS2_H_
#define CMSIS_OS2_H_

#ifdef __cplusplus
extern "C" {
#endif

#include <stddef.h>
#include <stdint.h>

typedef enum {
    osKernelInactive = 0,
    osKernelReady = 1,
    osKernelRunning = 2,
    osKernelLocked = 3,
    osKernelSuspended = 4,
    osKernelError = -1
} osKernelState_t;

typedef enum {
    osThreadInactive = 0,
    osThreadReady = 1,
    osThreadRunning = 2,
    osThreadBlocked = 3,
    osThreadTerminated = 4,
    osThreadError = -1
} osThreadState_t;

typedef enum {
    osPriorityNone = 0,
    osPriorityIdle = 1,
    osPriorityLow = 8,
    osPriorityLow1,
    osPriorityLow2,
    osPriorityLow3,
    osPriorityLow4,
    osPriorityLow5,
    osPriorityLow6,
    osPriorityLow7,
    osPriorityBelowNormal = 16,
    osPriorityBelowNormal1,
    osPriorityBelowNormal2,
    osPriorityBelowNormal3,
    osPriorityBelowNormal4,
    osPriorityBelowNormal5,
    osPriorityBelowNormal6,
    osPriorityBelowNormal7,
    osPriorityNormal = 24,
    osPriorityNormal1,
    osPriorityNormal2,
    osPriorityNormal3,
    osPriorityNormal4,
    osPriorityNormal5,
    osPriorityNormal6,
    osPriorityNormal7,
    osPriorityAboveNormal = 32,
    osPriorityAboveNormal1,
    osPriorityAboveNormal2,
    osPriorityAboveNormal3,
    osPriorityAboveNormal4,
    osPriorityAboveNormal5,
    osPriorityAboveNormal6,
    osPriorityAboveNormal7,
    osPriorityHigh = 40,
    osPriorityHigh1,
    osPriorityHigh2,
    osPriorityHigh3,
    osPriorityHigh4,
    osPriorityHigh5,
    osPriorityHigh6,
    osPriorityHigh7,
    osPriorityRealtime = 48,
    osPriorityRealtime1,
    osPriorityRealtime2,
    osPriorityRealtime3,
    osPriorityRealtime4,
    osPriorityRealtime5,
    osPriorityRealtime6,
    osPriorityRealtime7,
    osPriorityISR = 56,
    osPriorityError = -1
} osPriority_t;

typedef enum {
    osOK = 0,
    osError = -1,
    osErrorTimeout = -2,
    osErrorResource = -3,
    osErrorParameter = -4,
    osErrorNoMemory = -5,
    osErrorISR = -6
} osStatus_t;

typedef enum { osTimerOnce = 0, osTimerPeriodic = 1 } osTimerType_t;

#define osWaitForever 0xffffffffU
#define osFlagsWaitAny 0x00000000U
#define osFlagsWaitAll 0x00000001U
#define osFlagsNoClear 0x00000002U
#define osFlagsError 0x80000000U
#define osFlagsErrorUnknown 0xffffffffU
#define osFlagsErrorTimeout 0xfffffffeU
#define osFlagsErrorResource 0xfffffffdU
#define osFlagsErrorParameter 0xfffffffcU
#define osFlagsErrorISR 0xfffffffaU
#define osThreadDetached 0x00000000U
#define osThreadJoinable 0x00000001U
#define osMutexRecursive 0x00000001U
#define osMutexPrioInherit 0x00000002U
#define osMutexRobust 0x00000008U

typedef void (*osThreadFunc_t)(void *argument);
typedef void (*osTimerFunc_t)(void *argument);
typedef void *osThreadId_t;
typedef void *osTimerId_t;
typedef void *osEventFlagsId_t;
typedef void *osMutexId_t;
typedef void *osSemaphoreId_t;
typedef void *osMemoryPoolId_t;
typedef void *osMessageQueueId_t;
typedef uint32_t TZ_ModuleId_t;

typedef struct {
    const char *name;
    uint32_t attr_bits;
    void *cb_mem;
    uint32_t cb_size;
    void *stack_mem;
    uint32_t stack_size;
    osPriority_t priority;
    TZ_ModuleId_t tz_module;
    uint32_t reserved;
} osThreadAttr_t;

typedef struct {
    const char *name;
    uint32_t attr_bits;
    void *cb_mem;
    uint32_t cb_size;
} osTimerAttr_t, osEventFlagsAttr_t, osMutexAttr_t, osSemaphoreAttr_t;

typedef struct {
    const char *name;
    uint32_t attr_bits;
    void *cb_mem;
    uint32_t cb_size;
    void *mp_mem;
    uint32_t mp_size;
} osMemoryPoolAttr_t;

typedef struct {
    const char *name;
    uint32_t attr_bits;
    void *cb_mem;
    uint32_t cb_size;
    void *mq_mem;
    uint32_t mq_size;
} osMessageQueueAttr_t;

osStatus_t osKernelInitialize(void);
osKernelState_t osKernelGetState(void);
osStatus_t osKernelStart(void);
int32_t osKernelLock(void);
int32_t osKernelUnlock(void);
int32_t osKernelRestoreLock(int32_t lock);
uint32_t osKernelGetTickCount(void);
uint32_t osKernelGetTickFreq(void);
uint32_t osKernelGetSysTimerCount(void);
uint32_t osKernelGetSysTimerFreq(void);
osStatus_t osDelay(uint32_t ticks);
osStatus_t osDelayUntil(uint32_t ticks);

osThreadId_t osThreadNew(osThreadFunc_t function, void *argument, const osThreadAttr_t *attributes);
const char *osThreadGetName(osThreadId_t thread);
osThreadId_t osThreadGetId(void);
osThreadState_t osThreadGetState(osThreadId_t thread);
osStatus_t osThreadSetPriority(osThreadId_t thread, osPriority_t priority);
osPriority_t osThreadGetPriority(osThreadId_t thread);
osStatus_t osThreadYield(void);
osStatus_t osThreadSuspend(osThreadId_t thread);
osStatus_t osThreadResume(osThreadId_t thread);
osStatus_t osThreadDetach(osThreadId_t thread);
osStatus_t osThreadJoin(osThreadId_t thread);
__attribute__((__noreturn__)) void osThreadExit(void);
osStatus_t osThreadTerminate(osThreadId_t thread);
uint32_t osThreadGetCount(void);
uint32_t osThreadFlagsSet(osThreadId_t thread, uint32_t flags);
uint32_t osThreadFlagsClear(uint32_t flags);
uint32_t osThreadFlagsGet(void);
uint32_t osThreadFlagsWait(uint32_t flags, uint32_t options, uint32_t timeout);

osTimerId_t osTimerNew(osTimerFunc_t function, osTimerType_t type, void *argument, const osTimerAttr_t *attributes);
osStatus_t osTimerStart(osTimerId_t timer, uint32_t ticks);
osStatus_t osTimerStop(osTimerId_t timer);
uint32_t osTimerIsRunning(osTimerId_t timer);
osStatus_t osTimerDelete(osTimerId_t timer);

osEventFlagsId_t osEventFlagsNew(const osEventFlagsAttr_t *attributes);
uint32_t osEventFlagsSet(osEventFlagsId_t group, uint32_t flags);
uint32_t osEventFlagsClear(osEventFlagsId_t group, uint32_t flags);
uint32_t osEventFlagsGet(osEventFlagsId_t group);
uint32_t osEventFlagsWait(osEventFlagsId_t group, uint32_t flags, uint32_t options, uint32_t timeout);
osStatus_t osEventFlagsDelete(osEventFlagsId_t group);

osMutexId_t osMutexNew(const osMutexAttr_t *attributes);
osStatus_t osMutexAcquire(osMutexId_t mutex, uint32_t timeout);
osStatus_t osMutexRelease(osMutexId_t mutex);
osThreadId_t osMutexGetOwner(osMutexId_t mutex);
osStatus_t osMutexDelete(osMutexId_t mutex);

osSemaphoreId_t osSemaphoreNew(uint32_t most, uint32_t initial, const osSemaphoreAttr_t *attributes);
osStatus_t osSemaphoreAcquire(osSemaphoreId_t semaphore, uint32_t timeout);
osStatus_t osSemaphoreRelease(osSemaphoreId_t semaphore);
uint32_t osSemaphoreGetCount(osSemaphoreId_t semaphore);
osStatus_t osSemaphoreDelete(osSemaphoreId_t semaphore);

osMemoryPoolId_t osMemoryPoolNew(uint32_t count, uint32_t size, const osMemoryPoolAttr_t *attributes);
void *osMemoryPoolAlloc(osMemoryPoolId_t pool, uint32_t timeout);
osStatus_t osMemoryPoolFree(osMemoryPoolId_t pool, void *block);
osStatus_t osMemoryPoolDelete(osMemoryPoolId_t pool);

osMessageQueueId_t osMessageQueueNew(uint32_t count, uint32_t size, const osMessageQueueAttr_t *attributes);
osStatus_t osMessageQueuePut(osMessageQueueId_t queue, const void *message, uint8_t priority, uint32_t timeout);
osStatus_t osMessageQueueGet(osMessageQueueId_t queue, void *message, uint8_t *priority, uint32_t timeout);
uint32_t osMessageQueueGetCapacity(osMessageQueueId_t queue);
uint32_t osMessageQueueGetCount(osMessageQueueId_t queue);
uint32_t osMessageQueueGetSpace(osMessageQueueId_t queue);
osStatus_t osMessageQueueReset(osMessageQueueId_t queue);
osStatus_t osMessageQueueDelete(osMessageQueueId_t queue);

#ifdef __cplusplus
}
#endif

#endif
