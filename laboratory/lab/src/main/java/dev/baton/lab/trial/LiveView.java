package dev.baton.lab.trial;

import dev.baton.lab.protocol.Event;
import dev.baton.lab.protocol.Event.Phase;
import dev.baton.measuring.LatencyHistograms;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/** Says how a trial is getting on. Confined to the trial's thread. */
final class LiveView {
    private final Consumer<? super Event> events;
    private Phase phase = Phase.OPENING;
    private long sinceNanos;
    private Long untilNanos;

    LiveView(Consumer<? super Event> events) {
        this.events = events;
    }

    /** @param expectedEndNanos null when nobody knows */
    void enter(Phase next, long startNanos, Long expectedEndNanos) {
        phase = next;
        sinceNanos = startNanos;
        untilNanos = expectedEndNanos;
    }

    /** @param interval what was recorded since the last report; null for nothing */
    void report(long nowNanos, int opened, LatencyHistograms interval) {
        Histogram responses = interval == null
                ? null
                : interval.response().getTotalCount() > 0 ? interval.response() : interval.warmup();
        boolean isEmpty = responses == null || responses.getTotalCount() == 0;
        events.accept(new Event.Progress(
                phase,
                Math.max(0, nowNanos - sinceNanos),
                untilNanos == null ? null : Math.max(0, untilNanos - nowNanos),
                opened,
                isEmpty ? null : responses.getValueAtPercentile(50),
                isEmpty ? null : responses.getValueAtPercentile(99)));
    }
}
