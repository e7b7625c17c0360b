/**
 * Simulation of the real core over simulated clocks, threads, processes and storage, in schedules that a seed determines.
 *
 * <p>Called from the command line by {@code simulation/run}, and by tests. It uses {@code dev.baton}, its SPI and the
 * environment of its loops; nothing depends on it. docs/simulation.md describes what is simulated and which rules are checked.
 */
package dev.baton.simulation;
