/** Figures, tables and colours for people at a terminal. The package depends on no transport and no measurement. */
package dev.baton.operations.terminal;
