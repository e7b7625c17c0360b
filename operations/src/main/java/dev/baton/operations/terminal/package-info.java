/** Figures, tables and colours as people read them on a terminal. Knows no transport and no measurement. */
package dev.baton.operations.terminal;
