package dev.baton.lab.results;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.DataFormatException;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogScanner;
import org.HdrHistogram.HistogramLogWriter;

/**
 * A trial's {@code .hlog}: one line per interval and kind, in the format of HdrHistogram's log processor. Responses have no tag, so that
 * the processor shows them by default; {@value #SERVICE} and {@value #SEND_DELAY} are tagged. Values are nanoseconds, the maximum column
 * milliseconds.
 *
 * <p>Written to a temporary file and renamed by {@link #publish}; closed without that, it is removed. Confined to one thread.
 */
public final class IntervalLog implements AutoCloseable {
    public static final String SERVICE = "service";
    public static final String SEND_DELAY = "sendDelay";

    /** The tags of all kinds; responses have none. */
    static final List<String> TAGS = Arrays.asList(null, SERVICE, SEND_DELAY);

    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;

    private final Path file;
    private final Path part;
    private final PrintStream out;
    private final HistogramLogWriter writer;

    private IntervalLog(Path file, Path part) throws IOException {
        this.file = file;
        this.part = part;
        out = new PrintStream(Files.newOutputStream(part), false, StandardCharsets.UTF_8);
        writer = new HistogramLogWriter(out);
    }

    /**
     * Creates a log.
     *
     * @param startMillis wall-clock time of the first measured slot; intervals count from it
     */
    public static IntervalLog create(Path file, String title, long startMillis) throws IOException {
        IntervalLog log = new IntervalLog(file.toAbsolutePath(), PrivateFile.createBeside(file));
        log.writer.outputComment("[" + title.replace('\n', ' ') + "; nanoseconds]");
        log.writer.outputLogFormatVersion();
        log.writer.outputStartTime(startMillis);
        log.writer.setBaseTime(startMillis);
        log.writer.outputLegend();
        return log;
    }

    /** Adds one interval of one kind. @param tag null for responses */
    public void add(String tag, long startNanos, long endNanos, EncodableHistogram histogram) {
        histogram.setTag(tag);
        writer.outputIntervalHistogram(
                startNanos / NANOS_PER_SECOND, endNanos / NANOS_PER_SECOND, histogram, NANOS_PER_MILLI);
    }

    /** Ends the log and gives it its name. */
    public void publish() throws IOException {
        out.close();
        if (out.checkError()) {
            throw new IOException("cannot write " + part);
        }
        PrivateFile.publish(part, file);
    }

    @FunctionalInterface
    public interface Interval {
        /**
         * Takes an interval.
         *
         * @param startSeconds from the first measured slot
         */
        void on(double startSeconds, double lengthSeconds, Histogram histogram);
    }

    /**
     * Reads a log.
     *
     * @param tag of the kind of intervals to decode; null for responses
     * @param taker of each that is not empty, in the order of the log
     * @throws IOException when it cannot be read, or has another content
     */
    public static void read(Path file, String tag, Interval taker) throws IOException {
        Scan scan = new Scan(tag, taker);
        try (InputStream in = Files.newInputStream(file);
                HistogramLogScanner scanner = new HistogramLogScanner(in)) {
            scanner.process(scan);
        } catch (RuntimeException malformed) {
            throw new IOException(file + " is not an interval log: " + malformed.getMessage(), malformed);
        }
        if (scan.failure != null) {
            throw new IOException(file + " is not an interval log: " + scan.failure.getMessage(), scan.failure);
        }
    }

    /** Adds all intervals of a kind to a histogram that has room for them. */
    public static void addTo(Histogram sum, Path file, String tag) throws IOException {
        read(file, tag, (start, length, histogram) -> sum.add(histogram));
    }

    /** Decodes only one kind of intervals. */
    private static final class Scan implements HistogramLogScanner.EventHandler {
        private final String wanted;
        private final Interval taker;
        private Throwable failure;

        Scan(String wanted, Interval taker) {
            this.wanted = wanted;
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
            if (Objects.equals(tag, wanted)) {
                try {
                    EncodableHistogram each = supplier.read();
                    if (each instanceof Histogram histogram && histogram.getTotalCount() > 0) {
                        taker.on(timestamp, length, histogram);
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

    @Override
    public void close() throws IOException {
        out.close();
        Files.deleteIfExists(part);
    }
}
