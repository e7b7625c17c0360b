package dev.baton.operations.verify;

import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.ExitCode;
import dev.baton.operations.line.Subcommand;
import dev.baton.operations.options.ChosenTransport;
import dev.baton.operations.options.OneTransportOptions;
import dev.baton.operations.terminal.Units;
import dev.baton.spi.Guarantee;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code baton forget-consumer}: frees the messages that a topic retains for a consumer that no longer exists. */
@Command(
        name = "forget-consumer",
        sortOptions = false,
        description = {
            "Removes the position of a consumer of one topic: a tap, branch or merge that is no longer used. The topic"
                    + " retains no messages for it any longer. A consumer that is opened again begins at the oldest message.",
            "A consumer that is in use is refused. Over Kafka its position is watched for two seconds; an idle consumer in"
                    + " another process cannot be distinguished from one that no longer exists."
        },
        footer = {
            "",
            "Example: baton forget-consumer trail-merged audit --transport chronicle -o dir=/data/topics",
            "A removed position cannot be restored. Other consumers keep their positions.",
            "Exit codes: 0 forgotten, or found (--dry-run); 1 the topic has no such consumer; 2 usage error; 3 no such"
                    + " topic, in use, or cannot be opened."
        })
public final class ForgetConsumerCommand extends Subcommand {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,248}");
    private static final int MOST_SHOWN = 60;

    @Parameters(
            index = "0",
            arity = "1",
            paramLabel = "TOPIC",
            description = "the topic; for a topic with partitions one of them, such as NAME@0")
    private String topic;

    @Parameters(
            index = "1",
            arity = "1",
            paramLabel = "CONSUMER",
            description =
                    "its name: that of the tap, or of the service of the topic's own chain; CHAIN--SERVICE for another chain that"
                            + " begins at the topic; MERGE.merge for a merge")
    private String consumer;

    @Option(names = "--dry-run", description = "print the consumer's position and remove nothing")
    private boolean isDryRun;

    @Mixin
    private OneTransportOptions transport;

    @Override
    public Integer call() {
        Checks.require(
                NAME.matcher(consumer).matches(),
                "CONSUMER "
                        + (consumer.isBlank() ? "is empty" : "'" + shortened(consumer) + "'")
                        + "; a name has up to 249 letters, digits, '.', '_' and '-', and begins with a letter or digit");
        ChosenTransport chosen = transport.choose(known());
        if (!chosen.provider().guarantees().contains(Guarantee.DURABLE)) {
            throw CommandException.usage("--transport " + chosen.provider().name()
                    + " is not durable; use Transport.forgetConsumer in a process that uses the topic");
        }
        return Checks.possible(() -> {
            try (Transport opened = chosen.provider().open(chosen.options())) {
                return forget(opened);
            }
        });
    }

    private static String shortened(String text) {
        return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "...";
    }

    private int forget(Transport opened) {
        Map<String, Long> consumers;
        long newest;
        try (TopicInspector inspector = opened.inspect(topic)) {
            consumers = new TreeMap<>(inspector.acknowledged());
            newest = inspector.newestSequence();
        }
        Long acknowledged = consumers.get(consumer);
        boolean isForgotten = isDryRun ? acknowledged != null : opened.forgetConsumer(topic, consumer);
        if (!isForgotten) {
            console()
                    .complain("baton: topic '" + topic + "' has no consumer '" + consumer + "'; it has "
                            + (consumers.isEmpty() ? "none" : String.join(", ", consumers.keySet())));
            return ExitCode.FAILED;
        }
        console()
                .print(List.of(
                        (isDryRun ? "would forget" : "forgot") + " consumer '" + consumer + "' of topic '" + topic
                                + "'"
                                + (acknowledged == null
                                        ? ""
                                        : ", which had acknowledged " + Units.count(acknowledged) + " of "
                                                + Units.count(newest) + " messages")));
        return ExitCode.OK;
    }
}
