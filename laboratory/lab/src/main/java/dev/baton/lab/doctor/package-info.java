/** The suitability of this machine for latency work: readings, measurements, and the resulting grade. */
package dev.baton.lab.doctor;
