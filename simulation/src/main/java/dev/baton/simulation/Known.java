package dev.baton.simulation;

/**
 * A defect that core is known to have: what triggers it, or reports it, is switched off until it is fixed ({@link
 * Faults#stepsAround}). None at present.
 */
enum Known {}
