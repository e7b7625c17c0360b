/**
 * Topics in shared memory: the embedded or running media driver, one stream for each topic, and its writer and readers.
 * Internal: {@code AeronTransport} calls {@code IpcTopics}, the one class with public methods. It may use {@code log}, {@code driver},
 * the SPI and the options.
 */
package dev.baton.aeron.ipc;
