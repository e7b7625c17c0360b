/**
 * The measured data as records: latencies, the machine, its disturbances, the stages of a chain. Pure data; the caller decides how they are
 * written to files.
 */
package dev.baton.measuring.data;
