/**
 * The common base of command lines: output, errors, the transports and their settings. The commands of operations and of the laboratory use
 * it.
 */
package dev.baton.operations.line;
