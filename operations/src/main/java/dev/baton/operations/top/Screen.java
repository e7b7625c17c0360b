package dev.baton.operations.top;

import dev.baton.manage.StorageWatch.StorageGrowth;
import dev.baton.operations.service.StorageWarning;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import dev.baton.operations.terminal.Wrapped;
import dev.baton.run.Loops.LoopStatus;
import dev.baton.status.PartStatus;
import dev.baton.status.PartStatus.OutputStatus;
import dev.baton.status.PartStatus.SnapshotStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;

/** The lines that show a process: its state, a line for each part, its loops, and its last error. Stateless, thread-safe. */
final class Screen {
    private static final String PART = "  %-18s %9s %9s %9s %9s %9s %9s";
    private static final int MOST_NAME = 18;
    private static final int MOST_TEXT_LINES = 4;
    private static final String NONE = "-";

    private Screen() {}

    /**
     * Returns the lines of the screen.
     *
     * @param before an earlier reading, from which rates are computed
     */
    static List<String> lines(String name, ProcessReading before, ProcessReading now, Terminal terminal) {
        Paint paint = terminal.paint();
        int columns = terminal.columns();
        List<String> lines = new ArrayList<>();
        if (now.problem() != null) {
            lines.add(paint.apply(Tone.BOLD, name) + "  " + paint.apply(Tone.BAD, "not reached"));
            lines.addAll(wrapped("  ", now.problem(), columns));
            return lines;
        }
        Tone tone = now.isHealthy() ? Tone.GOOD : Tone.BAD;
        lines.add(paint.apply(Tone.BOLD, name) + "  "
                + paint.apply(tone, now.state() + (now.isHealthy() ? "" : ", not healthy")) + "  backlog "
                + count(now.backlog()) + "  restarts " + count(now.restarts()));
        List<String> plain = new ArrayList<>();
        plain.add("  " + Terminal.printable(now.service()));
        if (!now.parts().isEmpty()) {
            plain.add(String.format(
                    Locale.ROOT, PART, "SERVICE", "IN/S", "OUT/S", "BACKLOG", "UNREAD", "UNSTORED", "IDLE"));
        }
        for (PartStatus part : now.parts()) {
            plain.add(line(part, before, now));
            if (part.snapshots() != null) {
                plain.add(line(part.snapshots()));
            }
        }
        now.parts().stream()
                .map(PartStatus::output)
                .filter(Objects::nonNull)
                .map(OutputStatus::heldBack)
                .filter(Objects::nonNull)
                .distinct()
                .forEach(held -> plain.add("  " + Terminal.printable(held.toString())));
        now.loops().forEach(loop -> plain.add(line(loop, before)));
        if (now.disk() != null) {
            plain.add(line(now.disk()));
            Long shrinking = StorageWarning.shrinkingByOthers(now.disk());
            if (shrinking != null) {
                plain.add("    other files grow too: the free space shrinks by " + Units.bytes(shrinking) + "/h");
            }
        }
        if (!now.blocked().isEmpty()) {
            plain.add("  '" + Terminal.printable(now.blocked()) + "' has blocked its loop for "
                    + Units.time(now.blockedNanos()));
        }
        plain.forEach(line -> lines.add(cut(line, columns)));
        if (!now.counters().isEmpty()) {
            lines.addAll(wrapped("  ", counters(before, now), columns));
        }
        if (!now.lastError().isEmpty()) {
            lines.addAll(wrapped("  last error: ", Terminal.printable(now.lastError()), columns));
        }
        return lines;
    }

    private static String line(PartStatus part, ProcessReading before, ProcessReading now) {
        PartStatus earlier = before.parts().stream()
                .filter(each -> isSame(each, part))
                .findFirst()
                .orElse(null);
        long elapsed = now.nanos() - before.nanos();
        String in = part.input() == null || earlier == null
                ? NONE
                : rate(earlier.input().consumed(), part.input().consumed(), elapsed);
        String out = part.output() == null || earlier == null
                ? NONE
                : rate(earlier.output().sent(), part.output().sent(), elapsed);
        return String.format(
                Locale.ROOT,
                PART,
                cut(name(part), MOST_NAME),
                in,
                out,
                part.input() == null ? NONE : count(part.input().backlog()),
                part.input() == null ? NONE : age(part.input().unreadNanos()),
                part.output() == null ? NONE : age(part.output().unstoredNanos()),
                age(part.idleNanos()));
    }

    private static boolean isSame(PartStatus one, PartStatus other) {
        return one.name().equals(other.name())
                && Objects.equals(input(one), input(other))
                && Objects.equals(output(one), output(other));
    }

    private static String input(PartStatus part) {
        return part.input() == null ? null : part.input().topic();
    }

    private static String output(PartStatus part) {
        return part.output() == null ? null : part.output().topic();
    }

    private static String line(SnapshotStatus snapshot) {
        if (snapshot.ageNanos() == ProcessReading.UNKNOWN) {
            return "    no snapshot yet" + (snapshot.isLate() ? ", late" : "");
        }
        return "    snapshot of input " + count(snapshot.input()) + ": " + Units.bytes(snapshot.bytes()) + ", "
                + age(snapshot) + " old" + (snapshot.isLate() ? ", late" : "");
    }

    private static String age(SnapshotStatus snapshot) {
        Duration age = Duration.ofNanos(snapshot.ageNanos());
        return age.toMinutes() < 2 ? age(snapshot.ageNanos()) : Units.span(age);
    }

    private static String line(StorageGrowth disk) {
        Long growth = disk.bytesPerHour();
        return "  disk: topics take " + Units.bytes(disk.bytes())
                + (growth == null ? "" : (growth < 0 ? ", " : ", +") + Units.bytes(growth) + "/h") + ", "
                + Units.bytes(disk.freeBytes()) + " free"
                + (disk.secondsUntilFull() == null
                        ? ""
                        : ", full in " + Units.span(Duration.ofSeconds(disk.secondsUntilFull())));
    }

    /** Returns counters, each with its increase since the previous reading. */
    private static String counters(ProcessReading before, ProcessReading now) {
        return now.counters().entrySet().stream()
                .map(each -> {
                    long increase = each.getValue() - before.counters().getOrDefault(each.getKey(), each.getValue());
                    return Terminal.printable(each.getKey()) + " " + count(each.getValue())
                            + (increase > 0 ? " (+" + Units.count(increase) + ")" : "");
                })
                .collect(Collectors.joining(", "));
    }

    /** Returns the name of a part, with the number of its partition where it has one. */
    private static String name(PartStatus part) {
        String topic = part.input() == null ? output(part) : input(part);
        int at = topic.lastIndexOf('@');
        return Terminal.printable(part.name() + (at < 0 ? "" : topic.substring(at)));
    }

    private static String line(LoopStatus loop, ProcessReading before) {
        LoopStatus earlier = before.loops().stream()
                .filter(each -> each.name().equals(loop.name()) && each.measuredNanos() < loop.measuredNanos())
                .findFirst()
                .orElse(new LoopStatus(loop.name(), 0, 0, 0));
        long measured = loop.measuredNanos() - earlier.measuredNanos();
        String busy =
                measured <= 0 ? NONE : Units.percent((double) (loop.busyNanos() - earlier.busyNanos()) / measured);
        return "  " + Terminal.printable(loop.name()) + " " + busy + " busy, longest sweep "
                + age(loop.longestSweepNanos());
    }

    private static String rate(long before, long now, long nanos) {
        if (before < 0 || now < before || nanos <= 0) {
            return NONE;
        }
        return Units.count(Math.round((now - before) * 1e9 / nanos));
    }

    private static String count(long figure) {
        return figure == ProcessReading.UNKNOWN ? "?" : Units.count(figure);
    }

    private static String age(long nanos) {
        return nanos == ProcessReading.UNKNOWN ? "?" : nanos == 0 ? "0" : Units.time(nanos);
    }

    /** A text of some lines at most. */
    private static List<String> wrapped(String label, String text, int columns) {
        List<String> lines = Wrapped.lines(label, text, columns);
        boolean isCut = lines.size() > MOST_TEXT_LINES;
        List<String> shown = new ArrayList<>(lines.subList(0, isCut ? MOST_TEXT_LINES : lines.size()));
        if (isCut) {
            shown.set(MOST_TEXT_LINES - 1, cut(shown.get(MOST_TEXT_LINES - 1) + " ...", columns));
        }
        shown.replaceAll(line -> cut(line, columns)); // a long word
        return shown;
    }

    private static String cut(String line, int columns) {
        return line.length() <= columns ? line : line.substring(0, columns - 3) + "...";
    }
}
