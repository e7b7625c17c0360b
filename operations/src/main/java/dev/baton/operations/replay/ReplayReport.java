package dev.baton.operations.replay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.baton.Chain;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.Units;
import dev.baton.operations.terminal.Wrapped;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What a replay found, for people and as JSON. Confined to one thread. */
final class ReplayReport {
    private static final int INPUTS_SHOWN = 3;
    private static final int MAX_STATE_LINES = 16;
    private static final int READ_LIMIT = 1024;
    private static final int MIN_COLUMNS = 60;
    private static final String NOT_REPEATABLE =
            "A second replay of the service sent something else: what it sends does not follow from its inputs and"
                    + " ServiceContext.time() alone. What usually does that: System.nanoTime, currentTimeMillis or"
                    + " Instant.now, random numbers and UUIDs, the order of a HashMap whose keys have no hashCode of their"
                    + " own, another thread, a database or a file.";

    private final List<ServiceReplay.Result> results;
    private final Chain chain;
    private final Transport transport;
    private final Terminal terminal;
    private final String expected;

    ReplayReport(
            Chain chain,
            List<ServiceReplay.Result> results,
            Transport transport,
            Terminal terminal,
            boolean isAgainstOther) {
        this.chain = chain;
        this.results = results;
        this.transport = transport;
        this.terminal = terminal;
        expected = isAgainstOther ? "other build" : "recorded";
    }

    List<String> lines() {
        Table table = new Table(
                Stream.of("inputs", "same", "inputs/s", "result").map(Cell::of).toList());
        for (ServiceReplay.Result result : results) {
            table.row(
                    result.service() + partition(result.input()),
                    List.of(
                            Cell.of(Units.count(result.inputs())),
                            Cell.of(Units.count(result.compared())),
                            Cell.of(Units.count((long) (result.inputs() * 1e9 / Math.max(1, result.nanos())))),
                            Cell.of(result.difference() == null ? "the same" : "DIFFERS")));
        }
        List<String> lines = new ArrayList<>(table.lines(terminal.paint(), terminal.columns()));
        for (ServiceReplay.Result result : results) {
            if (result.firstInput() > 1) {
                lines.addAll(wrapped(result.service() + " began at input " + result.firstInput()
                        + " as one that was never started; its state of before is not in the replay."));
            }
            if (result.difference() != null) {
                lines.add("");
                lines.addAll(lines(result));
            }
        }
        return lines;
    }

    private static String partition(String topic) {
        int at = topic.indexOf('@');
        return at < 0 ? "" : topic.substring(at);
    }

    private List<String> lines(ServiceReplay.Result result) {
        Difference difference = result.difference();
        List<String> lines = new ArrayList<>();
        if (difference.thrown() != null) {
            lines.addAll(wrapped("Service " + result.service() + " threw: " + difference.thrown()));
            return lines;
        }
        FrameCopy theirs = difference.expected();
        FrameCopy mine = difference.replayed();
        lines.addAll(wrapped("Service " + result.service() + " differs at input " + difference.cause() + " of topic "
                + result.input()
                + (theirs == null ? ": an output too many" : mine == null ? ": an output is missing" : "")
                + (theirs == null || theirs.sequence() == 0 || expected.startsWith("other")
                        ? ""
                        : " (sequence " + theirs.sequence() + " of topic " + result.output() + ")")
                + ", behind " + Units.count(result.compared()) + " outputs that were the same."));
        int at = theirs == null || mine == null ? 0 : Math.max(0, Arrays.mismatch(theirs.payload(), mine.payload()));
        show(lines, expected, theirs, at);
        show(lines, "replayed", mine, at);
        if (theirs != null && mine != null && !Arrays.equals(theirs.payload(), mine.payload())) {
            lines.add("payloads differ from byte " + at + " (0x" + Integer.toHexString(at) + ") on");
        }
        for (FrameCopy input : inputs(result)) {
            show(lines, "input " + input.sequence(), input, 0);
        }
        StateBefore state = StateBefore.of(chain, result, transport);
        if (state != null) {
            show(lines, state, difference.cause());
        }
        if (!result.isDeterministic()) {
            lines.addAll(wrapped(NOT_REPEATABLE));
        }
        return lines;
    }

    private void show(List<String> lines, StateBefore state, long cause) {
        lines.addAll(wrapped("state before: the snapshot behind input " + state.input() + ", "
                + Units.count(cause - state.input()) + " inputs earlier (" + Units.bytes(state.bytes()) + ", version "
                + state.version() + ")"));
        if (state.text() != null) {
            state.text()
                    .lines()
                    .limit(MAX_STATE_LINES)
                    .forEach(line -> lines.add("  " + line.replaceAll("\\p{Cntrl}", " ")));
        }
    }

    private static void show(List<String> lines, String label, FrameCopy frame, int around) {
        if (frame == null) {
            lines.add(label + ": nothing");
            return;
        }
        lines.add(label + ": cause " + frame.cause() + (frame.isOfTick() ? " (a tick behind it)" : "") + ", type "
                + frame.type() + (frame.key() == null ? "" : ", key " + Payload.hex(frame.key())) + ", "
                + frame.payload().length + " bytes");
        Payload.lines(frame.payload(), around).forEach(line -> lines.add("  " + line));
    }

    private List<String> wrapped(String text) {
        return Wrapped.lines("", text, Math.max(MIN_COLUMNS, terminal.columns()));
    }

    /** The input at which they differ, and those before it. */
    private List<FrameCopy> inputs(ServiceReplay.Result result) {
        long last = result.difference().cause();
        Deque<FrameCopy> shown = new ArrayDeque<>();
        boolean[] isBehind = {last == 0};
        try (TopicInspector inspector = transport.inspect(result.input())) {
            while (!isBehind[0]) {
                int read = inspector.read(
                        (frame, position) -> {
                            isBehind[0] = frame.sequence() > last;
                            if (!isBehind[0] && frame.sequence() > last - INPUTS_SHOWN && frame.validate() == null) {
                                shown.add(FrameCopy.of(frame));
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
        List<Map<String, Object>> services = new ArrayList<>();
        for (ServiceReplay.Result result : results) {
            Map<String, Object> service = new LinkedHashMap<>();
            service.put("service", result.service());
            service.put("input", result.input());
            service.put("output", result.output());
            service.put("inputs", result.inputs());
            service.put("same", result.compared());
            service.put("firstInput", result.firstInput());
            service.put("seconds", result.nanos() / 1e9);
            service.put("deterministic", result.isDeterministic());
            service.put("difference", result.difference() == null ? null : json(result));
            services.add(service);
        }
        try {
            return List.of(new ObjectMapper()
                    .writerWithDefaultPrettyPrinter()
                    .writeValueAsString(Map.of("comparedWith", expected, "services", services)));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private Map<String, Object> json(ServiceReplay.Result result) {
        Map<String, Object> difference = new LinkedHashMap<>();
        difference.put("cause", result.difference().cause());
        difference.put("thrown", result.difference().thrown());
        difference.put("expected", json(result.difference().expected()));
        difference.put("replayed", json(result.difference().replayed()));
        difference.put("inputs", inputs(result).stream().map(ReplayReport::json).toList());
        difference.put("stateBefore", json(StateBefore.of(chain, result, transport)));
        return difference;
    }

    private static Map<String, Object> json(StateBefore state) {
        if (state == null) {
            return null;
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("input", state.input());
        fields.put("bytes", state.bytes());
        fields.put("version", state.version());
        fields.put("text", state.text());
        return fields;
    }

    private static Map<String, Object> json(FrameCopy frame) {
        if (frame == null) {
            return null;
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("sequence", frame.sequence());
        fields.put("cause", frame.cause());
        fields.put("tick", frame.isOfTick());
        fields.put("type", frame.type());
        fields.put("key", frame.key() == null ? null : Payload.hex(frame.key()));
        fields.put("payload", Payload.hex(frame.payload()));
        return fields;
    }
}
