package dev.baton.lab.engines;

import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import java.util.List;

/** The engines that a plan may name, and what each of them allows. Stateless, thread-safe. */
public final class EngineChoice {
    private static final List<String> NAMES = List.of(Subject.BATON, Subject.REFERENCE, Subject.REFERENCE_ARTICLE);

    private EngineChoice() {}

    /**
     * The threads that an engine runs when these were asked for: Baton the same, the reference loops always one for each
     * service, with no latency budget.
     */
    public static LoopPlan threads(String engine, LoopPlan asked) {
        return isReference(engine) ? new LoopPlan(LoopPlan.PER_SERVICE, asked.idle(), 0) : asked;
    }

    /**
     * Finds out before anything is opened whether there is such an engine for this transport, and whether it can idle as
     * asked.
     *
     * @throws IllegalArgumentException that lists the known ones when not
     */
    public static void check(Subject subject, LoopPlan loops) {
        if (!NAMES.contains(subject.engine())) {
            throw new IllegalArgumentException(
                    "unknown engine '" + subject.engine() + "'; known: " + String.join(", ", NAMES));
        }
        if (isReference(subject.engine())) {
            ReferenceEngine.check(subject, loops);
        }
    }

    /** Whether it is the library without Baton. */
    public static boolean isReference(String engine) {
        return engine.equals(Subject.REFERENCE) || engine.equals(Subject.REFERENCE_ARTICLE);
    }
}
