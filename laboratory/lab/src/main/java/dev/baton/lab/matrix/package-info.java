/**
 * Many trials of one question under different conditions: their choice, their order, their duration, and which of their differences exceed
 * the noise. The package depends on no command.
 */
package dev.baton.lab.matrix;
