/**
 * Faults of storage: damages the files that a killed chain has left, opens them in another process, and judges the outcome. Called by
 * {@code baton chaos}; uses the plans and processes of {@link dev.baton.lab.study.chaos}.
 */
package dev.baton.lab.study.chaos.storage;
