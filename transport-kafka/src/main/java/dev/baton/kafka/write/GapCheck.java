package dev.baton.kafka.write;

import dev.baton.kafka.client.Deadline;
import dev.baton.kafka.log.LogScanner;
import dev.baton.kafka.log.WriterHistory;
import dev.baton.kafka.log.WriterMarker;
import dev.baton.spi.Incarnation;
import dev.baton.spi.errors.AccessRefusedException;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TransportException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The check of the records that are unclear to a writer: its own frames among them are stored and count, foreign
 * records are ignored, and those of a newer writer end it. Used by the thread of {@link FencingMonitor}, which it
 * blocks within a limit.
 */
final class GapCheck implements Runnable {
    private static final Duration READ_LIMIT = Duration.ofSeconds(2);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(1);

    private final LogScanner scanner;
    private final KafkaWriter writer;
    private final FencingMonitor fencing;
    private final StoredFrames frames;
    private final long id;
    private final Deadline patience;
    private long own; // sequence of the last own frame that counts, 0: none was read
    private Incarnation newer; // null: none was found
    private final Set<Long> former = new HashSet<>(); // ids of writers that began in a former topic of the name
    private Deadline answers; // awaited until the end is known

    /**
     * Creates the check of a writer.
     *
     * @param patience how long to read again what could not be read
     */
    GapCheck(LogScanner scanner, KafkaWriter writer, FencingMonitor fencing, Duration patience) {
        this.scanner = scanner;
        this.writer = writer;
        this.fencing = fencing;
        this.frames = writer.stored();
        this.id = writer.incarnation().id();
        this.patience = Deadline.in(patience);
    }

    @Override
    public void run() {
        try {
            while (newer == null && frames.isUnclear() && !isOver()) {
                read();
            }
        } catch (TransportException notNow) {
            if (isOver()) {
                return;
            }
            if (notNow instanceof AccessRefusedException || patience.isOver()) {
                writer.ended(new TransportException(
                        "topic '" + writer.topic() + "': it could not be read whether a newer writer has begun in it: "
                                + notNow.getMessage() + ". " + writer.account(),
                        notNow));
            } else {
                fencing.later(this);
            }
            return;
        }
        if (newer == null) {
            writer.wake(); // there may be room again
        } else if (frames.isInFlight() && !answers.isOver()) {
            fencing.after(1, this);
        } else {
            writer.ended(new ReplacedException(writer.topic(), text()));
        }
    }

    private boolean isOver() {
        return writer.hasFailed() || writer.isOver();
    }

    private void read() {
        Deadline deadline = Deadline.in(READ_LIMIT);
        long first = frames.unclearFrom();
        long from = Math.max(first, scanner.offset(writer.partition(), OffsetSpec.earliest(), deadline));
        long to = frames.unclearTo();
        WriterHistory writers =
                new WriterHistory(writer.topic(), writer.incarnation(), from, each -> !former.contains(each));
        scanner.scan(writer.partition(), from, to, record -> take(writers, record), deadline);
        Incarnation found = newer;
        newer = null; // also if the following fails
        if (found != null && !scanner.hasBegun(writer.partition(), found.id(), from, 0, deadline)) {
            former.add(found.id());
            return; // the next call reads all again
        }
        newer = found;
        if (newer == null && from > first) {
            writer.ended(new TransportException("topic '" + writer.topic() + "': the topic's retention removed offsets "
                    + first + " to " + (from - 1) + " before it was read whether a newer writer has begun there. "
                    + writer.account() + "Open the writer again"));
            return;
        }
        if (newer == null) {
            frames.cleared(to, own);
            return;
        }
        writer.suspend();
        frames.end(own);
        answers = Deadline.in(ANSWER_LIMIT);
    }

    /** Takes a record; a frame of a newer writer whose marker was removed names it, too. */
    private boolean take(WriterHistory writers, ConsumerRecord<byte[], ByteBuffer> record) {
        WriterHistory.Kind kind = writers.next(record);
        if (kind == WriterHistory.Kind.FRAME && writers.writer() == id) {
            own = writers.frame().sequence();
        }
        if (writers.owner().id() > id) {
            newer = writers.owner();
        }
        return newer == null;
    }

    private String text() {
        long counting = frames.sequence();
        long acknowledged = frames.acknowledgedSequence();
        long dropped = acknowledged - counting;
        String unsent = writer.flushedSequence() > acknowledged
                ? "; frames " + (acknowledged + 1) + " to " + writer.flushedSequence()
                        + " were not confirmed, and are not read either"
                : "";
        return "topic '" + writer.topic() + "': a newer writer, " + newer.process() + ", has begun at offset "
                + WriterMarker.offsetOf(newer.id()) + " and replaced this one, "
                + writer.incarnation().process() + ". Its frames up to sequence " + counting + " count, and "
                + (dropped > 0
                        ? "every reader drops the " + dropped
                                + " that the brokers stored behind that marker, sequences " + (counting + 1) + " to "
                                + acknowledged
                        : "none is dropped")
                + unsent;
    }
}
