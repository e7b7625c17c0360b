/**
 * Commands for hosts in production, such as {@code baton service} and {@code baton verify}. The package depends on core
 * and, through the service provider interface, on the transports of the class path. The laboratory depends on it, never the reverse.
 */
package dev.baton.operations;
