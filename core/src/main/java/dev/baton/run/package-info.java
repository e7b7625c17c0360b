/**
 * Loops: threads that run many tasks in turn, none of which blocks; their idle strategies and latency budgets; and the
 * environment (clock, parking, threads) that the simulator replaces.
 *
 * <p>Applications create {@link dev.baton.run.Loops}; the engine adds the sections of chains to them as tasks. It may use
 * {@code dev.baton.spi}.
 */
package dev.baton.run;
