/**
 * The simulated clock, threads and processes, and the scheduler that runs one actor at a time.
 *
 * <p>Used by the simulated world. It may use {@code plan} and {@code dev.baton.run}.
 */
package dev.baton.simulation.time;
