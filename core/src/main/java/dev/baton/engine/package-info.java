/**
 * Starts, runs and closes chains, merges and their partitions: the settings of a start, the sections of a chain on its
 * loops, restarts, and the query for a status.
 *
 * <p>Called by {@link dev.baton.Deployment}; {@link dev.baton.RunningChain} is implemented here. It may use
 * all packages of the engine; none of them uses it. Not exported.
 */
package dev.baton.engine;
