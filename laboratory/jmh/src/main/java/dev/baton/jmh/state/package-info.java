/**
 * Programs that measure what state and replay cost. They are no benchmarks of JMH, as each run takes seconds to minutes and ends with a
 * JVM that is halted. Each prints a table; its last argument bounds how long it takes. Topics lie in the directory for temporary files
 * ({@code -Djava.io.tmpdir}) and are removed afterwards.
 */
package dev.baton.jmh.state;
