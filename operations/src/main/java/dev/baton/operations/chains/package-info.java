/**
 * Chains by name: those that jars on the class path provide, and the one that forwards. What {@code baton service} runs and
 * the laboratory measures.
 */
package dev.baton.operations.chains;
