/**
 * Commands for hosts in production: {@code baton service}, {@code baton verify} and {@code baton transports}. The package depends on core
 * and, through the service provider interface, on the transports of the class path. The laboratory depends on it, never the reverse.
 */
package dev.baton.operations;
