package dev.baton.operations.replay;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.Chain;
import dev.baton.Service;
import dev.baton.manage.SavedState;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Units;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.TransportException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The result of a replay, as text and as JSON. Confined to one thread.
 *
 * @param isToTheEnd whether all differences were counted
 * @param expected origin of the expected outputs: {@value #RECORDED} or {@value #OTHER_BUILD}
 */
record ReplayReport(
        Chain chain,
        ReplayComparison comparison,
        Transport transport,
        Terminal terminal,
        String expected,
        boolean isToTheEnd) {
    static final String RECORDED = "recorded";
    static final String OTHER_BUILD = "other build";

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final int INPUTS_SHOWN = 3;
    private static final int BYTES_PER_LINE = 16;
    private static final int MAX_PAYLOAD_LINES = 16;
    private static final int MAX_STATE_LINES = 16;
    private static final int READ_LIMIT = 1024;
    private static final int MIN_COLUMNS = 60;
    private static final String NOT_REPEATABLE =
            "A second replay of the service had other outputs: they depend on more than its inputs and"
                    + " ServiceContext.time(). Usual causes: System.nanoTime, currentTimeMillis or"
                    + " Instant.now, random numbers and UUIDs, the order of a HashMap whose keys have no hashCode of their"
                    + " own, another thread, a database or a file.";

    List<String> lines() {
        Table table = new Table("inputs", "same outputs", "inputs/s", "result");
        for (ReplayComparison.Part result : comparison.parts()) {
            table.row(
                    result.service() + partition(result.input()),
                    Units.count(result.inputs()),
                    Units.count(result.same()),
                    Units.count((long) (result.inputs() * 1e9 / Math.max(1, result.nanos()))),
                    result.difference() == null ? "the same" : "DIFFERS");
        }
        TextReport report = new TextReport(terminal.paint(), Math.max(MIN_COLUMNS, terminal.columns()))
                .lines(table.lines(terminal.paint(), terminal.columns()));
        for (ReplayComparison.Part result : comparison.parts()) {
            if (result.difference() == null && result.same() != result.inputs()) {
                report.text(result.service() + ": " + Units.counted(result.same(), "output") + " of "
                        + Units.counted(result.inputs(), "input")
                        + " were compared: a service may send none or several for an input, and outputs behind the end of"
                        + " the recording are not compared.");
            }
            if (result.firstInput() > 1) {
                report.text(result.service() + " began at input " + result.firstInput()
                        + " as one that was never started; its state of before is not in the replay.");
            }
            if (result.difference() != null) {
                show(report.gap(), result);
                if (isToTheEnd) {
                    report.text(counts(result));
                }
            }
        }
        return report.lines();
    }

    private static String counts(ReplayComparison.Part result) {
        long all = result.differences().values().stream()
                .mapToLong(Long::longValue)
                .sum();
        return result.service() + ": " + Units.count(all) + (all == 1 ? " difference" : " differences")
                + " in all: "
                + result.differences().entrySet().stream()
                        .map(each -> each.getKey().text() + " " + Units.count(each.getValue()))
                        .collect(Collectors.joining(", "))
                + (result.fields().isEmpty() ? "" : "; changed fields: " + fields(result)) + ".";
    }

    private static String fields(ReplayComparison.Part result) {
        return result.fields().entrySet().stream()
                .map(each -> each.getKey() + " " + Units.count(each.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static String partition(String topic) {
        int at = topic.indexOf('@');
        return at < 0 ? "" : topic.substring(at);
    }

    private void show(TextReport report, ReplayComparison.Part result) {
        ReplayDifference difference = result.difference();
        if (difference.thrown() != null) {
            report.text("Service " + result.service() + " threw: " + difference.thrown());
            return;
        }
        MessageCopy theirs = difference.expected();
        MessageCopy mine = difference.replayed();
        report.text("Service " + result.service() + " differs at input " + difference.cause() + " of topic "
                + result.input()
                + (theirs == null ? ": an additional output" : mine == null ? ": an output is missing" : "")
                + (theirs == null || theirs.sequence() == 0 || expected.equals(OTHER_BUILD)
                        ? ""
                        : " (sequence " + theirs.sequence() + " of topic " + result.output() + ")")
                + (isToTheEnd ? "." : ", after " + Units.count(result.same()) + " equal outputs."));
        int at = theirs == null || mine == null ? 0 : Math.max(0, Arrays.mismatch(theirs.payload(), mine.payload()));
        show(report, expected, theirs, at);
        show(report, "replayed", mine, at);
        if (theirs != null && mine != null && !Arrays.equals(theirs.payload(), mine.payload())) {
            report.line("payloads differ from byte " + at + " (0x" + Integer.toHexString(at) + ") on");
        }
        difference
                .changes()
                .forEach((field, change) -> report.text(
                        field + ": " + change.expected() + " " + expected + ", " + change.replayed() + " replayed"));
        for (MessageCopy input : inputs(result)) {
            show(report, "input " + input.sequence(), input, 0);
        }
        SavedState state = stateBefore(result);
        if (state != null) {
            show(report, state, text(result, state), difference.cause());
        }
        if (!result.isRepeatable()) {
            report.text(NOT_REPEATABLE);
        }
    }

    /** The newest snapshot that contains nothing of the input at which the outputs differ; null for none, or for an unreadable one. */
    private SavedState stateBefore(ReplayComparison.Part result) {
        String topic = chain.snapshotTopic(0, result.service()) + partition(result.input());
        long cause = result.difference().cause();
        try {
            return cause == 0 || !transport.topics().contains(topic)
                    ? null
                    : SavedState.newest(transport, topic, cause - 1).orElse(null);
        } catch (TransportException unreadable) {
            return null; // the difference is what matters
        }
    }

    /** Describes a saved state; null where the service has none, or cannot read it. */
    private String text(ReplayComparison.Part result, SavedState saved) {
        Service made = chain.newService(result.service());
        if (made.state() == null) {
            return null;
        }
        try {
            saved.restore(made.state());
            return made.state().stateText();
        } catch (Exception cannot) {
            return null; // another version, or a service that needs its onStart
        }
    }

    private static void show(TextReport report, SavedState state, String text, long cause) {
        report.text("state before: the snapshot after input " + state.input() + ", "
                + Units.count(cause - state.input()) + " inputs earlier (" + Units.bytes(state.bytes()) + ", version "
                + state.version() + ")");
        if (text != null) {
            text.lines().limit(MAX_STATE_LINES).forEach(line -> report.line("  " + line.replaceAll("\\p{Cntrl}", " ")));
        }
    }

    private static void show(TextReport report, String label, MessageCopy frame, int around) {
        if (frame == null) {
            report.line(label + ": nothing");
            return;
        }
        report.line(label + ": cause " + frame.cause() + (frame.isOfTick() ? " (a tick after it)" : "") + ", type "
                + frame.type() + (frame.key() == null ? "" : ", key " + hex(frame.key())) + ", "
                + frame.payload().length + " bytes");
        lines(frame.payload(), around).forEach(line -> report.line("  " + line));
    }

    /** Prints a payload in lines of 16 bytes, in hexadecimal and as text, from the line of a byte on; a long payload is shortened. */
    private static List<String> lines(byte[] bytes, int around) {
        List<String> lines = new ArrayList<>();
        int first = bytes.length <= MAX_PAYLOAD_LINES * BYTES_PER_LINE
                ? 0
                : Math.max(0, around / BYTES_PER_LINE - 1) * BYTES_PER_LINE;
        for (int at = first; at < bytes.length && lines.size() < MAX_PAYLOAD_LINES; at += BYTES_PER_LINE) {
            int end = Math.min(bytes.length, at + BYTES_PER_LINE);
            StringBuilder text = new StringBuilder();
            for (int i = at; i < end; i++) {
                text.append(bytes[i] >= ' ' && bytes[i] < 0x7f ? (char) bytes[i] : '.');
            }
            lines.add(String.format(
                            Locale.ROOT,
                            "%05x  %-47s  %s",
                            at,
                            HexFormat.ofDelimiter(" ").formatHex(bytes, at, end),
                            text)
                    .stripTrailing());
        }
        if (lines.isEmpty()) {
            lines.add("no bytes");
        } else if (lines.size() == MAX_PAYLOAD_LINES && bytes.length > first + MAX_PAYLOAD_LINES * BYTES_PER_LINE) {
            lines.add("... " + bytes.length + " bytes in all");
        }
        return lines;
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    /** Returns the input at which the outputs differ, and those before it. */
    private List<MessageCopy> inputs(ReplayComparison.Part result) {
        long last = result.difference().cause();
        Deque<MessageCopy> shown = new ArrayDeque<>();
        boolean[] isBehind = {last == 0};
        try (TopicInspector inspector = transport.inspect(result.input())) {
            while (!isBehind[0]) {
                int read = inspector.read(
                        (frame, position) -> {
                            isBehind[0] = frame.sequence() > last;
                            if (!isBehind[0] && frame.sequence() > last - INPUTS_SHOWN && frame.validate() == null) {
                                shown.add(MessageCopy.of(frame));
                            }
                            return isBehind[0] ? Verdict.RETRY : Verdict.DONE;
                        },
                        READ_LIMIT);
                isBehind[0] |= read == 0;
            }
        } catch (TransportException unreadable) {
            return List.of(); // the difference is what matters
        }
        return List.copyOf(shown);
    }

    List<String> json() {
        ObjectNode report = JSON.objectNode().put("comparedWith", expected);
        ArrayNode services = report.putArray("services");
        for (ReplayComparison.Part result : comparison.parts()) {
            ObjectNode service = services.addObject();
            if (isToTheEnd) {
                ObjectNode counts = service.putObject("differences");
                result.differences()
                        .forEach((kind, count) -> counts.put(kind.name().toLowerCase(Locale.ROOT), count));
                ObjectNode fields = service.putObject("changedFields");
                result.fields().forEach(fields::put);
            }
            service.put("service", result.service())
                    .put("input", result.input())
                    .put("output", result.output())
                    .put("inputs", result.inputs())
                    .put("same", result.same())
                    .put("firstInput", result.firstInput())
                    .put("seconds", result.nanos() / 1e9)
                    .put("deterministic", result.isRepeatable())
                    .set("difference", result.difference() == null ? null : json(result));
        }
        return List.of(report.toPrettyString());
    }

    private ObjectNode json(ReplayComparison.Part result) {
        ReplayDifference difference = result.difference();
        ObjectNode json = JSON.objectNode().put("cause", difference.cause()).put("thrown", difference.thrown());
        json.set("expected", json(difference.expected()));
        json.set("replayed", json(difference.replayed()));
        json.putArray("inputs")
                .addAll(inputs(result).stream().map(ReplayReport::json).toList());
        json.set("stateBefore", json(result, stateBefore(result)));
        return json;
    }

    private ObjectNode json(ReplayComparison.Part result, SavedState state) {
        return state == null
                ? null
                : JSON.objectNode()
                        .put("input", state.input())
                        .put("bytes", state.bytes())
                        .put("version", state.version())
                        .put("text", text(result, state));
    }

    private static ObjectNode json(MessageCopy frame) {
        return frame == null
                ? null
                : JSON.objectNode()
                        .put("sequence", frame.sequence())
                        .put("cause", frame.cause())
                        .put("tick", frame.isOfTick())
                        .put("type", frame.type())
                        .put("key", frame.key() == null ? null : hex(frame.key()))
                        .put("payload", hex(frame.payload()));
    }
}
