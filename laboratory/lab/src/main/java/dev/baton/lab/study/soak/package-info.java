/**
 * Chains that run for long: their resources are counted at even intervals, and their growth is distinguished from noise. Read {@link
 * dev.baton.lab.study.soak.SoakWorkload} first, then ResourceSeries (the counting), Slope and Quantity (the judging).
 */
package dev.baton.lab.study.soak;
