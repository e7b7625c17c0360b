/**
 * Contract classes on faults of the network or the server behind a transport, which the fixture causes. Transports with a server
 * extend them. They use {@link dev.baton.tck}, {@link dev.baton.tck.harness} and the service provider interface.
 */
package dev.baton.tck.network;
