/**
 * What a trial and an experiment leave behind: records that are written as JSON and read back, interval logs beside
 * them. A figure that could not be taken is null, and {@link dev.baton.measuring.data.Machine#absent} says why.
 */
package dev.baton.lab.results;
