/**
 * Topics as streams of Aeron IPC: their state, their logs and the takeover from a process that has ended, over an embedded media
 * driver or over a running one, whose topics all processes share. Internal: {@code AeronTransport} calls {@code IpcTopics}, the
 * one public class. It may use {@code log}, {@code driver}, the SPI and the options.
 */
package dev.baton.aeron.ipc;
