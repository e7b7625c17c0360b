package dev.baton.kafka.read;

import dev.baton.kafka.log.RecordDecoder;
import dev.baton.kafka.log.WriterHistory;
import dev.baton.kafka.topics.CommittedPosition;
import dev.baton.kafka.topics.ReaderClaim;
import dev.baton.kafka.topics.TopicIdMonitor;
import dev.baton.kafka.topics.TopicNames;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.Incarnation;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicReader.TopicStart;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TransportException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * The reader of a named consumer of a topic: hands out what the {@link RecordFetcher} has fetched. A position is an
 * offset.
 *
 * <p>Markers of writers, and frames of those that were replaced before, are not handed out ({@link FetchedRecords}).
 * Sequences of the others have to rise by one; a gap or a
 * step back means that frames were lost, and is reported instead of handed on.
 *
 * <p>Confined to its loop.
 */
public final class KafkaReader implements TopicReader, TopicIdMonitor.User {
    /** The connection of a reader, as the reader uses it. */
    public interface Owner {
        /** Throws when the connection is closed, and for any thread but that of its loop. */
        void check();

        boolean isClosed();

        /** Wakes the loop, so that it asks for the failure of a reader that has ended alone. Any thread. */
        void wake();

        /** Has the identities of the topics in doubt checked. Never blocks. Any thread. */
        void checkTopics();

        /**
         * Returns whether a writer began in a topic as it is now: its marker is in its place, was removed, or cannot be read
         * at present. Blocks.
         */
        boolean hasBegun(TopicPartition partition, long writer);

        /** {@return the consumer that fetches for the reader} */
        RecordFetcher fetcher();

        /** {@return the store of positions that the reader's is kept in} */
        Positions positions();

        /** Takes a reader off the consumer, for which another one may be opened then. */
        void ended(KafkaReader reader);
    }

    private final Owner connection;
    private final TopicPartition partition;
    private final String consumer;
    private final String group;
    private final CommittedPosition opened;
    private final TopicStart found;
    private final ReaderClaim claim;
    private final Frame frame = new Frame();
    private final WriterHistory writers;
    private final FetchedRecords records;
    private final SequenceCheck order;
    private final SequenceRuns runs = new SequenceRuns();
    private long handed; // offset of the newest frame handed over
    private boolean isAtDamage; // the last poll threw a DamagedTopicException at the record that comes next
    private long skippedAfter = Long.MIN_VALUE; // position after which records were stepped over last
    private long skippedTo; // offset behind them
    private long acknowledged; // newest position acknowledged
    private volatile long storedInTransaction =
            -1; // newest position committed with outputs; set by the thread that commits
    private boolean hasMoved; // acknowledged has risen since the last refresh
    private boolean isDirty; // acknowledged has moved since positions were stored
    private volatile boolean isClosed;
    private final PositionStores stores = new PositionStores();
    private boolean isAbandoned;
    private volatile TransportException
            failure; // why it has ended before it is closed; null: it has not. Any thread sets it
    private boolean isReported; // the failure has been thrown
    private volatile TransportException suspicion; // what has failed, unless the topic is another one; null: nothing
    private volatile TransportException checkedSuspicion; // when the present check began
    private final TopicDoubt topicDoubt = new TopicDoubt();
    private volatile boolean storesPositions = true; // not once it was replaced, or its topic is another one

    /**
     * Creates a reader.
     *
     * @param group consumer group that keeps its positions
     * @param readAhead as {@link dev.baton.kafka.KafkaOptions#READ_AHEAD}
     */
    public KafkaReader(
            Owner connection,
            TopicPartition partition,
            String consumer,
            String group,
            ReaderStart start,
            ReaderClaim claim,
            int readAhead) {
        this.connection = connection;
        this.partition = partition;
        this.consumer = consumer;
        this.group = group;
        this.opened = start.position();
        this.found = new TopicStart(opened.sequence(), UNKNOWN, opened.identityOf(partition));
        this.claim = claim;
        this.writers = new WriterHistory(
                TopicNames.of(partition),
                start.owner(),
                opened.nextOffset(),
                writer -> connection.hasBegun(partition, writer));
        this.records = new FetchedRecords(writers, opened.nextOffset(), readAhead);
        this.acknowledged = opened.nextOffset() - 1;
        this.handed = acknowledged;
        this.order = new SequenceCheck(partition, writers, opened.sequence());
    }

    @Override
    public int poll(FrameHandler handler, int limit) {
        checkUsable();
        if (limit < 1) {
            throw new IllegalArgumentException(
                    "topic '" + topic() + "': poll limit " + limit + " is not allowed; at least 1");
        }
        isAtDamage = false;
        if (suspicion != null) {
            return 0; // a check of the topic decides what has failed
        }
        try {
            return handOut(handler, limit);
        } catch (DamagedTopicException damage) {
            isAtDamage = true;
            throw damage;
        }
    }

    private int handOut(FrameHandler handler, int limit) {
        int consumed = 0;
        while (consumed < limit) {
            ConsumerRecord<byte[], ByteBuffer> record = records.peek();
            if (record == null) {
                break;
            }
            String defect = writers.defectOf(frame, record);
            if (defect != null) {
                throw RecordDecoder.foreign(record, defect);
            }
            TransportException disorder = order.check(frame, record, handler);
            if (disorder != null) {
                failAfterCheck(disorder);
                break;
            }
            handed = record.offset();
            if (handler.onFrame(frame, record.offset()) == Verdict.RETRY) {
                break;
            }
            consume(record, frame.sequence()); // not reached when the handler throws
            consumed++;
        }
        return consumed;
    }

    @Override
    public byte[] unreadableBytes() {
        ConsumerRecord<byte[], ByteBuffer> record = isAtDamage ? records.peek() : null;
        if (record == null || record.value() == null) {
            return null;
        }
        byte[] bytes = new byte[record.value().remaining()];
        record.value().get(record.value().position(), bytes);
        return bytes;
    }

    /** Consumes a frame that the handler could not read, and steps over a foreign record. */
    @Override
    public boolean skipUnreadable() {
        if (!isAtDamage) {
            checkOpen();
            return false;
        }
        checkUsable();
        isAtDamage = false;
        ConsumerRecord<byte[], ByteBuffer> record = records.peek();
        if (handed == record.offset()) {
            consume(record, RecordDecoder.aim(frame, record).sequence());
        } else {
            stepOver(record);
        }
        return true;
    }

    private void consume(ConsumerRecord<byte[], ByteBuffer> record, long frameSequence) {
        runs.consumed(record.offset(), frameSequence);
        order.consumed(record, frameSequence);
        records.remove();
    }

    /** Consumes the frame that the handler refused, as it is acknowledged. */
    private void consumeIfRefused(long position) {
        ConsumerRecord<byte[], ByteBuffer> next = records.peek();
        if (next != null && next.offset() == position) {
            consume(next, frame.sequence()); // the view is still aimed at it: it was handed over last
        }
    }

    /** Has the position behind the last frame lie behind the record, too. */
    private void stepOver(ConsumerRecord<byte[], ByteBuffer> record) {
        skippedAfter = handed;
        skippedTo = record.offset() + 1;
        records.remove();
        if (acknowledged == handed && storedInTransaction < 0) {
            markDirty(); // or the next transaction stores it
        }
    }

    @Override
    public void acknowledge(long position) {
        checkUsable();
        if (position > handed) {
            throw new IllegalArgumentException("topic '" + TopicNames.of(partition) + "': acknowledge of offset "
                    + position + ", the newest frame handed over is at " + handed);
        }
        if (position > acknowledged) {
            consumeIfRefused(position);
            acknowledged = position;
            hasMoved = true;
            runs.forgetBefore(position);
            writers.forgetBefore(position);
            if (position > storedInTransaction) {
                markDirty();
            }
        }
    }

    @Override
    public TopicStart found() {
        return found;
    }

    @Override
    public Incarnation writer() {
        return order.author();
    }

    /** Computes the backlog from the consumer's last answer without a request. Markers count until they are fetched. */
    @Override
    public long backlog() {
        checkOpen();
        if (failure != null || suspicion != null) {
            return UNKNOWN; // nothing is fetched any more
        }
        long end = connection.fetcher().endOf(partition);
        if (end == UNKNOWN) {
            return UNKNOWN;
        }
        return records.count()
                + Math.max(
                        0,
                        end
                                - Math.max(
                                        records.nextOffset(),
                                        connection.fetcher().positionOf(partition)));
    }

    @Override
    public void close() {
        if (isOver()) {
            return;
        }
        try {
            connection.positions().store(this);
        } finally {
            isClosed = true; // not before: a store in flight that fails is repeated
            records.clear();
            connection.ended(this);
        }
        throwUnreported();
    }

    @Override
    public boolean tryClose() {
        if (isOver()) {
            return true;
        }
        boolean goesOn = false;
        try {
            goesOn = !connection.positions().tryStore(this);
        } finally {
            isClosed = !goesOn;
            if (isClosed) {
                records.clear();
                connection.ended(this);
            }
        }
        if (isClosed) {
            throwUnreported();
        }
        return isClosed;
    }

    /** Closes without storing the position: another process may have stored a later one by now. */
    @Override
    public void abandon() {
        if (isOver()) {
            return;
        }
        isClosed = true;
        isAbandoned = true;
        records.clear();
        connection.positions().forget(this);
        connection.ended(this);
    }

    private boolean isOver() {
        isClosed |= connection.isClosed();
        if (!isClosed) {
            connection.check();
        }
        return isClosed;
    }

    /** Takes records from the fetcher, but for those that it had before. */
    void arrived(List<ConsumerRecord<byte[], ByteBuffer>> fetched) {
        boolean areNoFrames = records.add(fetched);
        if (areNoFrames) {
            passedNoFrames();
        }
    }

    /** Notes that all frames before this offset were passed to the reader. */
    void fetchedTo(long before) {
        if (before > records.nextOffset()) { // behind what transactions have aborted, and their markers
            records.fetchedTo(before);
            passedNoFrames();
        }
    }

    private void passedNoFrames() {
        if (records.count() == 0 && acknowledged == handed && storedInTransaction < 0) {
            markDirty(); // the position moves behind them: retention would seem to remove something unread
        }
    }

    boolean isFull() {
        return records.isFull();
    }

    boolean isDrained() {
        return records.isDrained();
    }

    long nextOffset() {
        return records.nextOffset();
    }

    public TopicPartition partition() {
        return partition;
    }

    public String consumer() {
        return consumer;
    }

    /** Returns the position to be stored now; a later acknowledgement marks it as changed again. */
    CommittedPosition takePosition() {
        isDirty = false;
        return position();
    }

    /** Returns the present position; a position that was committed with outputs counts before it is acknowledged. */
    CommittedPosition position() {
        return positionAt(Math.max(acknowledged, storedInTransaction));
    }

    /** Returns the state of the requests that store its position. */
    public PositionStores stores() {
        return stores;
    }

    /** Returns whether nothing was acknowledged since the last call, or since it was opened. */
    boolean isIdleSinceLastRefresh() {
        boolean isIdle = !hasMoved;
        hasMoved = false;
        return isIdle;
    }

    /**
     * Returns the position to be stored when everything up to a position is answered. It lies behind records that were
     * stepped over after that position; and behind the newest record, behind its transaction's marker, too: retention
     * would be taken for having removed a frame that was not read.
     */
    public CommittedPosition positionAt(long position) {
        long next = records.behind(position == skippedAfter ? skippedTo : position + 1);
        long last = position < opened.nextOffset() ? opened.sequence() : runs.sequenceAt(position);
        return new CommittedPosition(opened.topicId(), next, last, writers.ownerAt(next), claim);
    }

    /**
     * Notes a position that was committed together with the outputs that answer it. Called by the thread that commits.
     */
    public void storedInTransaction(long position) {
        storedInTransaction = position;
    }

    /** The group that keeps its positions. */
    public String group() {
        return group;
    }

    /** Marks the position as changed again, as it was not stored. */
    void storeAgain() {
        if (!isClosed && storesPositions) {
            isDirty = true;
            connection.positions().changedAgain(this);
        }
    }

    /**
     * Looks at what is stored for the consumer before this reader stores something there.
     *
     * @param stored null when nothing is
     * @return false: a newer reader has claimed it, or this one was abandoned, and it stores nothing any more; or the position is
     *     in another topic of the name, and a check decides which of the two topics is the former one
     */
    boolean isStillOwner(OffsetAndMetadata stored) {
        CommittedPosition found = CommittedPosition.fromKafka(stored, opened.topicId());
        if (storesPositions && found != null && claim.isReplacedBy(found.reader())) {
            storesPositions = false;
            failure = new ReplacedException(
                    TopicNames.of(partition),
                    consumer,
                    "topic '" + TopicNames.of(partition) + "': a newer reader of consumer '" + consumer + "', of "
                            + found.reader().by() + ", has replaced this one, of " + claim.by()
                            + ". The position that is stored, offset " + found.nextOffset()
                            + ", is kept; what was acknowledged here is not stored any more",
                    null);
        }
        boolean isConfirmed = topicDoubt.takeConfirmation();
        if (storesPositions && stored != null && found == null && !isConfirmed) {
            topicDoubt.begin();
            connection.checkTopics();
            storeAgain(); // after the check, unless that ends the reader
            return false;
        }
        return storesPositions && !isAbandoned;
    }

    /** Throws why it has ended, unless it was thrown before. */
    void throwUnreported() {
        if (failure != null && !isReported) {
            throwFailure();
        }
    }

    private void throwFailure() {
        TransportException known = failure;
        isReported = true;
        throw known instanceof ReplacedException replaced
                ? new ReplacedException(replaced.topic(), consumer, replaced.getMessage(), replaced)
                : new TransportException(known.getMessage(), known);
    }

    /**
     * Ends the reader, as its topic cannot be read or its position cannot be stored. What it acknowledged is still
     * stored.
     */
    void failed(TransportException why) {
        if (failure == null) {
            failure = why;
        }
    }

    @Override
    public TransportException failure() {
        isReported |= failure != null;
        return failure;
    }

    /**
     * Ends the reader with this failure after a check of its topic: if that was deleted or replaced, that is the reason
     * instead. Nothing is handed out meanwhile.
     */
    void failAfterCheck(TransportException why) {
        if (suspicion == null) {
            suspicion = why;
            connection.checkTopics();
        }
    }

    @Override
    public boolean hasEnded() {
        return isClosed || failure != null || connection.isClosed();
    }

    /** Returns whether it has ended before its close. */
    boolean hasFailed() {
        return failure != null;
    }

    @Override
    public String kafkaTopic() {
        return partition.topic();
    }

    @Override
    public String topic() {
        return TopicNames.of(partition);
    }

    @Override
    public Uuid topicId() {
        return opened.topicId();
    }

    @Override
    public boolean isInDoubt() {
        return suspicion != null || topicDoubt.isOpen();
    }

    @Override
    public void checkBegins() {
        checkedSuspicion = suspicion;
        topicDoubt.checkBegins();
    }

    @Override
    public void confirmed() {
        topicDoubt.confirmed();
        if (checkedSuspicion != null) {
            ended(checkedSuspicion);
        }
    }

    @Override
    public void ended(TransportException why) {
        if (failure == null) {
            storesPositions = false;
            failure = why;
            connection.wake();
        }
    }

    @Override
    public void unanswered(TransportException why) {
        if (suspicion != null) {
            ended(suspicion);
        }
    }

    @Override
    public String account() {
        return "Consumer '" + consumer + "' keeps no position in the new one. ";
    }

    private void markDirty() {
        if (!isDirty && storesPositions) {
            isDirty = true;
            connection.positions().changed(this);
        }
    }

    private void checkOpen() {
        connection.check();
        if (isClosed) {
            throw new IllegalStateException("topic '" + partition.topic() + "': the reader is closed");
        }
    }

    private void checkUsable() {
        checkOpen();
        if (failure != null) {
            throwFailure();
        }
    }
}
