/**
 * Faults of storage: a full disk and a torn end under a running chain, and damage to the files that a killed chain has left, which
 * another process opens and judges. Called by
 * {@code baton chaos}; uses the plans and processes of {@link dev.baton.lab.study.chaos}.
 */
package dev.baton.lab.study.chaos.storage;
