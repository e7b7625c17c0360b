/**
 * The options of a transport as text: their names, defaults, units and ranges, and how a value is read.
 *
 * <p>Used by providers of transports and by the command line. It depends on nothing of Baton.
 */
package dev.baton.spi.options;
