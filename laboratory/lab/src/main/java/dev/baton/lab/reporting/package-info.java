/** What a person sees: the progress line, tables, units and colours. Knows results, and nothing of how they came about. */
package dev.baton.lab.reporting;
