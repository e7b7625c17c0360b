/**
 * What was measured and on what, as records: latencies, the machine, its disturbances, the stages of a chain. Pure data; how
 * it is written to files is the caller's choice.
 */
package dev.baton.measuring.data;
