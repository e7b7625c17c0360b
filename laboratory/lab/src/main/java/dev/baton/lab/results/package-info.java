/**
 * The results of trials and experiments: records that are written as JSON and read back, with interval logs. An unknown figure is null,
 * with the reason in {@link dev.baton.measuring.data.Machine#absent}.
 */
package dev.baton.lab.results;
