/**
 * The instruments that watch the machine while messages are measured: processors, memory, collections, stalls, and the environment of the
 * JVM. A figure that the system does not report is absent, never 0.
 */
package dev.baton.measuring.machine;
