package dev.baton.lab.study.jitter;

import dev.baton.lab.request.Study;
import dev.baton.operations.settings.Range;
import java.util.Objects;

/**
 * Asks how much the JVM and the machine hold up two threads that do next to nothing: one puts the time into a ring, the
 * other takes it out. Immutable, thread-safe.
 *
 * @param safepoints which interval of guaranteed safepoints this trial runs with, as typed: default, on, off, or a time
 * @param jvmDefaultMillis the interval that this JVM has by default, 0 for off; null when it does not tell
 * @param worst events to be listed, {@value #LEAST_WORST} to {@value #MOST_WORST}
 * @param isPinned whether the two threads have a core each
 * @param isQuick whether the trial is exploratory, not an answer
 */
public record JitterStudy(String safepoints, Long jvmDefaultMillis, int worst, boolean isPinned, boolean isQuick)
        implements Study {
    public static final int LEAST_WORST = 1;

    /** As many as are kept; more cannot be listed. */
    public static final int MOST_WORST = 1_000;

    public JitterStudy {
        Objects.requireNonNull(safepoints, "safepoints");
        Range.check("worst events", worst, LEAST_WORST, MOST_WORST);
    }

    @Override
    public boolean isKnownById() {
        return true;
    }
}
