package dev.baton.measuring.data;

/**
 * The use that generators with threads of their own made of the machine during the measurement.
 *
 * @param cpuCores CPU time of their threads over wall time
 * @param runQueueShare the part of the wall time in which a thread was ready to run and had no core, from 0 to 1; of
 *     several threads that of the worst; null where the kernel does not count it
 */
public record GeneratorUse(double cpuCores, Double runQueueShare) {}
