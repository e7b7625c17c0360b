package dev.baton.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The events of a schedule: a hash, and a text if it is requested. Single-threaded. */
final class Trace {
    private final boolean isText;
    private final List<String> lines = new ArrayList<>();
    private long hash = 1;

    Trace(boolean isText) {
        this.isText = isText;
    }

    /** {@return whether {@link #line} keeps anything; texts are built only then} */
    boolean isText() {
        return isText;
    }

    /** Mixes a fact into the hash. */
    void fact(long value) {
        hash = Choices.mix(hash ^ value) + 0x9E3779B97F4A7C15L;
    }

    void line(long step, long nanos, String who, String what) {
        lines.add(String.format(Locale.ROOT, "%6d %12.6f ms  %-18s %s", step, nanos / 1e6, who, what));
    }

    long hash() {
        return hash;
    }

    List<String> lines() {
        return lines;
    }
}
