/**
 * Contract classes on opening and closing: what a transport opens, how connections end, which thread may use them, and that
 * nothing is left behind. Every transport extends them, as those of {@link dev.baton.tck}. They use {@link dev.baton.tck}, {@link
 * dev.baton.tck.harness} and the service provider interface.
 */
package dev.baton.tck.lifecycle;
