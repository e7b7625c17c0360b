/**
 * Instruments of the contract: an extension that names failures, a meter of allocation, threads with an outcome. The contract
 * classes call them; transports do not. They use JUnit, AssertJ and the JDK alone.
 */
package dev.baton.tck.harness;
