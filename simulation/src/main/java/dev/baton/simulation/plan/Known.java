package dev.baton.simulation.plan;

/** A known defect of core: its trigger, or its report, is switched off until it is fixed ({@link Faults#stepsAround}). None at present. */
public enum Known {}
