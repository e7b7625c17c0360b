package dev.baton.lab.results;

import dev.baton.lab.request.Study;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * A kind of question that the laboratory can answer: a study's entry in the registry. One line in {@code META-INF/services} registers it
 * with every part of the laboratory.
 *
 * <p>A part of the laboratory uses it through a role that the same class implements: {@code trial.Workload.OfStudy} to run trials, {@code
 * reporting.StudyView} to show them, {@code command.CommandSource} or {@code command.MeasuredStudy} for the command line. Implementations
 * have a public constructor without parameters and no state; every JVM of a trial creates one of each. Thread-safe.
 */
public interface StudyKind {
    /** All kinds on the class path, loaded when they are first asked for. */
    final class Registered {
        private static final List<StudyKind> ALL = ServiceLoader.load(StudyKind.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();

        private Registered() {}
    }

    /** Returns every kind on the class path, in the order in which they are named. Thread-safe. */
    static List<StudyKind> all() {
        return Registered.ALL;
    }

    /** Returns the kinds that have a role. */
    static <R extends StudyKind> List<R> all(Class<R> role) {
        return all().stream().filter(role::isInstance).map(role::cast).toList();
    }

    /** Returns the kind of a study if it has a role. */
    static <R extends StudyKind> Optional<R> in(Class<R> role, Study study) {
        return all(role).stream()
                .filter(kind -> kind.request() == study.getClass())
                .findFirst();
    }

    /** Names it in the files of plans and results; unique. */
    String name();

    /** The question in its plans; null for a kind whose trials have the questions of others. */
    default Class<? extends Study> request() {
        return null;
    }

    /** The part of a result beyond the common ones; null for none. */
    default Class<? extends Findings> findings() {
        return null;
    }

    /**
     * Judges what processes elsewhere said of themselves, {@link TrialResult#elsewhere}; the trial's own process has judged
     * the rest.
     */
    default TrialResult judged(TrialResult trial) {
        return trial;
    }
}
