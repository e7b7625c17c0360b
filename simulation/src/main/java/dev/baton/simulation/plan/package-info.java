/**
 * The plan of a schedule: its choices, settings and faults, the rules that are checked, and its trace.
 *
 * <p>Used by all other packages of the simulator. It may use nothing but the JDK and the SPI.
 */
package dev.baton.simulation.plan;
