/**
 * {@code baton compare}, {@code gate} and {@code matrix}: compare experiments, their set-ups, and their figures with the machine's own
 * noise.
 */
package dev.baton.lab.study.comparison;
