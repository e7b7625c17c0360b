package dev.baton.lab.page;

import dev.baton.lab.results.TrialResult;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogScanner;

/**
 * What a trial recorded, in whole and interval by interval, read from its result or from the log beside it.
 *
 * @param folder that holds its files
 */
record Recorded(Path folder, TrialResult trial) {
    /** Takes one interval of responses. */
    @FunctionalInterface
    interface Interval {
        /** @param startSeconds from the first measured slot */
        void on(double startSeconds, double lengthSeconds, Histogram responses);
    }

    /**
     * All responses together.
     *
     * @return null when neither the result nor a log has them
     * @throws IOException when what is there cannot be decoded
     */
    Histogram responses() throws IOException {
        String whole = trial.histograms() == null ? null : trial.histograms().response();
        if (whole != null) {
            try {
                return Histogram.decodeFromCompressedByteBuffer(
                        ByteBuffer.wrap(Base64.getDecoder().decode(whole)), 0);
            } catch (DataFormatException | RuntimeException malformed) {
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

    /**
     * Every interval of responses in the log; none without one.
     *
     * @throws IOException when it cannot be read
     */
    void forEach(Interval taker) throws IOException {
        Path log = log();
        if (log == null) {
            return;
        }
        Scan scan = new Scan(taker);
        try (InputStream in = Files.newInputStream(log);
                HistogramLogScanner scanner = new HistogramLogScanner(in)) {
            scanner.process(scan);
        } catch (RuntimeException malformed) {
            throw new IOException(log + " is no interval log: " + malformed.getMessage(), malformed);
        }
        if (scan.failure != null) {
            throw new IOException(log + " is no interval log: " + scan.failure.getMessage(), scan.failure);
        }
    }

    /** Null when there is none; a name that leads out of the folder is none. */
    private Path log() {
        if (trial.hlog() == null || trial.hlog().matches(".*[/\\\\\\x00].*")) {
            return null;
        }
        Path log = folder.resolve(trial.hlog());
        return Files.isRegularFile(log) ? log : null;
    }

    /** Decodes responses, which have no tag, and nothing else. */
    private static final class Scan implements HistogramLogScanner.EventHandler {
        private final Interval taker;
        private Throwable failure;

        Scan(Interval taker) {
            this.taker = taker;
        }

        @Override
        public boolean onComment(String comment) {
            return false;
        }

        @Override
        public boolean onBaseTime(double seconds) {
            return false;
        }

        @Override
        public boolean onStartTime(double seconds) {
            return false;
        }

        @Override
        public boolean onHistogram(
                String tag, double timestamp, double length, HistogramLogScanner.EncodableHistogramSupplier supplier) {
            if (tag == null) {
                try {
                    EncodableHistogram each = supplier.read();
                    if (each instanceof Histogram responses && responses.getTotalCount() > 0) {
                        taker.on(timestamp, length, responses);
                    }
                } catch (DataFormatException | RuntimeException malformed) {
                    failure = malformed;
                    return true;
                }
            }
            return false;
        }

        @Override
        public boolean onException(Throwable thrown) {
            failure = thrown;
            return true;
        }
    }
}
