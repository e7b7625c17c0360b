/** {@code baton verify}: whether topics hold what was written to them, read end to end from outside. */
package dev.baton.operations.verify;
