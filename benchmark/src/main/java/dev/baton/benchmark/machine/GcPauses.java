package dev.baton.benchmark.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Collections and the pauses they forced on the program, from a flight recording that holds nothing else, read after the
 * measurement; the management beans know them to a millisecond only. Confined to one thread.
 */
final class GcPauses implements AutoCloseable {
    private static final String PAUSE = "jdk.GCPhasePause";
    private static final String COLLECTION = "jdk.GarbageCollection";

    /** One pause, on the clock of {@link System#nanoTime}. */
    record Pause(long startNanos, long nanos) {}

    /**
     * What a recording held.
     *
     * @param collections how many ended in the window
     * @param pauses in the window, in order
     */
    record Found(long collections, List<Pause> pauses) {
        long totalNanos() {
            return pauses.stream().mapToLong(Pause::nanos).sum();
        }

        long worstNanos() {
            return pauses.stream().mapToLong(Pause::nanos).max().orElse(0);
        }

        /** How much of a span they cover. */
        long overlapNanos(long startNanos, long endNanos) {
            return pauses.stream()
                    .mapToLong(pause -> Math.max(
                            0,
                            Math.min(endNanos - startNanos, pause.startNanos + pause.nanos - startNanos)
                                    - Math.max(0, pause.startNanos - startNanos)))
                    .sum();
        }
    }

    private final Recording recording;
    private final Instant anchor;
    private final long anchorNanos;

    private GcPauses(Recording recording) {
        this.recording = recording;
        anchor = Instant.now();
        anchorNanos = System.nanoTime();
    }

    /** Starts to record. @throws UnsupportedOperationException when this JVM has no flight recorder */
    static GcPauses start() {
        try {
            Recording recording = new Recording();
            recording.setName("baton-gc");
            recording.enable(PAUSE).withThreshold(Duration.ZERO);
            recording.enable(COLLECTION).withThreshold(Duration.ZERO);
            recording.start();
            return new GcPauses(recording);
        } catch (LinkageError | RuntimeException absent) {
            throw new UnsupportedOperationException("no flight recorder: " + absent, absent);
        }
    }

    /** Ends the recording and reads what it holds of a window. Takes a moment. */
    Found stop(long startNanos, long endNanos) throws IOException {
        Path file = Files.createTempFile("baton-gc", ".jfr");
        try {
            recording.stop();
            recording.dump(file);
            long collections = 0;
            List<Pause> pauses = new ArrayList<>();
            for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
                long start = nanosOf(event.getStartTime());
                long end = nanosOf(event.getEndTime());
                if (end - startNanos < 0 || start - endNanos >= 0) {
                    continue;
                }
                if (event.getEventType().getName().equals(PAUSE)) {
                    pauses.add(new Pause(start, event.getDuration().toNanos()));
                } else if (event.getEventType().getName().equals(COLLECTION)) {
                    collections++;
                }
            }
            pauses.sort((one, other) -> Long.signum(one.startNanos - other.startNanos));
            return new Found(collections, List.copyOf(pauses));
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private long nanosOf(Instant time) {
        return anchorNanos + Duration.between(anchor, time).toNanos();
    }

    @Override
    public void close() {
        recording.close();
    }
}
