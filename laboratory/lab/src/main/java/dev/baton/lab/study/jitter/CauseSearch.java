package dev.baton.lab.study.jitter;

import dev.baton.lab.study.jitter.JitterFindings.Cause;
import dev.baton.lab.study.jitter.WorstEvents.Kept;
import dev.baton.measuring.machine.Evidence;
import dev.baton.measuring.machine.Evidence.Compilation;
import dev.baton.measuring.machine.Evidence.Oversleep;
import dev.baton.measuring.machine.Evidence.Slice;
import dev.baton.measuring.machine.Evidence.Stolen;
import dev.baton.measuring.machine.Evidence.Stop;
import dev.baton.measuring.machine.Evidence.Watched;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * All evidence about one event, strongest source first. A pure function of its arguments.
 * <ol>
 * <li>Stops of the JVM, to the nanosecond, on the same clock: the overlapping part.
 * <li>Time that the threads waited for a core, counted by the kernel to the nanosecond, but known by the slice only. The producer's counts
 * for the time until the message was sent, the accumulator's for the time from then on; neither counts when the thread was late in that
 * slice for more than twice as long in all. The CPU time of the JVM's other threads shows which of them had the core.
 * <li>A stop of the whole process, observed by the probes of all cores: they were woken to stop, and neither ran nor waited.
 * <li>The probe of that thread's core, when it did not run either and overslept as it rarely does; and steal in that slice, which is
 * counted in 10 ms.
 * <li>Optimised code of the two threads' own that was discarded within the event: they interpret it for a while.
 * <li>Another core at the end of the slice than at its beginning: the weakest evidence, as it is frequent.
 * </ol>
 * Confined to one thread.
 */
final class CauseSearch {
    private static final int PRODUCER = 0;
    private static final int ACCUMULATOR = 1;

    /** A line of the log is stamped a little after its event. */
    private static final long STAMP_SLACK_NANOS = 50_000;

    private static final int OPTIMISED = 4;

    /** A thread that waited less than this part of what the other did is not worth a word. */
    private static final double SMALL_PART = 0.1;

    /** Code that both threads run. */
    private static final List<String> OWN_CODE =
            List.of("dev.baton.lab.", "dev.baton.measuring.", "com.lmax.disruptor.", "org.HdrHistogram.");

    private final Kept event;
    private final List<Kept> all;
    private final Evidence evidence;
    private final List<Slice> slices;
    private final int held; // the thread that was: which part of the event is the longer one

    /**
     * The evidence of one source about an event: the part of it that a cause explains, in figures for a person.
     *
     * @param nanos of the event that it explains, at most all
     */
    record Share(Cause cause, long nanos, String text) {}

    private CauseSearch(Kept event, List<Kept> all, Evidence evidence) {
        this.event = event;
        this.all = all;
        this.evidence = evidence;
        held = 2 * event.sendDelayNanos() >= event.nanos() ? PRODUCER : ACCUMULATOR;
        slices = evidence.slices().stream()
                .filter(slice -> slice.overlaps(event.slotNanos(), event.endNanos()))
                .toList();
    }

    /** Returns all evidence about an event, the strongest first. @param all events, this one among them */
    static List<Share> to(Kept event, List<Kept> all, Evidence evidence) {
        CauseSearch shares = new CauseSearch(event, all, evidence);
        List<Share> found = new ArrayList<>();
        shares.addStops(found);
        shares.addWaiting(found);
        shares.addHost(found);
        shares.addDiscards(found);
        shares.addMigration(found);
        return found;
    }

    private void addStops(List<Share> shares) {
        List<Stop> stops = evidence.stops().stream()
                .filter(stop -> overlap(stop.startNanos(), stop.endNanos()) > 0)
                .toList();
        if (stops.isEmpty()) {
            return;
        }
        long nanos = stops.stream()
                .mapToLong(stop -> overlap(stop.startNanos(), stop.endNanos()))
                .sum();
        boolean isCollection = stops.stream().anyMatch(stop -> stop.collectionNanos() > 0);
        String text = stops.stream().map(CauseSearch::text).collect(Collectors.joining("; "));
        shares.add(new Share(isCollection ? Cause.GC : Cause.SAFEPOINT, Math.min(event.nanos(), nanos), text));
    }

    private static String text(Stop stop) {
        return "safepoint " + stop.operation() + ", " + millis(stop.reachingNanos()) + " to reach, "
                + millis(stop.nanos()) + " in all"
                + (stop.collectionNanos() > 0 ? ", " + millis(stop.collectionNanos()) + " of it a collection" : "");
    }

    private void addWaiting(List<Share> shares) {
        long sending = waited(PRODUCER, Kept::sendDelayNanos, Kept::sentNanos);
        long receiving = waited(ACCUMULATOR, Kept::serviceNanos, Kept::endNanos);
        long waited = sending + receiving;
        if (waited == 0) {
            return;
        }
        long compilers = sum(Slice::compilersNanos);
        long collectors = sum(Slice::collectorsNanos);
        long sibling = sum(slice -> siblingNanos(slice, sending > receiving ? ACCUMULATOR : PRODUCER));
        long rest = sum(Slice::restNanos);
        long ours = rest + sibling;
        long half = waited / 2;
        Cause cause = compilers >= half && compilers >= Math.max(ours, collectors)
                ? Cause.JIT
                : collectors >= half && collectors >= ours
                        ? Cause.GC
                        : ours >= half ? Cause.TRIAL : Cause.OTHER_PROCESSES;
        shares.add(new Share(
                cause,
                waited,
                who(sending, receiving) + " for a core; in " + sliceText() + " "
                        + ran(compilers, collectors, rest, sibling)
                        + (cause == Cause.JIT ? begun() : "")));
    }

    /** Describes the threads of this JVM that ran meanwhile. */
    private static String ran(long compilers, long collectors, long rest, long sibling) {
        List<String> parts = new ArrayList<>();
        addPart(parts, "this JVM's compilers ran ", compilers, "");
        addPart(parts, "its collector ran ", collectors, "");
        addPart(parts, "its other threads ran ", rest, "");
        addPart(parts, "the trial's other thread ran ", sibling, " on the same core");
        return parts.isEmpty()
                ? "no other thread of this JVM ran"
                : String.join(", ", parts).replaceFirst("^its", "this JVM's");
    }

    private static void addPart(List<String> parts, String who, long nanos, String where) {
        if (nanos > 0) {
            parts.add(who + millis(nanos) + where);
        }
    }

    /** Returns the time for which one of the two threads ran if both share a core; 0 otherwise. */
    private static long siblingNanos(Slice slice, int thread) {
        int core = slice.watched().get(PRODUCER).core();
        boolean isShared = core >= 0 && core == slice.watched().get(ACCUMULATOR).core();
        return isShared ? slice.watched().get(thread).ranNanos() : 0;
    }

    private static String who(long sending, long receiving) {
        boolean isBoth = Math.min(sending, receiving) > SMALL_PART * Math.max(sending, receiving);
        if (isBoth) {
            return "both waited, the producer " + millis(sending) + ", the accumulator " + millis(receiving);
        }
        return (sending > receiving ? "the producer waited " : "the accumulator waited ")
                + millis(Math.max(sending, receiving));
    }

    /**
     * Returns the part of a thread's delay in the event for which it waited; 0 when the wait may as well belong to other events. The kernel
     * counts a wait when it ends, so it is compared with the delays that end in these slices.
     */
    private long waited(int thread, ToLongFunction<Kept> partNanos, ToLongFunction<Kept> partEnd) {
        long waited = sum(slice -> slice.watched().get(thread).waitedNanos());
        if (waited == 0) {
            return 0;
        }
        long from = slices.get(0).startNanos();
        long to = slices.get(slices.size() - 1).endNanos();
        long late = all.stream()
                .filter(each -> partEnd.applyAsLong(each) - from > 0 && partEnd.applyAsLong(each) - to <= 0)
                .mapToLong(partNanos)
                .sum();
        return 2 * waited >= late ? Math.min(partNanos.applyAsLong(event), waited) : 0;
    }

    private long sum(ToLongFunction<Slice> figure) {
        return slices.stream().mapToLong(figure).sum();
    }

    private String begun() {
        List<Compilation> begun = evidence.compilations().stream()
                .filter(each -> !each.isDiscarded() && isWithin(each))
                .toList();
        return begun.isEmpty()
                ? ""
                : "; compilations begun within it: " + begun.size() + ", the first of "
                        + begun.get(0).method();
    }

    private boolean isWithin(Compilation compilation) {
        return overlap(compilation.atNanos() - STAMP_SLACK_NANOS, compilation.atNanos()) > 0;
    }

    private void addHost(List<Share> shares) {
        int core = slices.isEmpty() ? -1 : slices.get(0).watched().get(held).core(); // -1: nobody knows where it was
        if (isProcessStopped()) {
            long stopped = overslept(Oversleep::wasStopped);
            String text =
                    "the process was stopped for " + millis(stopped) + " of it: its probes neither ran nor waited";
            shares.add(new Share(Cause.STOPPED, stopped, text));
            return;
        }
        long overslept = overslept(each -> (core < 0 || each.core() == core) && isRare(each));
        long stolen = slices.stream()
                .flatMap(slice -> slice.stolenNanos().stream())
                .filter(each -> core < 0 || each.core() == core)
                .mapToLong(Stolen::nanos)
                .sum();
        String steal = "steal of " + coreText(core) + " rose by " + millis(stolen) + " in " + sliceText();
        if (overslept > 0) {
            shares.add(new Share(
                    Cause.HOST,
                    overslept,
                    "the probe of " + coreText(core) + " did not run either for " + millis(overslept) + " of it"
                            + (stolen > 0 ? "; " + steal : "")));
        } else if (stolen > 0 && stolen >= event.nanos()) {
            shares.add(new Share(Cause.HOST, event.nanos(), steal));
        }
    }

    /** Returns whether the probes of all cores were stopped during the event. */
    private boolean isProcessStopped() {
        long stopped = evidence.oversleeps().stream()
                .filter(each -> each.wasStopped() && overlap(each.endNanos() - each.nanos(), each.endNanos()) > 0)
                .map(Oversleep::core)
                .distinct()
                .count();
        return stopped > 0 && stopped >= evidence.cores().size();
    }

    /** The most of the event that an oversleep of some probes covers. */
    private long overslept(Predicate<Oversleep> which) {
        return evidence.oversleeps().stream()
                .filter(which)
                .mapToLong(each -> overlap(each.endNanos() - each.nanos(), each.endNanos()))
                .max()
                .orElse(0);
    }

    /** A probe waits for its turn on a core that is spun on; what counts is what it hardly ever does. */
    private boolean isRare(Oversleep oversleep) {
        return evidence.cores().stream()
                .anyMatch(core -> core.core() == oversleep.core() && oversleep.nanos() >= core.p99Nanos());
    }

    private void addDiscards(List<Share> shares) {
        evidence.compilations().stream()
                .filter(each -> each.isDiscarded()
                        && each.level() == OPTIMISED
                        && OWN_CODE.stream().anyMatch(each.method()::startsWith)
                        && isWithin(each))
                .findFirst()
                .ifPresent(each -> shares.add(new Share(
                        Cause.JIT,
                        event.nanos(),
                        "optimised code of " + each.method() + " discarded within it" + begun())));
    }

    private void addMigration(List<Share> shares) {
        List<Watched> moves = slices.stream()
                .map(slice -> slice.watched().get(held))
                .filter(Watched::hasMoved)
                .toList();
        if (!moves.isEmpty()) {
            shares.add(new Share(
                    Cause.MIGRATION,
                    event.nanos(),
                    (held == PRODUCER ? "the producer" : "the accumulator") + " came to core "
                            + moves.get(moves.size() - 1).core() + " in " + sliceText()
                            + ", without other evidence"));
        }
    }

    private static String coreText(int core) {
        return core < 0 ? "a core" : "core " + core;
    }

    private String sliceText() {
        long nanos = slices.stream()
                .mapToLong(slice -> slice.endNanos() - slice.startNanos())
                .sum();
        return "the " + (nanos + 500_000) / 1_000_000 + " ms around it";
    }

    /** Milliseconds to a microsecond, such as {@code 0.402 ms}. */
    static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.3f ms", nanos / 1e6);
    }

    /** Returns the part of the event between two moments. */
    private long overlap(long fromNanos, long toNanos) {
        return Math.max(
                0, Math.min(event.nanos(), toNanos - event.slotNanos()) - Math.max(0, fromNanos - event.slotNanos()));
    }
}
