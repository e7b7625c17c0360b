/**
 * Clients of a media driver: the checks before one connects, its settings, and calls of
 * Aeron that an interrupt does not end. Internal: all transports call it. It may use the SPI and the options.
 */
package dev.baton.aeron.driver;
