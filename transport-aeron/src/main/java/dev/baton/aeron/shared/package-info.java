/**
 * Topics that all processes of a host share over a media driver that runs as a program of its own: their state, their logs, and
 * the takeover from a process that has ended. Internal: {@code AeronTransport} calls {@code SharedTopics}, the one public class.
 * It may use {@code log}, {@code driver}, the SPI and the options.
 */
package dev.baton.aeron.shared;
