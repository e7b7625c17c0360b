/**
 * Topics as streams of Aeron IPC, in the memory of one process over an embedded media driver, or shared by all processes that use
 * a running one. Internal: {@code AeronTransport} calls {@code IpcTopics} and {@code SharedTopics}. It may use {@code log}, {@code
 * driver}, the SPI and the options.
 */
package dev.baton.aeron.ipc;
