package dev.baton.operations.service;

import dev.baton.Chain;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.spi.StartPosition;
import java.util.List;
import picocli.CommandLine.Option;

/** The start position and the consumer of services: options of {@code baton service}. */
final class StartOptions {
    @Option(
            names = "--from",
            paramLabel = "POSITION",
            description =
                    "start position of the first of these services in its topic: earliest, latest, a sequence, or a time"
                            + " such as 2026-03-01T09:30:00Z. Without --consumer it reads as a separate consumer, so that no stored"
                            + " position is changed, and after a restart with the same --from continues where it was (default: its stored position)")
    private String from;

    @Option(
            names = "--consumer",
            paramLabel = "NAME",
            description =
                    "name of the consumer with which the first of these services reads (default: the service's own; with --from alone,"
                            + " one named after the service and the position). A consumer named here begins at --from at every"
                            + " start of the process")
    private String consumer;

    @Option(
            names = "--input",
            paramLabel = "TOPIC",
            description =
                    "the topic of another run that the first of these services reads; these services are then a chain of"
                            + " their own, whose topics have the prefix --name (default: the topic of this run)")
    private String input;

    /** Returns the start position; null for the default. */
    ServicePlan.Start start(int instances, boolean isShared) {
        if (from == null && consumer == null) {
            return null;
        }
        require(from != null ? "--from" : "--consumer", instances, isShared);
        StartPosition position = from == null ? null : Checks.allowed("--from: ", () -> StartPosition.parse(from));
        return new ServicePlan.Start(position, consumer == null ? null : Checks.name("--consumer", consumer));
    }

    /** The chain whose services run, which is another one where its input is. @param here that run, in order */
    Chain chain(Chain whole, List<String> here, int instances, boolean isShared) {
        if (input == null) {
            return whole;
        }
        require("--input", instances, isShared);
        Checks.require(
                input.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,248}"),
                "--input '" + input + "' is not a name of a topic without partitions, such as orders-0");
        try {
            return whole.again(whole.name(), input, here);
        } catch (IllegalArgumentException refused) {
            throw CommandException.usage(
                    "--input " + input + ": " + refused.getMessage() + "; --name names this run, --only its services",
                    refused);
        }
    }

    private static void require(String option, int instances, boolean isShared) {
        Checks.require(instances == 1, option + " is for one instance; --instances says " + instances);
        Checks.require(!isShared, option + " is for topics without partitions");
    }
}
