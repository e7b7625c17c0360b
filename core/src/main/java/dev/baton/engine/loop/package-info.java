/**
 * The loops themselves: a thread that sweeps over its tasks, its connections, pauses and pacing, and the pool that {@link
 * dev.baton.run.Loops} stands for.
 *
 * <p>The engine adds the sections of chains as tasks. It may use {@code dev.baton.run} and {@code dev.baton.spi}. Not
 * exported.
 */
package dev.baton.engine.loop;
