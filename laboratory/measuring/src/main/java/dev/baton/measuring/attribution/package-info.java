/**
 * The causes of slow messages: the time of each is divided among the causes, on the trial's time line. Pure functions of the measured data;
 * no code of this package runs during a measurement.
 */
package dev.baton.measuring.attribution;
