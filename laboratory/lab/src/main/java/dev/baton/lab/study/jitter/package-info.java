/**
 * How much the JVM and the machine hold up two threads that do next to nothing, and what did: a producer, a ring of the
 * Disruptor, an accumulator, and the instruments around them.
 */
package dev.baton.lab.study.jitter;
