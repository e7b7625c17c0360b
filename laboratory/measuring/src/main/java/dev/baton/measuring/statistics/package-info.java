/** Percentiles and how many samples they need, the noise of percentiles, and the risk of bimodal machines. */
package dev.baton.measuring.statistics;
