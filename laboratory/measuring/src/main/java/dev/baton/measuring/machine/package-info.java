/**
 * The instruments that watch the machine while messages are measured: processors, memory, collections, stalls, and what
 * the JVM runs on. What a system does not tell is absent, never 0.
 */
package dev.baton.measuring.machine;
