package dev.baton.lab.study.transit;

import dev.baton.lab.reporting.Figure;
import dev.baton.lab.reporting.ResultTable;
import dev.baton.lab.results.TrialResult;
import dev.baton.measuring.data.Latency;
import dev.baton.measuring.data.Percentile;
import dev.baton.operations.terminal.Units;
import java.util.Locale;

/** Figures of a transit: nanoseconds, and multiples of the floor. Stateless, thread-safe. */
public final class TransitFigures {
    private TransitFigures() {}

    /** A percentile of the responses as a multiple of the floor's. */
    public static Figure timesFloor(double percentile) {
        return new Figure(
                ResultTable.name(percentile) + "/floor",
                trial -> multiple(trial, percentile),
                TransitFigures::times,
                true,
                trial -> false);
    }

    /** Bytes allocated for each message. */
    public static Figure allocated() {
        return new Figure(
                "allocated/msg",
                trial -> trial.machine() == null ? null : trial.machine().allocatedBytesPerMessage(),
                Units::bytes,
                true,
                trial -> false);
    }

    /** Null when the floor was not measured, or nothing else. */
    static Double multiple(TrialResult trial, double percentile) {
        Latency floor = floor(trial);
        Long own = nanos(trial.response(), percentile);
        Long bare = floor == null ? null : nanos(floor, percentile);
        return own == null || bare == null || bare == 0 ? null : (double) own / bare;
    }

    /** Null when it was not measured. */
    static Latency floor(TrialResult trial) {
        return trial.findings() instanceof TransitFindings findings ? findings.floor() : null;
    }

    static Long nanos(Latency latency, double percentile) {
        return latency.find(percentile).map(Percentile::nanos).orElse(null);
    }

    /** A multiple as people read it: {@code 1.04 x}. */
    static String times(double multiple) {
        return String.format(Locale.ROOT, multiple < 100 ? "%.2f x" : "%.0f x", multiple);
    }
}
