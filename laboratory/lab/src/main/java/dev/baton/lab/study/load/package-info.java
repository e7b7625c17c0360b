/**
 * {@code baton load}: a fixed number of requests that are always on their way, to a chain or to an HTTP
 * server before one, and how a JVM comes to its speed.
 */
package dev.baton.lab.study.load;
