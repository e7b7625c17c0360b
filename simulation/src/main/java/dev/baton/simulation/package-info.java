/**
 * The command of the simulator: it runs schedules, simplifies those that fail, and searches for planted flaws.
 *
 * <p>Called from the command line by {@code simulation/run}, and by tests. It uses {@code plan}, {@code time} and {@code world};
 * nothing depends on it. docs/development.md describes it.
 */
package dev.baton.simulation;
