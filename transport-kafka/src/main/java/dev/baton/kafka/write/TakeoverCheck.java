package dev.baton.kafka.write;

import dev.baton.kafka.client.Deadline;
import dev.baton.kafka.log.LogScanner;
import dev.baton.kafka.log.WriterMarker;
import dev.baton.kafka.topics.TopicNames;
import dev.baton.spi.Incarnation;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TransportException;
import java.time.Duration;
import org.apache.kafka.clients.admin.OffsetSpec;

/**
 * The check whether a writer with transactions failed because of a newer writer, where the broker did not name the
 * fence: a newer writer fences this one before it appends its marker, so that the marker follows soon. If none follows,
 * the failure is taken as it is. Used by the thread of {@link FencingMonitor}, which it blocks within a limit.
 */
public final class TakeoverCheck implements Runnable {
    /** The time within which a newer writer appends its marker after the fence, on a busy machine. */
    private static final Duration LIMIT = Duration.ofSeconds(1);

    private static final long PAUSE_MILLIS = 10;

    private final LogScanner scanner;
    private final KafkaWriter writer;
    private final Exception failure;
    private final FencingMonitor fencing;
    private final Deadline deadline = Deadline.in(LIMIT);
    private long from; // all before this offset has been read

    TakeoverCheck(LogScanner scanner, KafkaWriter writer, Exception failure, FencingMonitor fencing) {
        this.scanner = scanner;
        this.writer = writer;
        this.failure = failure;
        this.fencing = fencing;
        this.from = writer.stored().unclearFrom();
    }

    /**
     * Throws when a writer could not be opened because of a newer one. Blocks within the limit.
     *
     * @param from offset from which on each marker is that of a newer writer
     * @throws ReplacedException when there is one
     */
    public static void requireNone(LogScanner scanner, String topic, long from, TransportException failure) {
        Deadline deadline = Deadline.in(LIMIT);
        try {
            do {
                long end = scanner.offset(TopicNames.partitionOf(topic), OffsetSpec.latest(), deadline);
                Incarnation newer = scanner.ownerAt(topic, null, from, end, deadline);
                if (newer != null) {
                    throw new ReplacedException(
                            topic,
                            "topic '" + topic + "': the writer was not opened: " + fencedBy(newer, failure),
                            failure);
                }
                Deadline.pause();
            } while (!deadline.isOver());
        } catch (ReplacedException found) {
            throw found;
        } catch (TransportException unreadable) {
            failure.addSuppressed(unreadable);
        }
    }

    /** Returns the failure of a writer whose topic has a newer one at the end of its opening. */
    public static ReplacedException replaced(String topic, Incarnation newer) {
        return new ReplacedException(
                topic, "topic '" + topic + "': the writer was not opened: " + openedSince(newer), null);
    }

    private static String openedSince(Incarnation newer) {
        return "another writer of the topic, " + newer.process() + ", was opened since, at offset "
                + WriterMarker.offsetOf(newer.id());
    }

    private static String fencedBy(Incarnation newer, Exception failure) {
        return openedSince(newer) + ", and has fenced this one; the broker said: " + failure.getMessage();
    }

    void begin() {
        later(0);
    }

    @Override
    public void run() {
        if (writer.hasFailed() || writer.isOver()) {
            return;
        }
        Incarnation newer = null;
        try {
            newer = newer();
        } catch (TransportException unreadable) {
            failure.addSuppressed(unreadable);
        }
        if (newer != null) {
            writer.ended(new ReplacedException(writer.topic(), text(newer), failure));
        } else {
            later(PAUSE_MILLIS);
        }
    }

    private void later(long millis) {
        if (deadline.isOver() || !fencing.after(millis, this)) {
            writer.failed(failure);
        }
    }

    /** The newest writer that has begun behind this one; null for none. */
    private Incarnation newer() {
        Deadline reading = Deadline.in(LIMIT);
        long end = scanner.offset(writer.partition(), OffsetSpec.latest(), reading);
        Incarnation owner = scanner.ownerAt(writer.topic(), writer.incarnation(), from, end, reading);
        from = Math.max(from, end);
        return owner.id() > writer.incarnation().id() ? owner : null;
    }

    private String text(Incarnation newer) {
        return "topic '" + writer.topic() + "': a frame after "
                + writer.stored().sequence() + " was not stored, nor is any behind it: " + fencedBy(newer, failure);
    }
}
