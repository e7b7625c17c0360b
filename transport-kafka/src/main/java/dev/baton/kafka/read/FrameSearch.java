package dev.baton.kafka.read;

import dev.baton.kafka.client.Cluster;
import dev.baton.kafka.log.LogScanner;
import dev.baton.kafka.log.NewestFrame;
import dev.baton.kafka.log.WriterHistory;
import dev.baton.kafka.topics.CommittedPosition;
import dev.baton.kafka.topics.ReaderClaim;
import dev.baton.kafka.topics.TopicNames;
import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * The search for the offset of a {@link StartPosition}. Offsets rise at least as fast as sequences: so the wanted frame
 * lies at least n offsets behind one that is too old by n, and each look closes in on it without passing it. A time
 * begins at the broker's index of record timestamps, which are those of the send or later, and continues by the frames'
 * own stamps. Used once; blocks.
 */
final class FrameSearch {
    /** Record timestamps are cut to milliseconds, and clocks of a host may be set between stamp and send. */
    private static final long TIME_SLACK_MILLIS = 1_000;

    private final LogScanner scanner;
    private final Cluster cluster;
    private final String topic;
    private final TopicPartition partition;
    private final Uuid topicId;
    private final long first;
    private final long end;
    private final ReaderClaim claim;

    private Incarnation owner; // of the frame found
    private long offset; // of that one
    private long sequence; // of that one
    private long wallNanos; // when it was sent

    /**
     * Creates a search between two offsets.
     *
     * @param claim of the consumer's last reader
     */
    FrameSearch(
            Cluster cluster, LogScanner scanner, String topic, Uuid topicId, long first, long end, ReaderClaim claim) {
        this.scanner = scanner;
        this.cluster = cluster;
        this.topic = topic;
        partition = TopicNames.partitionOf(topic);
        this.topicId = topicId;
        this.first = first;
        this.end = end;
        this.claim = claim;
    }

    ReaderStart find(StartPosition from) {
        boolean hasOldest = look(first, Long.MIN_VALUE, Long.MIN_VALUE);
        if (!hasOldest || from.kind() == StartPosition.Kind.LATEST) {
            return atEnd(from);
        }
        long oldest = sequence;
        switch (from.kind()) {
            case SEQUENCE -> {
                NewestFrame newest = newest();
                long before = from.before(topic, oldest, newest.sequence());
                if (before == newest.sequence()) {
                    return atEnd(from);
                }
                goTo(from.sequence());
                if (sequence != from.sequence()) {
                    throw from.removed(topic, sequence); // it was lost
                }
            }
            case TIME -> {
                if (oldest > 1 && wallNanos > from.epochNanos()) {
                    throw from.removed(topic, oldest);
                }
                long millis = TimeUnit.NANOSECONDS.toMillis(from.epochNanos()) - TIME_SLACK_MILLIS;
                long start =
                        scanner.offset(partition, OffsetSpec.forTimestamp(Math.max(0, millis)), cluster.deadline());
                if (start < 0 || !look(Math.max(first, start), Long.MIN_VALUE, from.epochNanos())) {
                    return atEnd(from);
                }
            }
            default -> {
                // the oldest was found
            }
        }
        return at(offset, sequence - 1, owner);
    }

    /** Goes to the frame with a sequence, which is not older than the one found. */
    private void goTo(long wanted) {
        while (sequence < wanted) {
            if (!look(offset + wanted - sequence, Long.MIN_VALUE, Long.MIN_VALUE) || sequence > wanted) {
                // frames of a writer that was replaced have misled the search: read all
                look(first, wanted, Long.MIN_VALUE);
                return;
            }
        }
    }

    /** Finds the first frame that counts from an offset on, with at least a sequence and sent at a time or later. */
    private boolean look(long from, long leastSequence, long leastNanos) {
        Incarnation before = from == 0 ? null : scanner.ownerBefore(partition, from, end, cluster.deadline());
        WriterHistory writers = new WriterHistory(topic, before, from);
        boolean[] isFound = {false};
        scanner.scan(
                partition,
                from,
                end,
                record -> {
                    if (writers.next(record) == WriterHistory.Kind.FRAME) {
                        Frame frame = writers.frame();
                        owner = writers.owner();
                        offset = record.offset();
                        sequence = frame.sequence();
                        wallNanos = owner == null || owner.boot() == 0
                                ? TimeUnit.MILLISECONDS.toNanos(record.timestamp())
                                : frame.sentNanos() + owner.wallOffsetNanos();
                        isFound[0] = sequence >= leastSequence && wallNanos >= leastNanos;
                    }
                    return !isFound[0];
                },
                cluster.deadline());
        return isFound[0];
    }

    private NewestFrame newest() {
        return scanner.newest(topic, topicId, end, cluster.deadline());
    }

    private ReaderStart atEnd(StartPosition from) {
        NewestFrame newest = newest();
        if (from.kind() != StartPosition.Kind.TIME) {
            from.before(topic, newest.sequence() + 1, newest.sequence());
        }
        Incarnation marker = newest.markerMet();
        return at(
                end,
                newest.offset() == NewestFrame.NONE && first > 0 ? TopicReader.UNKNOWN : newest.sequence(),
                marker != null && marker.id() >= newest.writer()
                        ? marker
                        : scanner.incarnationOrUnknown(partition, newest.writer(), cluster.deadline()));
    }

    private ReaderStart at(long nextOffset, long before, Incarnation writer) {
        return new ReaderStart(
                new CommittedPosition(topicId, nextOffset, before, writer == null ? 0 : writer.id(), claim), writer);
    }
}
