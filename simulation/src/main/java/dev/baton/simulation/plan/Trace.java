package dev.baton.simulation.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The events of a schedule: a hash, and a text if it is requested. Single-threaded. */
public final class Trace {
    private final boolean isText;
    private final List<String> lines = new ArrayList<>();
    private long hash = 1;

    public Trace(boolean isText) {
        this.isText = isText;
    }

    /** {@return whether {@link #line} keeps anything; texts are built only then} */
    public boolean isText() {
        return isText;
    }

    /** Mixes a fact into the hash. */
    public void fact(long value) {
        hash = Choices.mix(hash ^ value) + 0x9E3779B97F4A7C15L;
    }

    public void line(long step, long nanos, String who, String what) {
        lines.add(String.format(Locale.ROOT, "%6d %12.6f ms  %-18s %s", step, nanos / 1e6, who, what));
    }

    public long hash() {
        return hash;
    }

    public List<String> lines() {
        return lines;
    }
}
