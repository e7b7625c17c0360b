/**
 * The simulated world of one schedule: the simulated storage, the processes with their chains, and the account of the guarantees.
 *
 * <p>Entered by {@code Schedule.run}. It may use {@code plan}, {@code time} and the public packages of core.
 */
package dev.baton.simulation.world;
