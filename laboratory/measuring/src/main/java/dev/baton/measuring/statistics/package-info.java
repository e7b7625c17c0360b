/** Percentiles and their numbers of samples, the noise of percentiles, and the risk of bimodal machines. */
package dev.baton.measuring.statistics;
