/**
 * Faults injected into a chain of processes under load, and the account of what became of every message: {@code baton
 * chaos}.
 */
package dev.baton.lab.study.chaos;
