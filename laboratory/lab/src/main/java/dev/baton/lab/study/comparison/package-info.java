/**
 * {@code baton compare}, {@code gate} and {@code matrix}: experiments beside each other, what differs in how they were run,
 * and which differences of their figures are more than the machine's own noise.
 */
package dev.baton.lab.study.comparison;
