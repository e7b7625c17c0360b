/**
 * Defects planted in compiled classes: a change of what one method passes, gets back, reads, writes or returns. The simulator has to
 * find those of the engine, and jcstress those of what threads hand to each other.
 */
package dev.baton.simulation.defects;
