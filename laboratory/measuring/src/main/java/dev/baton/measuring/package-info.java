/**
 * The instruments: send times, accounts of arrivals, latencies, and the machine's activity meanwhile. Each can be tested against a
 * closed-form result; none depends on a transport.
 */
package dev.baton.measuring;
