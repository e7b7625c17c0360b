/**
 * Chains that run for long: what they hold is counted at even intervals, and a slope is told from noise. Read {@link
 * dev.baton.lab.study.soak.SoakWorkload} first, then ResourceSeries (the counting), Slope and Quantity (the judging).
 */
package dev.baton.lab.study.soak;
