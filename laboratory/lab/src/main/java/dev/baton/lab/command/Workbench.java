package dev.baton.lab.command;

import dev.baton.lab.launch.BrokerSource;
import dev.baton.operations.line.Interruption;
import dev.baton.operations.line.KnownTransports;

/**
 * What every command that measures works with.
 *
 * @param known the transports to choose from
 * @param brokers where a broker comes from
 * @param childMain class that the JVM of a trial runs, with a plan file as its argument
 * @param interruption Ctrl-C
 */
public record Workbench(KnownTransports known, BrokerSource brokers, String childMain, Interruption interruption) {}
