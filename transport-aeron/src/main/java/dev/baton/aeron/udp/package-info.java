/**
 * Topics over UDP without an Archive, each in the memory of its writer's process: the window of frames that consumers need, the
 * requests of readers in other processes, and the streams. Internal: {@code UdpTransport} calls {@code UdpTopics}, the one public
 * class. It may use {@code log}, {@code driver}, the SPI and the options.
 */
package dev.baton.aeron.udp;
