package dev.baton.lab.study.jitter;

import dev.baton.lab.study.jitter.JitterFindings.Cause;
import java.util.Locale;

/**
 * What one source says about an event: how much of it a cause explains, in figures for a person. Immutable.
 *
 * @param nanos of the event that it explains, at most all
 */
record CauseShare(Cause cause, long nanos, String text) {
    /** Milliseconds to a microsecond, such as {@code 0.402 ms}. */
    static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.3f ms", nanos / 1e6);
    }
}
