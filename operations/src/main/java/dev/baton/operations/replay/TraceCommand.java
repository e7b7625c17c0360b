package dev.baton.operations.replay;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.deadletters.DeadLetter;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.ExitCode;
import dev.baton.operations.line.Subcommand;
import dev.baton.operations.options.OneTransportOptions;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.Units;
import dev.baton.operations.verify.StoredTopics;
import dev.baton.spi.Transport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code baton trace}: follows one message through the topics of its chain. */
@Command(
        name = "trace",
        sortOptions = false,
        description = {
            "Follows one message through the topics of its chain by causes, in both directions, with the time between them."
                    + " Changes nothing; the topics may be in use.",
            "Chronicle: a directory of topics. Kafka: names of topics or chains, and --bootstrap-servers. Aeron Archive:"
                    + " such names, and -o driver=DIR."
        },
        footer = {
            "",
            "Outputs of a tick name no message as their cause and are not followed. A trace does not go back beyond a merged topic.",
            "Exit codes: 0 found, 1 not in the topic, 2 usage error, or no such topic, 3 cannot be opened, 130 interrupted."
        })
public final class TraceCommand extends Subcommand {
    private static final int CLOCK_FROM = 11; // in 2026-03-01T09:30:00.123456Z
    private static final int CLOCK_TO = 26;

    @Parameters(index = "0", paramLabel = "SEQUENCE", description = "sequence of the message in --topic")
    private String sequence;

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "DIR|TOPIC",
            description = "a directory, or names of topics or chains; one or more")
    private List<String> places = List.of();

    @Mixin
    private OneTransportOptions transport;

    @Option(
            names = "--topic",
            paramLabel = "TOPIC",
            description = "topic in which SEQUENCE is counted (default: the only one whose name ends with -0)")
    private String topic;

    @Option(names = "--json", description = "print the path as JSON")
    private boolean isJson;

    @Override
    public Integer call() {
        Checks.require(
                sequence.matches("[0-9]{1,18}") && Long.parseLong(sequence) > 0,
                "SEQUENCE '" + sequence + "' is not a sequence: 1, 2, 3 ...");
        Checks.require(
                topic == null || topic.matches("[A-Za-z0-9][A-Za-z0-9._@-]{0,248}"),
                "--topic '" + topic + "' is not a name of a topic");
        return new StoredTopics(places, transport).read(known(), this::trace);
    }

    private int trace(Transport opened, Set<String> chosen) {
        String start = topic == null ? onlyFirst(chosen) : topic;
        Checks.require(
                chosen.contains(start),
                "--topic '" + start + "' is not among the named topics; "
                        + String.join(", ", chosen.stream().limit(20).toList()));
        MessageTrace trace = new MessageTrace(opened, chosen, interruption()::isRequested);
        List<MessageTrace.Stop> way = interruption()
                .reading(() -> trace.of(start, Long.parseLong(sequence)))
                .orElse(List.of());
        if (interruption().isRequested()) {
            console().complain("baton: interrupted before the message was found");
            return ExitCode.INTERRUPTED;
        }
        if (way.isEmpty()) {
            console().complain("topic " + start + " does not hold sequence " + sequence);
            return ExitCode.FAILED;
        }
        console().print(isJson ? json(way) : lines(way));
        if (!isJson) {
            console().print(deadLetters(opened, way));
        }
        if (trace.isCut()) {
            console().complain("of each topic " + MessageTrace.MAX_STOPS + " messages are followed; there are more");
        }
        return ExitCode.OK;
    }

    /** Returns a line for each message of the way that its service could not process. */
    private static List<String> deadLetters(Transport opened, List<MessageTrace.Stop> way) {
        List<String> lines = new ArrayList<>();
        for (String letters : new TreeSet<>(opened.topics())) {
            if (DeadLetter.inputOf(letters) != null) {
                DeadLetter.readAll(
                        opened,
                        letters,
                        letter -> way.stream()
                                .filter(stop ->
                                        stop.topic().equals(letter.topic()) && stop.sequence() == letter.sequence())
                                .map(stop -> stop.topic() + " " + stop.sequence() + " became a dead letter"
                                        + (letter.service().isEmpty() ? "" : " of " + letter.service()) + " (" + letters
                                        + ")")
                                .filter(line -> !lines.contains(line))
                                .forEach(lines::add));
            }
        }
        return lines;
    }

    private static String onlyFirst(Set<String> chosen) {
        List<String> firsts =
                chosen.stream().filter(each -> each.endsWith("-0")).toList();
        Checks.require(
                firsts.size() == 1,
                "--topic is needed: " + (firsts.isEmpty() ? "no topic is" : "several topics are")
                        + " the first of a chain");
        return firsts.get(0);
    }

    private List<String> lines(List<MessageTrace.Stop> way) {
        Table table = new Table("sequence", "cause", "type", "bytes", "sent (UTC)", "after");
        for (MessageTrace.Stop stop : way) {
            long after = after(way, stop);
            table.row(
                    (stop.isAsked() ? "> " : "  ") + stop.topic(),
                    Long.toString(stop.sequence()),
                    stop.isOfTick() ? stop.cause() + ", tick" : Long.toString(stop.cause()),
                    Integer.toString(stop.type()),
                    Integer.toString(stop.bytes()),
                    stop.epochNanos() == 0 ? "?" : time(stop).substring(CLOCK_FROM, CLOCK_TO),
                    after < 0 ? "-" : Units.time(after));
        }
        return table.lines(terminal().paint(), terminal().columns());
    }

    private static String time(MessageTrace.Stop stop) {
        return Instant.ofEpochSecond(0, stop.epochNanos() / 1_000 * 1_000 + 1)
                .toString()
                .replaceFirst("001Z$", "Z");
    }

    /** Returns the time between the sending of its cause and its own; -1 when it is unknown. */
    private static long after(List<MessageTrace.Stop> way, MessageTrace.Stop stop) {
        MessageTrace.Stop cause = null;
        for (MessageTrace.Stop each : way) {
            if (each == stop) {
                break;
            }
            cause = each.sequence() == stop.cause() && !each.topic().equals(stop.topic()) ? each : cause;
        }
        return cause == null || cause.epochNanos() == 0 || stop.epochNanos() == 0
                ? -1
                : Math.max(0, stop.epochNanos() - cause.epochNanos());
    }

    private static List<String> json(List<MessageTrace.Stop> way) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode stops = json.putArray("way");
        for (MessageTrace.Stop stop : way) {
            long after = after(way, stop);
            stops.addObject()
                    .put("topic", stop.topic())
                    .put("sequence", stop.sequence())
                    .put("cause", stop.cause())
                    .put("tick", stop.isOfTick())
                    .put("type", stop.type())
                    .put("bytes", stop.bytes())
                    .put("sent", stop.epochNanos() == 0 ? null : time(stop))
                    .put("afterNanos", after < 0 ? null : Long.valueOf(after))
                    .put("asked", stop.isAsked());
        }
        return List.of(json.toPrettyString());
    }
}
