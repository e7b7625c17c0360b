/** Chains by name, of jars on the class path and the one that forwards. For {@code service} and the laboratory. */
package dev.baton.operations.chains;
