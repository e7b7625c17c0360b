/** {@code baton top}: running processes, looked at in a terminal. */
package dev.baton.operations.top;
