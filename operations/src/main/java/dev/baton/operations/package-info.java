/**
 * What a host in production needs of the command line: {@code baton service}, {@code baton verify} and {@code baton
 * transports}. It depends on core and, through the service provider interface, on the transports of the class path; the
 * laboratory depends on it, never the other way.
 */
package dev.baton.operations;
