package dev.baton.kafka.connection;

import dev.baton.kafka.Acks;
import dev.baton.kafka.KafkaOptions;
import dev.baton.kafka.client.Deadline;
import dev.baton.kafka.client.Permission;
import dev.baton.kafka.log.LogScanner;
import dev.baton.kafka.log.NewestFrame;
import dev.baton.kafka.log.WriterMarker;
import dev.baton.kafka.topics.TopicNames;
import dev.baton.kafka.write.FrameProducer;
import dev.baton.kafka.write.FrameProducers;
import dev.baton.kafka.write.KafkaWriter;
import dev.baton.kafka.write.RecordedEnds;
import dev.baton.kafka.write.TakeoverCheck;
import dev.baton.kafka.write.WriterStart;
import dev.baton.spi.Incarnation;
import dev.baton.spi.Opening;
import dev.baton.spi.TopicEnd;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.options.Durability;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;

/**
 * The opening of a topic's writer: waits for the one before it of this process, finds the newest frame, appends a
 * marker, and continues after the newest frame that counts before it. Other writers are replaced then.
 *
 * <p>All requests to brokers are part of the preparation. Another writer whose marker is stored between the two steps
 * is the newer one, and replaces this one. Used once.
 */
final class KafkaWriterOpening implements Opening<TopicWriter> {
    private static final Duration VISIBLE_LIMIT = Duration.ofSeconds(2);

    private final KafkaConnection connection;
    private final TransportContext context;
    private final KafkaOptions options;
    private final FrameProducers producers;
    private final String topic;
    private final String topology;
    private final Runnable meanwhile;
    private final TopicPartition partition;
    private Deadline deadline;
    private Uuid topicId; // this and what follows: of what is prepared
    private RecordedEnds.End confirmed;
    private FrameProducer producer;
    private CompletableFuture<Void> markerAnswered = CompletableFuture.completedFuture(null);
    private WriterStart start;

    /**
     * Creates the opening of a writer.
     *
     * @param meanwhile run repeatedly while the former writer is waited for: its frames may be sent only by turns of
     *     its connection
     */
    KafkaWriterOpening(
            KafkaConnection connection, TransportContext context, String topic, String topology, Runnable meanwhile) {
        this.connection = connection;
        this.context = context;
        this.options = context.options();
        this.producers = connection.producers();
        this.topic = topic;
        this.topology = topology;
        this.meanwhile = meanwhile;
        this.partition = TopicNames.partitionOf(topic);
    }

    @Override
    public void prepare() {
        deadline = context.cluster().deadline();
        KafkaFuture<Map<TopicPartition, OffsetAndMetadata>> recorded =
                context.recordedEnds().find(partition);
        topicId = context.topics().require(topic, AclOperation.WRITE, deadline);
        if (options.get(KafkaOptions.DURABILITY) == Durability.REPLICATED) {
            context.topics().requireReplicated(topic, deadline);
        }
        KafkaWriter previous = context.liveWriters().reserve(topic);
        try {
            awaitSettled(previous);
            confirmed = context.recordedEnds().confirmed(partition, topicId, recorded, deadline);
            begin();
        } catch (RuntimeException failure) {
            withdraw();
            throw failure;
        }
    }

    /** Reads the markers behind its own one, those of transactions that are not decided yet included. */
    @Override
    public void requireNewest() {
        Deadline reading = context.cluster().deadline();
        long end = context.scanner().endWithUndecided(partition, reading);
        Incarnation own = start.incarnation();
        Incarnation owner = context.scanner().ownerAt(topic, own, start.next(producer.isTransactional()), end, reading);
        if (owner.id() > own.id()) {
            throw TakeoverCheck.replaced(topic, owner);
        }
    }

    @Override
    public TopicWriter finish() {
        try {
            connection.check();
            if (producer.isStopped()) {
                throw new TransportException(
                        "topic '" + topic + "': the connection lost a frame while the writer was opened; open it again",
                        producer.failure());
            }
            KafkaWriter writer = new KafkaWriter(
                    start,
                    producer,
                    context.fencing(),
                    context.topicIdMonitor(),
                    connection::own,
                    context.maxPayload(),
                    options.get(KafkaOptions.WINDOW));
            producer.serve(writer); // first: from here on it learns of the producer's metadata
            connection.opened(writer);
            context.liveWriters().opened(writer);
            return writer;
        } catch (RuntimeException failure) {
            withdraw();
            throw failure;
        }
    }

    @Override
    public void withdraw() {
        context.liveWriters().releaseAfter(topic, markerAnswered);
        if (producer != null) {
            producers.release(producer);
        }
    }

    private void begin() {
        LogScanner scanner = context.scanner();
        if (!options.get(KafkaOptions.TRANSACTIONS)) {
            awaitReadable();
        }
        long end = scanner.offset(partition, OffsetSpec.latest(), deadline);
        NewestFrame newest = scanner.newest(topic, topicId, end, deadline);
        newest.requireNoLaterReleaseBehind();
        Incarnation.requireSameTopology(topic, newestKnown(newest), topology);

        producer = producers.forWriter(topic, deadline);
        if (producer.isTransactional()) {
            end = extendToEnd(newest, end);
        } else if (isOfTransactions(newest, end)) {
            fenceTransactions();
            awaitReadable();
            end = extendToEnd(newest, end);
        }
        end = requireConfirmed(newest, end);
        Incarnation draft = WriterMarker.draft(topology, connection.name());
        long marker = append(draft, end);
        Incarnation incarnation = WriterMarker.at(marker, draft);
        scanner.remember(partition, incarnation);
        scanner.extend(newest, topic, end, marker, deadline); // what came in between; rarely anything
        newest.requireNoLaterReleaseBehind();
        start = new WriterStart(topic, topicId, newest.sequence(), end(newest), incarnation);
    }

    /** Returns whether the newest writer stores in transactions: the marker of one lies behind its newest record. */
    private boolean isOfTransactions(NewestFrame newest, long end) {
        Incarnation marker = newest.markerMet();
        long last = Math.max(newest.offset(), marker == null ? NewestFrame.NONE : WriterMarker.offsetOf(marker.id()));
        return last != NewestFrame.NONE
                && last + 1 < end
                && context.scanner().endsTransaction(partition, last, deadline);
    }

    /**
     * Fences a writer with transactions before a marker of a writer without them replaces it: else it could store positions
     * together with outputs that lie behind the marker and are dropped, so that their inputs would be lost.
     */
    private void fenceTransactions() {
        String id = producers.transactionalId(topic);
        context.cluster()
                .answer(
                        "fence the earlier writer of topic '" + topic + "', which stores in transactions",
                        Permission.onTransactionalId(AclOperation.WRITE, id),
                        deadline,
                        context.cluster()
                                .begin(admin ->
                                        admin.fenceProducers(List.of(id)).all()));
    }

    /** Takes the records up to the present end of the topic, which is returned. */
    private long extendToEnd(NewestFrame newest, long from) {
        long end = context.scanner().offset(partition, OffsetSpec.latest(), deadline);
        context.scanner().extend(newest, topic, from, end, deadline);
        return end;
    }

    /**
     * Checks that the topic has all that was confirmed to its writers, and waits for a while for what readers do not
     * see yet. Returns the end up to which records were taken.
     */
    private long requireConfirmed(NewestFrame newest, long from) {
        long end = from;
        Deadline visible = Deadline.in(VISIBLE_LIMIT);
        while (confirmed.isBehind(newest.sequence(), end)) {
            if (visible.isOver() || deadline.isOver()) {
                DamagedTopicException loss =
                        context.recordedEnds().loss(topic, confirmed, newest.sequence(), end, deadline);
                if (options.get(KafkaOptions.ACKS) == Acks.ALL) {
                    throw loss;
                }
                System.getLogger("dev.baton")
                        .log(Level.WARNING, "acks=1 does not survive the loss of a leader; the topic continues", loss);
                context.recordedEnds()
                        .accept(partition, topicId, new RecordedEnds.End(newest.sequence(), end), deadline);
                return end;
            }
            Deadline.pause();
            end = extendToEnd(newest, end);
        }
        return end;
    }

    private TopicEnd end(NewestFrame newest) {
        if (newest.frame() == null) {
            return TopicEnd.EMPTY;
        }
        boolean isWhole =
                producer.isTransactional() && context.scanner().endsTransaction(partition, newest.offset(), deadline);
        Incarnation writer = context.scanner().incarnation(partition, newest.writer(), deadline);
        return new TopicEnd(newest.frame(), isWhole, writer, newest.input());
    }

    /**
     * Appends the marker and returns its offset.
     *
     * @param fenced end of the topic when every earlier writer was fenced: what begins behind it is newer than this one
     */
    private long append(Incarnation draft, long fenced) {
        try {
            markerAnswered = new CompletableFuture<>();
            return producer.append(WriterMarker.record(partition, draft), markerAnswered, deadline);
        } catch (TransportException failed) {
            if (producer.mayBeFenced(failed)) {
                TakeoverCheck.requireNone(context.scanner(), topic, fenced, failed);
            }
            throw failed;
        }
    }

    /** Returns the newest incarnation that is found without a long search; null for none. */
    private Incarnation newestKnown(NewestFrame newest) {
        if (newest.markerMet() != null || newest.offset() == NewestFrame.NONE) {
            return newest.markerMet();
        }
        return context.scanner().incarnation(partition, newest.writer(), deadline);
    }

    private void awaitSettled(KafkaWriter previous) {
        while (previous != null && !previous.isSettled() && !deadline.isOver()) {
            meanwhile.run();
            Deadline.pause();
        }
        if (previous != null && !previous.isSettled()) {
            throw new TransportException(
                    "topic '" + topic + "': frames up to " + previous.sequence() + " of the writer before"
                            + " it in this process were not confirmed within "
                            + deadline.limit().toMillis()
                            + " ms, the newest confirmed one is " + previous.storedSequence()
                            + "; open the writer again, or raise the timeout");
        }
    }

    /**
     * Waits for frames of an earlier writer that its leader has and readers do not see yet: a marker must not wait for
     * them. With transactions this is not needed: fencing the earlier writer waits for its transaction.
     */
    private void awaitReadable() {
        long lastLookNanos = deadline.limit().toNanos() / 10; // a look takes time itself
        while (!context.scanner().isAllReadable(partition, deadline)) {
            if (deadline.leftNanos() < lastLookNanos) {
                throw new TransportException(
                        "topic '" + topic + "': frames of an earlier writer are not readable yet, and"
                                + " were not within " + deadline.limit().toMillis()
                                + " ms: not all of its brokers that are in"
                                + " sync have them, or a transaction is not decided; open the writer again, or raise the timeout");
            }
            Deadline.pause();
        }
    }
}
