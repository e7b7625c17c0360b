package dev.baton.lab.study.transit;

import dev.baton.lab.reporting.TrialNames;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The remarks that a reader needs before quoting a transit. Stateless, thread-safe. */
public final class TransitRemarks {
    /** Bare hand-overs of two trials that differ by more were not measured on the same machine, so to say. */
    private static final double MOST_BETWEEN_FLOORS = 1.25;

    private TransitRemarks() {}

    /** Compares each engine with the reference over the same transport, where both were measured. */
    public static List<String> onReference(List<TrialResult> trials) {
        return trials.stream()
                .filter(trial -> !trial.plan().subject().engine().equals(Subject.REFERENCE))
                .flatMap(trial -> trials.stream()
                        .filter(other -> isReferenceOf(
                                other.plan().subject(), trial.plan().subject()))
                        .map(other -> against(trial, other)))
                .toList();
    }

    private static boolean isReferenceOf(Subject other, Subject own) {
        return other.engine().equals(Subject.REFERENCE) && other.transport().equals(own.transport());
    }

    private static String against(TrialResult trial, TrialResult reference) {
        Long own = TransitTable.nanosAt(trial.response(), 50);
        Long other = TransitTable.nanosAt(reference.response(), 50);
        Subject subject = trial.plan().subject();
        return own == null || other == null || other == 0
                ? subject.transport() + ": nothing to compare with the reference"
                : String.format(
                                Locale.ROOT,
                                "%s: p50 of %s is %.2f times that of the reference",
                                subject.transport(),
                                subject.engine(),
                                (double) own / other)
                        + onChangedMachine(trial, reference);
    }

    /** Empty when the bare hand-over took much the same in both trials, or was not measured. */
    private static String onChangedMachine(TrialResult one, TrialResult other) {
        Long own = TransitTable.nanosAt(TransitTable.floor(one), 50);
        Long others = TransitTable.nanosAt(TransitTable.floor(other), 50);
        if (own == null || others == null || Math.max(own, others) <= MOST_BETWEEN_FLOORS * Math.min(own, others)) {
            return "";
        }
        return String.format(
                Locale.ROOT,
                ", but the machine was not the same: a bare hand-over took %d ns in the one trial and %d ns in the other;"
                        + " compare the multiples of the floor (%s and %s), and repeat with --trials",
                own,
                others,
                TransitTable.times(TransitTable.multiple(one, 50)),
                TransitTable.times(TransitTable.multiple(other, 50)));
    }

    /** Describes the floor; empty when it was not measured. */
    static List<String> onFloor(List<TrialResult> trials) {
        if (trials.stream().allMatch(trial -> TransitTable.floor(trial) == null)) {
            return List.of();
        }
        String idle = trials.get(0).plan().loops().idle();
        boolean isOwn = !idle.equals(LoopPlan.DEFAULT_IDLE) && !idle.equals("backoff");
        return List.of(
                "floor: two threads hand over one number at the same rate, in the same JVM after the messages; they "
                        + (isOwn
                                ? "idle in the same way (" + idle + ")"
                                : "spin, as idle " + idle + " is an engine's own way")
                        + ". It is recorded in the same way, so both sides of a multiple contain that.");
    }

    /** Names the trials with an unreliable floor, with the reasons. */
    static List<String> onDoubts(List<TrialResult> trials) {
        TrialNames names = TrialNames.among(trials);
        return trials.stream()
                .filter(trial -> !doubt(trial).isEmpty())
                .map(trial -> names.of(trial) + ": its floor is not reliable: " + doubt(trial))
                .toList();
    }

    /** Returns why the floor of a trial is not reliable; empty when it is, or was not measured. */
    private static String doubt(TrialResult trial) {
        List<String> doubts = new ArrayList<>();
        if (trial.findings() instanceof TransitFindings findings) {
            doubts.addAll(findings.doubts());
        }
        Double multiple = TransitTable.multiple(trial, 50);
        if (multiple != null && multiple < 1) {
            doubts.add(
                    "it took longer than the messages, so other processes had the CPUs; repeat it on a quiet machine");
        }
        return String.join("; ", doubts);
    }

    static String onClock(TrialResult trial) {
        return String.format(
                Locale.ROOT,
                "clock: one System.nanoTime takes %.0f ns here; a response time contains three readings: due, sent"
                        + " and received%s",
                trial.environment().nanoTimeCostNanos(),
                TransitTable.floor(trial) == null ? "" : "; the floor contains no reading of the clock");
    }

    /** Describes the CPUs of the threads, and whether those are isolated; empty when they were not bound. */
    static List<String> onPins(List<TrialResult> trials) {
        Set<String> remarks = new LinkedHashSet<>();
        for (TrialResult trial : trials) {
            if (trial.findings() instanceof TransitFindings findings
                    && findings.cpus().size() == 2) {
                remarks.add("pinned: the sender to CPU " + findings.cpus().get(0) + ", the receiver to CPU "
                        + findings.cpus().get(1) + "; "
                        + (findings.isolatedCpus().isEmpty()
                                ? "the kernel isolates no CPU (isolcpus), so other threads run there, too"
                                : "the kernel isolates CPUs " + findings.isolatedCpus()));
            }
        }
        return List.copyOf(remarks);
    }

    /** Describes the place of files; empty without files. */
    static List<String> onPlace(List<TrialResult> trials) {
        Map<String, String> places = new LinkedHashMap<>();
        for (TrialResult trial : trials) {
            TrialPlan plan = trial.plan();
            String fileSystem = trial.environment().fileSystem();
            if (trial.place().queueDirectory() != null) {
                places.putIfAbsent(
                        plan.subject().transport(),
                        trial.place().queueDirectory()
                                + (fileSystem == null ? "" : ", " + fileSystem)
                                + ("tmpfs".equals(fileSystem) ? ": memory, no disk" : ""));
            }
        }
        return places.entrySet().stream()
                .map(place -> "queues of " + place.getKey() + ": in " + place.getValue())
                .toList();
    }
}
