/**
 * Searches whose trials depend on the results before: the largest number that passes, and the turns of several searches
 * within one budget. Studies call it; it may use {@code launch} and {@code results}.
 */
package dev.baton.lab.search;
