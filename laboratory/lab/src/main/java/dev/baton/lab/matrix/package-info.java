/**
 * Many trials of the same question under different circumstances: which are run, in which order, how long that takes, and
 * which of their differences are more than chance. Knows no command.
 */
package dev.baton.lab.matrix;
