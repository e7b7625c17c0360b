/**
 * The delays that the JVM and the machine cause in two almost idle threads, with their causes: a producer, a ring of the Disruptor, an
 * accumulator, and the instruments around them.
 */
package dev.baton.lab.study.jitter;
