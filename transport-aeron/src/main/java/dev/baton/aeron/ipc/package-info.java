/**
 * Topics in the memory of one process: the embedded media driver, one stream for each topic, and its readers. Internal: {@code
 * AeronTransport} calls {@code IpcTopics}, the one public class. It may use {@code log}, {@code driver}, the SPI and the options.
 */
package dev.baton.aeron.ipc;
