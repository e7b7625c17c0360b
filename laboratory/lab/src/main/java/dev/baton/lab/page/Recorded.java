package dev.baton.lab.page;

import dev.baton.lab.results.IntervalLog;
import dev.baton.lab.results.TrialResult;
import dev.baton.measuring.data.Histograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.HdrHistogram.Histogram;

/** The recorded latencies of a trial, in whole and interval by interval, read from its result or from its log. */
record Recorded(Path folder, TrialResult trial) {
    /**
     * Returns all responses in one histogram.
     *
     * @return null when neither the result nor a log has them
     * @throws IOException when what is there cannot be decoded
     */
    Histogram responses() throws IOException {
        String whole = trial.histograms() == null ? null : trial.histograms().response();
        if (whole != null) {
            try {
                return Histograms.decoded(whole);
            } catch (IllegalArgumentException malformed) {
                throw new IOException(
                        trial.plan().id() + ": its histogram cannot be decoded: " + malformed.getMessage(), malformed);
            }
        }
        Histogram[] sum = {null};
        forEach((start, length, responses) -> {
            if (sum[0] == null) {
                sum[0] = new Histogram(responses.getNumberOfSignificantValueDigits());
                sum[0].setAutoResize(true);
            }
            sum[0].add(responses);
        });
        return sum[0];
    }

    /** Passes on every interval of responses in the log; none without a log. @throws IOException when it cannot be read */
    void forEach(IntervalLog.Interval taker) throws IOException {
        Path log = log();
        if (log != null) {
            IntervalLog.read(log, null, taker);
        }
    }

    /** Returns the path of the log; null without one, and for a name that leads out of the folder. */
    private Path log() {
        if (trial.hlog() == null || trial.hlog().matches(".*[/\\\\\\x00].*")) {
            return null;
        }
        Path log = folder.resolve(trial.hlog());
        return Files.isRegularFile(log) ? log : null;
    }
}
