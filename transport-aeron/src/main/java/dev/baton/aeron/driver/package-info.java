/**
 * Clients of a media driver that runs as a program of its own: the checks before one connects, its settings, and calls of Aeron that
 * an interrupt does not end. Internal: both transports call it. It may use the SPI and the options, and no other package of this module.
 */
package dev.baton.aeron.driver;
