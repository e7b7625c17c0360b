package dev.baton.lab.study.jitter;

import dev.baton.lab.request.Study;
import dev.baton.operations.settings.Range;
import java.util.Objects;

/**
 * The question of the delays that the JVM and the machine cause in two almost idle threads: one writes the time to a ring, the other reads
 * it. Immutable, thread-safe.
 *
 * @param safepoints interval of guaranteed safepoints in this trial, as given on the command line: default, on, off, or a time
 * @param jvmDefaultMillis the interval that this JVM has by default, 0 for off; null when it does not report it
 * @param worst events to be listed, {@value #LEAST_WORST} to {@value #MOST_WORST}
 * @param isPinned whether each of the two threads has its own core
 * @param isQuick whether the trial is exploratory, not an answer
 */
public record JitterStudy(String safepoints, Long jvmDefaultMillis, int worst, boolean isPinned, boolean isQuick)
        implements Study {
    public static final int LEAST_WORST = 1;

    /** The greatest number of listed events, as no more are kept. */
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
