/* Registers of a small board, as a vendor's header has them. */
#ifndef BOARD_H
#define BOARD_H

#include <board_revision.h>

#define REGISTER(address) (*(volatile unsigned char *)(address))

#define PORT    REGISTER(0x25)
#define BUTTONS REGISTER(0x29)
#define COMPARE REGISTER(0x48)
#define TIMER   REGISTER(0x53)

#define INTERRUPT(vector) void vector(void)
#define TIMER_OVERFLOW __vector_9

#define enable_interrupts() __asm__ volatile("sei")

#endif
