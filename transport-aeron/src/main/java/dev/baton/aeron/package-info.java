/**
 * Topics over Aeron: the three transports, their providers and their options, {@code aeron} for streams of a media driver, {@code
 * aeron-udp} for streams between hosts, and {@code aeron-archive} for recordings of an Archive. Applications and the service loader call it; everything else of the module is
 * internal. It may use all packages of the module, which in turn use nothing of it but the options.
 */
package dev.baton.aeron;
