package dev.baton.kafka.log;

import dev.baton.kafka.KafkaOptions;
import dev.baton.kafka.client.ClientSettings;
import dev.baton.kafka.client.Cluster;
import dev.baton.kafka.client.Deadline;
import dev.baton.kafka.client.KafkaFailures;
import dev.baton.kafka.client.Permission;
import dev.baton.kafka.topics.ConsumerGroups;
import dev.baton.kafka.topics.TopicNames;
import dev.baton.spi.Incarnation;
import dev.baton.spi.TopicReader;
import dev.baton.spi.errors.AccessRefusedException;
import dev.baton.spi.errors.TransportException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
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

/**
 * The scanner of topics: finds their ends, their newest frame, after which a writer continues, and the markers of
 * writers.
 *
 * <p>Records are read with a consumer of its own, created for the first topic that is not empty: a connection's
 * consumer would have to wait for the fetch that it has in progress. It serves all connections of the transport, one at
 * a time. Thread-safe.
 */
public final class LogScanner implements AutoCloseable {
    /** The place of a marker, with the random bits that distinguish it from one of another topic of the name. */
    private record Place(TopicPartition partition, long id) {}

    private static final long FIRST_REACH = 16;

    /** The factor by which each next scan begins farther back, until it is certain which frame is the newest. */
    private static final int WIDENING = 4;

    private static final Duration FETCH_LIMIT = Duration.ofMillis(100);

    private final Cluster cluster;
    private final ConsumerGroups groups;
    private final ClientSettings settings;
    private final String clientId;
    private final long replacedReach;
    private final long replacedBytes;
    private final Map<Place, Incarnation> markers = new ConcurrentHashMap<>();
    private final Map<IsolationLevel, KafkaConsumer<byte[], ByteBuffer>> consumers =
            new EnumMap<>(IsolationLevel.class); // guarded by this; each is created when it is needed

    /** Creates a scanner; the options limit how much a writer may have in flight, and store after it was replaced. */
    public LogScanner(
            Cluster cluster, ConsumerGroups groups, ClientSettings settings, KafkaOptions options, String clientId) {
        this.cluster = cluster;
        this.groups = groups;
        this.settings = settings;
        this.clientId = clientId;
        this.replacedReach = 2L * options.get(KafkaOptions.WINDOW);
        this.replacedBytes = options.get(KafkaOptions.BUFFER);
    }

    /**
     * Reads the newest frame that counts, within the deadline.
     *
     * <p>Where retention has removed every frame, the sequence is that of a consumer who had read to the end, or of the
     * recorded end. When neither is known, the end itself serves: each frame took an offset, so the sequence rises, and
     * where markers took offsets it skips those, which harms no reader that can still read. The cause is lost either
     * way.
     *
     * @param end of the topic
     */
    public NewestFrame newest(String topic, Uuid topicId, long end, Deadline deadline) {
        TopicPartition partition = TopicNames.partitionOf(topic);
        long first = end == 0 ? 0 : offset(partition, OffsetSpec.earliest(), deadline);
        boolean isAllRead = false;
        for (long reach = FIRST_REACH; ; reach *= WIDENING) {
            long from = isAllRead ? first : Math.max(first, end - reach);
            NewestFrame newest = new NewestFrame(topic, from);
            scan(partition, from, end, newest::take, deadline);
            if (from > first && newest.isCertain(replacedReach, replacedBytes)) {
                if (hasBegun(partition, newest.writer(), from, first, deadline)) {
                    return newest;
                }
                isAllRead = true; // frames of a former topic's writer, up to where the first writer of this one began
            }
            if (from == first) {
                if (newest.offset() == NewestFrame.NONE && first > 0) {
                    long last = groups.sequenceBefore(partition, first, topicId, deadline);
                    newest.noneLeft(last == TopicReader.UNKNOWN ? end : last);
                }
                return newest;
            }
        }
    }

    /**
     * Returns whether a writer began in this topic, as it is now: its marker lies behind an offset, is where it should
     * be, or was removed.
     *
     * @param first offset of the oldest record
     */
    public boolean hasBegun(TopicPartition partition, long id, long from, long first, Deadline deadline) {
        long offset = WriterMarker.offsetOf(id);
        if (offset >= from || offset < first) {
            return true;
        }
        markers.remove(new Place(partition, id)); // it may be known of a former topic
        return incarnation(partition, id, deadline) != null
                || offset < offset(partition, OffsetSpec.earliest(), deadline);
    }

    /** Adds the records from {@code from} to the end to a search that has taken everything before. */
    public void extend(NewestFrame newest, String topic, long from, long end, Deadline deadline) {
        scan(TopicNames.partitionOf(topic), from, end, newest::take, deadline);
    }

    /**
     * Reads the sequence of the oldest frame that counts between two offsets, within the deadline.
     *
     * @param owner of the first offset; null when it is not known
     * @return {@link TopicReader#UNKNOWN} when there is none
     */
    public long oldestSequence(TopicPartition partition, long from, long end, Incarnation owner, Deadline deadline) {
        long[] oldest = {TopicReader.UNKNOWN};
        read(
                TopicNames.of(partition),
                owner,
                from,
                end,
                (writers, kind) -> {
                    boolean isFrame = kind == WriterHistory.Kind.FRAME;
                    oldest[0] = isFrame ? writers.frame().sequence() : TopicReader.UNKNOWN;
                    return isFrame;
                },
                deadline);
        return oldest[0];
    }

    /**
     * The newest writer that began before an offset, found from the records behind it; null when these do not name it.
     * Frames of the writer before that one may come first: it had not noticed yet.
     */
    public Incarnation ownerBefore(TopicPartition partition, long from, long end, Deadline deadline) {
        long[] newest = {0};
        read(
                TopicNames.of(partition),
                null,
                from,
                Math.min(end, from + replacedReach),
                (writers, kind) -> {
                    if (kind == WriterHistory.Kind.FRAME && WriterMarker.offsetOf(writers.writer()) < from) {
                        newest[0] = Math.max(newest[0], writers.writer());
                    }
                    return kind == WriterHistory.Kind.MARKER;
                },
                deadline);
        return incarnationOrUnknown(partition, newest[0], deadline);
    }

    /**
     * The newest writer that had begun before {@code end}, found from the records from {@code from} on; where these do
     * not name it, it is {@code owner}, the newest before them, or null where that is not known.
     */
    public Incarnation ownerAt(String topic, Incarnation owner, long from, long end, Deadline deadline) {
        return read(topic, owner, from, end, (writers, kind) -> false, deadline).owner();
    }

    /** The incarnation with an id; null when retention has removed its marker, or nothing of the kind was there. */
    public Incarnation incarnation(TopicPartition partition, long id, Deadline deadline) {
        Incarnation known = markers.get(new Place(partition, id));
        long offset = WriterMarker.offsetOf(id);
        if (known != null || offset < offset(partition, OffsetSpec.earliest(), deadline)) {
            return known;
        }
        Incarnation found = ownerAt(TopicNames.of(partition), null, offset, offset + 1, deadline);
        if (found == null || found.id() != id) {
            return null;
        }
        remember(partition, found);
        return found;
    }

    /**
     * Classifies the records between two offsets, until {@code isEnough} returns true for one of them.
     *
     * @param owner of the first offset; null when it is not known
     */
    private WriterHistory read(
            String topic,
            Incarnation owner,
            long from,
            long end,
            BiPredicate<WriterHistory, WriterHistory.Kind> isEnough,
            Deadline deadline) {
        WriterHistory writers = new WriterHistory(topic, owner, from);
        scan(
                TopicNames.partitionOf(topic),
                from,
                end,
                record -> !isEnough.test(writers, writers.next(record)),
                deadline);
        return writers;
    }

    /** Returns the incarnation with an id, a placeholder when it is not known, and null for the id 0. */
    public Incarnation incarnationOrUnknown(TopicPartition partition, long id, Deadline deadline) {
        Incarnation found = id == 0 ? null : incarnation(partition, id, deadline);
        return found == null && id != 0 ? WriterMarker.unknown(id) : found;
    }

    /** Remembers a marker, so that it is not read again. */
    public void remember(TopicPartition partition, Incarnation incarnation) {
        markers.put(new Place(partition, incarnation.id()), incarnation);
    }

    /**
     * Returns whether a frame is the last of a transaction: right behind it then lies the transaction's marker. Behind
     * a frame that was stored without one may lie a record that was aborted, which only a reader of uncommitted ones
     * can distinguish from a marker.
     */
    public boolean endsTransaction(TopicPartition partition, long offset, Deadline deadline) {
        long behind = offset + 1;
        if (behind >= offset(partition, OffsetSpec.latest(), deadline)) {
            return false;
        }
        boolean[] isRecord = {false};
        scan(
                IsolationLevel.READ_UNCOMMITTED,
                partition,
                behind,
                behind + 1,
                record -> {
                    isRecord[0] = true;
                    return false;
                },
                deadline);
        return !isRecord[0];
    }

    /**
     * Returns whether readers may read all that the topic's leader has: nothing in it waits for another broker, or for
     * a transaction to be decided.
     *
     * <p>The leader returns no offset for the record with the newest timestamp while they may not read it; and in
     * a topic without any, no producer may have been at work. Not noticed are frames of the same millisecond as one
     * that may be read, of a writer whose clock was behind its forerunner's, and in a topic of which retention has left
     * nothing.
     */
    public boolean isAllReadable(TopicPartition partition, Deadline deadline) {
        long end = offset(partition, OffsetSpec.latest(), deadline);
        if (end == 0) {
            return !hasProducers(partition, deadline);
        }
        return offset(partition, OffsetSpec.maxTimestamp(), deadline) != NewestFrame.NONE
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
    public KafkaFuture<ListOffsetsResultInfo> find(TopicPartition partition, OffsetSpec which) {
        return cluster.begin(admin -> admin.listOffsets(
                        Map.of(partition, which), new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
                .partitionResult(partition));
    }

    @Override
    public synchronized void close() {
        boolean wasInterrupted = Thread.interrupted(); // the clients would throw, and nothing else would be closed
        try {
            consumers.values().forEach(each -> each.close(CloseOptions.timeout(FETCH_LIMIT)));
            consumers.clear();
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The end of the topic, transactions that are not decided yet included. */
    public long endWithUndecided(TopicPartition partition, Deadline deadline) {
        return cluster.ask(
                        "find the ends of topic '" + partition.topic() + "'",
                        deadline,
                        admin -> admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                                .partitionResult(partition))
                .offset();
    }

    /** Finds the offset of the oldest frame held, or the one that the next frame will get. */
    public long offset(TopicPartition partition, OffsetSpec which, Deadline deadline) {
        return cluster.answer(
                        "find the ends of topic '" + partition.topic() + "'",
                        Permission.onTopic(AclOperation.DESCRIBE, partition.topic()),
                        deadline,
                        find(partition, which))
                .offset();
    }

    /** Hands over the records between two offsets, in order, until the taker has enough. */
    public void scan(
            TopicPartition partition,
            long from,
            long end,
            Predicate<ConsumerRecord<byte[], ByteBuffer>> taker,
            Deadline deadline) {
        scan(IsolationLevel.READ_COMMITTED, partition, from, end, taker, deadline);
    }

    private synchronized void scan(
            IsolationLevel isolation,
            TopicPartition partition,
            long from,
            long end,
            Predicate<ConsumerRecord<byte[], ByteBuffer>> taker,
            Deadline deadline) {
        if (from >= end) {
            return;
        }
        boolean wasInterrupted = Thread.interrupted(); // the client would refuse to work
        try {
            KafkaConsumer<byte[], ByteBuffer> reading = consumer(isolation);
            reading.assign(List.of(partition));
            reading.seek(partition, from);
            while (!deadline.isOver()) {
                for (ConsumerRecord<byte[], ByteBuffer> record : reading.poll(FETCH_LIMIT)) {
                    if (record.offset() >= end || !taker.test(record)) {
                        return;
                    }
                }
                if (reading.position(partition, deadline.left()) >= end) {
                    return;
                }
            }
        } catch (KafkaException failure) {
            throw KafkaFailures.because(
                    "topic '" + partition.topic() + "', offset " + from + ": could not be read",
                    failure,
                    Permission.onTopic(AclOperation.READ, partition.topic()));
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
        throw new TransportException("topic '" + partition.topic() + "', offset " + from + ": the records up to " + end
                + " could not be read within " + deadline.limit().toMillis() + " ms");
    }

    private KafkaConsumer<byte[], ByteBuffer> consumer(IsolationLevel isolation) {
        return consumers.computeIfAbsent(
                isolation,
                level -> settings.newConsumer(
                        level == IsolationLevel.READ_COMMITTED
                                ? settings.tailConsumer(clientId)
                                : settings.uncommittedConsumer(clientId + "-markers")));
    }
}
