/**
 * Contract classes on administration: topics are created, listed and deleted, inspected, trimmed by retention; consumers are
 * forgotten; providers are found by name. Transports extend them, as those of {@link dev.baton.tck}. They use {@link dev.baton.tck}
 * and the service provider interface.
 */
package dev.baton.tck.admin;
