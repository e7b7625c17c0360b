/**
 * The output for people: the progress line, tables, remarks, headlines, published figures. It depends on results; each study's own output
 * is in its {@link dev.baton.lab.reporting.StudyView}.
 */
package dev.baton.lab.reporting;
