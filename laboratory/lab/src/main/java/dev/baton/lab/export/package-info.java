/**
 * Results in the formats of other programs: JMH's JSON, Bencher's metric format, and CSV.
 *
 * <p>The command line calls it. It may use {@code results}, {@code request} and {@code operations}.
 */
package dev.baton.lab.export;
