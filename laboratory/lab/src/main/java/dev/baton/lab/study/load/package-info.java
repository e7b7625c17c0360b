/**
 * {@code baton load}: measures a chain, or an HTTP server before one, under a fixed number of requests that are always on their way, and
 * the warm-up of its JVM.
 */
package dev.baton.lab.study.load;
