package dev.baton.lab.study.comparison;

import dev.baton.lab.results.IntervalLog;
import dev.baton.lab.results.TrialResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * One trial: its result, and its responses second by second. Immutable, thread-safe as long as the histograms are not changed.
 *
 * @param seconds empty when the trial has no interval log
 */
public record Sample(TrialResult result, List<Histogram> seconds) {
    public Sample {
        seconds = List.copyOf(seconds);
    }

    /**
     * Reads a trial.
     *
     * @throws IOException when its interval log cannot be read
     */
    static Sample of(TrialResult result, Path folder) throws IOException {
        List<Histogram> seconds = new ArrayList<>();
        Path log = result.hlog() == null ? null : folder.resolve(result.hlog());
        if (log != null && Files.isRegularFile(log)) {
            IntervalLog.read(log, null, (start, length, responses) -> seconds.add(responses));
        }
        return new Sample(result, seconds);
    }
}
