/**
 * What a person sees: the progress line, tables, remarks,
 * headlines, figures that others published. Knows results; what a study shows of its own, it asks the study's {@link
 * dev.baton.lab.reporting.StudyView}.
 */
package dev.baton.lab.reporting;
