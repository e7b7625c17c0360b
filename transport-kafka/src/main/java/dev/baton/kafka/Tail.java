package dev.baton.kafka;

import dev.baton.spi.AccessRefusedException;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TransportException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteBufferDeserializer;

/**
 * Looks at the ends of topics: where they begin and end, and the newest frame, from which a writer goes on.
 *
 * <p>Frames are read with a consumer of its own, made when the first topic turns out not to be empty: a connection's
 * consumer would have to wait for the fetch that it has in progress. It serves all connections of the transport, one at
 * a time. Thread-safe.
 */
final class Tail implements AutoCloseable {
    /**
     * The newest frame of a topic.
     *
     * @param sequence 0 when there never was one
     * @param cause 0 when it is not there to be read
     * @param offset {@link #NONE} when it is not there to be read
     */
    record Newest(long sequence, long cause, long offset) {}

    static final long NONE = -1;

    /** How much farther back each next look goes, when the last offsets are a transaction's marker or were aborted. */
    private static final int WIDENING = 16;

    private static final Duration FETCH_LIMIT = Duration.ofMillis(100);

    private final Cluster cluster;
    private final ConsumerGroups groups;
    private final ClientSettings settings;
    private final String clientId;
    private KafkaConsumer<byte[], ByteBuffer> consumer; // guarded by this; null until a topic has a frame
    private KafkaConsumer<byte[], ByteBuffer> uncommitted; // guarded by this; null until needed

    Tail(Cluster cluster, ConsumerGroups groups, ClientSettings settings, String clientId) {
        this.cluster = cluster;
        this.groups = groups;
        this.settings = settings;
        this.clientId = clientId;
    }

    /**
     * Reads the newest frame, within the deadline.
     *
     * <p>Where retention has removed every frame, the sequence is that of a consumer who had read to the end. When none
     * had, the end itself serves: each frame took an offset, so the sequence goes on, and where transactions took offsets
     * for their markers it skips those, which nobody minds who can still read. The cause is lost either way.
     *
     * @throws TransportException when the newest record is not a frame
     */
    Newest newest(String topic, Uuid topicId, Deadline deadline) {
        TopicPartition partition = Topics.partitionOf(topic);
        long end = offset(partition, OffsetSpec.latest(), deadline);
        if (end == 0) {
            return new Newest(0, 0, NONE);
        }
        long first = offset(partition, OffsetSpec.earliest(), deadline);
        for (long reach = 1; ; reach *= WIDENING) {
            long from = Math.max(first, end - reach);
            ConsumerRecord<byte[], ByteBuffer> found =
                    from == end ? null : read(IsolationLevel.READ_COMMITTED, partition, from, end, false, deadline);
            if (found != null) {
                Frame frame = StoredFrame.aim(new Frame(), found);
                return new Newest(frame.sequence(), frame.cause(), found.offset());
            }
            if (from == first) {
                long before = first == 0 ? 0 : sequenceBefore(first, end, partition, topicId, deadline);
                return new Newest(before, 0, NONE);
            }
        }
    }

    /** The sequence of the last frame that there was, when none is left: from the first offset on are markers at most. */
    private long sequenceBefore(long first, long end, TopicPartition partition, Uuid topicId, Deadline deadline) {
        return groups.positions(partition, topicId, deadline).values().stream()
                .filter(position -> position.nextOffset() >= first && position.sequence() != TopicReader.UNKNOWN)
                .mapToLong(StoredPosition::sequence)
                .max()
                .orElse(end);
    }

    /**
     * Reads the sequence of the oldest frame between two offsets, within the deadline.
     *
     * @return {@link TopicReader#UNKNOWN} when there are only markers and what was aborted
     * @throws TransportException when the oldest record is not a frame
     */
    long oldestSequence(TopicPartition partition, long from, long end, Deadline deadline) {
        ConsumerRecord<byte[], ByteBuffer> oldest =
                from == end ? null : read(IsolationLevel.READ_COMMITTED, partition, from, end, true, deadline);
        return oldest == null
                ? TopicReader.UNKNOWN
                : StoredFrame.aim(new Frame(), oldest).sequence();
    }

    /**
     * Whether a frame is the last of a transaction: right behind it then lies the transaction's marker. Behind a frame
     * that was stored without one may lie a record that was aborted, which only who reads uncommitted ones can tell from a
     * marker.
     */
    boolean endsTransaction(TopicPartition partition, long offset, Deadline deadline) {
        long behind = offset + 1;
        return behind < offset(partition, OffsetSpec.latest(), deadline)
                && read(IsolationLevel.READ_UNCOMMITTED, partition, behind, behind + 1, true, deadline) == null;
    }

    /**
     * Whether readers may read all that the topic's leader has: nothing in it waits for another broker, or for a
     * transaction to be decided.
     *
     * <p>The leader tells readers no offset for the record with the newest timestamp while they may not read it; and in a
     * topic without any, no producer may have been at work. Not noticed are frames of the same millisecond as one that may
     * be read, of a writer whose clock was behind its forerunner's, and in a topic of which retention has left nothing.
     */
    boolean isAllReadable(TopicPartition partition, Deadline deadline) {
        long end = offset(partition, OffsetSpec.latest(), deadline);
        if (end == 0) {
            return !hasProducers(partition, deadline);
        }
        return offset(partition, OffsetSpec.maxTimestamp(), deadline) != NONE
                || offset(partition, OffsetSpec.earliest(), deadline) == end;
    }

    private boolean hasProducers(TopicPartition partition, Deadline deadline) {
        try {
            return !cluster.ask(
                            "find the producers of topic '" + partition.topic() + "'",
                            deadline,
                            admin -> admin.describeProducers(List.of(partition)).partitionResult(partition))
                    .activeProducers()
                    .isEmpty();
        } catch (AccessRefusedException notAllowed) {
            return false; // it may write, but not read
        }
    }

    /** Asks for the offset of the oldest frame held, or for the one that the next frame will get. */
    KafkaFuture<ListOffsetsResultInfo> find(TopicPartition partition, OffsetSpec which) {
        return cluster.begin(admin -> admin.listOffsets(
                        Map.of(partition, which), new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
                .partitionResult(partition));
    }

    @Override
    public synchronized void close() {
        if (consumer != null) {
            consumer.close(CloseOptions.timeout(FETCH_LIMIT));
            consumer = null;
        }
        if (uncommitted != null) {
            uncommitted.close(CloseOptions.timeout(FETCH_LIMIT));
            uncommitted = null;
        }
    }

    /** The end of the topic, transactions that are not decided yet included. */
    long endWithUndecided(TopicPartition partition, Deadline deadline) {
        return cluster.ask(
                        "find the ends of topic '" + partition.topic() + "'",
                        deadline,
                        admin -> admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                                .partitionResult(partition))
                .offset();
    }

    /** Finds the offset of the oldest frame held, or the one that the next frame will get. */
    long offset(TopicPartition partition, OffsetSpec which, Deadline deadline) {
        return cluster.answer(
                        "find the ends of topic '" + partition.topic() + "'",
                        Permission.onTopic(AclOperation.DESCRIBE, partition.topic()),
                        deadline,
                        find(partition, which))
                .offset();
    }

    /** The first or the last record between two offsets; null when there are only markers and what was aborted. */
    private synchronized ConsumerRecord<byte[], ByteBuffer> read(
            IsolationLevel isolation,
            TopicPartition partition,
            long from,
            long end,
            boolean isFirst,
            Deadline deadline) {
        boolean wasInterrupted = Thread.interrupted(); // the client would refuse to work
        try {
            KafkaConsumer<byte[], ByteBuffer> reading =
                    isolation == IsolationLevel.READ_COMMITTED ? consumer() : uncommitted();
            reading.assign(List.of(partition));
            reading.seek(partition, from);
            ConsumerRecord<byte[], ByteBuffer> found = null;
            while (!deadline.isOver()) {
                for (ConsumerRecord<byte[], ByteBuffer> record : reading.poll(FETCH_LIMIT)) {
                    boolean isWanted = record.offset() < end && (found == null || !isFirst);
                    found = isWanted ? record : found;
                }
                if (isFirst && found != null || reading.position(partition, deadline.left()) >= end) {
                    return found;
                }
            }
        } catch (KafkaException failure) {
            throw Refused.because(
                    "topic '" + partition.topic() + "', offset " + from + ": could not be read",
                    failure,
                    Permission.onTopic(AclOperation.READ, partition.topic()));
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
        throw new TransportException("topic '" + partition.topic() + "', offset " + from
                + ": the " + (isFirst ? "oldest" : "newest") + " record could not be read within "
                + deadline.limit().toMillis() + " ms");
    }

    private KafkaConsumer<byte[], ByteBuffer> consumer() {
        if (consumer == null) {
            consumer = new KafkaConsumer<>(
                    settings.tailConsumer(clientId), new ByteArrayDeserializer(), new ByteBufferDeserializer());
        }
        return consumer;
    }

    private KafkaConsumer<byte[], ByteBuffer> uncommitted() {
        if (uncommitted == null) {
            uncommitted = new KafkaConsumer<>(
                    settings.uncommittedConsumer(clientId + "-markers"),
                    new ByteArrayDeserializer(),
                    new ByteBufferDeserializer());
        }
        return uncommitted;
    }
}
