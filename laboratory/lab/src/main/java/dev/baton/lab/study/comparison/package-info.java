/**
 * Two experiments against each other: what differs in how they were run, and which differences of their figures are more
 * than the machine's own noise. Reads result files; prints nothing.
 */
package dev.baton.lab.study.comparison;
