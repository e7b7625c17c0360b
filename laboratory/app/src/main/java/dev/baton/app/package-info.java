/** The executable {@code baton.jar}: the laboratory, operations, all transports, a broker and the JMH benchmarks. */
package dev.baton.app;
