/** Starts and ends processes: a fresh JVM per trial with the flags it needs, and Kafka's broker with it. */
package dev.baton.lab.launch;
