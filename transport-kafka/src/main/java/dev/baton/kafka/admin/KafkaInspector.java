package dev.baton.kafka.admin;

import dev.baton.kafka.client.Deadline;
import dev.baton.kafka.client.KafkaFailures;
import dev.baton.kafka.client.Permission;
import dev.baton.kafka.connection.TransportContext;
import dev.baton.kafka.log.RecordDecoder;
import dev.baton.kafka.log.WriterHistory;
import dev.baton.kafka.topics.TopicNames;
import dev.baton.kafka.write.RecordedEnds;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.support.Interrupts;
import dev.baton.spi.support.SequenceRanges;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;

/**
 * The inspector of a topic: reads its records from the oldest one on, with a consumer of its own that belongs to no
 * group and leaves no trace. It hands over the same frames as readers: it steps over markers of writers, and over
 * frames that a writer stored after it had been replaced, which it logs. It throws for any other record that is no frame, and the next read continues behind that. Confined to one
 * thread.
 */
public final class KafkaInspector implements TopicInspector {
    private static final Duration FETCH_LIMIT = Duration.ofMillis(100);
    private static final Duration UNDECIDED_LIMIT = Duration.ofSeconds(1);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    private final TransportContext context;
    private final String topic;
    private final TopicPartition partition;
    private final Uuid topicId;
    private final KafkaConsumer<byte[], ByteBuffer> consumer;
    private final Queue<ConsumerRecord<byte[], ByteBuffer>> fetched = new ArrayDeque<>();
    private WriterHistory writers;
    private final Frame frame = new Frame();
    private SequenceRanges<InputRef> inputs = SequenceRanges.none();
    private InputRef input = InputRef.UNKNOWN; // of the frame handed over last
    private Incarnation writer; // of the frame handed over last
    private long newest; // sequence of the frames handed over, 0 for none
    private final RecordedEnds.End confirmed;
    private boolean isClosed;

    public KafkaInspector(TransportContext context, String topic) {
        this.context = context;
        this.topic = topic;
        Deadline deadline = context.cluster().deadline();
        topicId = context.topics().require(topic, AclOperation.READ, deadline);
        confirmed = context.recordedEnds().confirmed(TopicNames.partitionOf(topic), topicId, deadline);
        partition = TopicNames.partitionOf(topic);
        long oldest = context.scanner().offset(partition, OffsetSpec.earliest(), deadline);
        long end = context.scanner().offset(partition, OffsetSpec.latest(), deadline);
        writers = new WriterHistory(
                topic, oldest == 0 ? null : context.scanner().ownerBefore(partition, oldest, end, deadline), oldest);
        consumer = context.settings().newConsumer(context.settings().tailConsumer(context.newClientId("-look-")));
        consumer.assign(List.of(partition));
        consumer.seek(partition, oldest);
    }

    @Override
    public int read(FrameHandler handler, int limit) {
        check();
        if (limit < 1) {
            throw new IllegalArgumentException(
                    "topic '" + topic + "': read limit " + limit + " is not allowed; at least 1");
        }
        int taken = 0;
        while (taken < limit && (!fetched.isEmpty() || fetch())) {
            ConsumerRecord<byte[], ByteBuffer> record = fetched.peek();
            String defect = writers.defectOf(frame, record);
            if (defect != null) {
                fetched.remove();
                throw RecordDecoder.foreign(record, defect);
            }
            noteInput();
            Incarnation found = writers.of(RecordDecoder.writerOf(frame, record));
            if (found != writer) {
                writer = found;
                handler.onWriter(found);
            }
            if (handler.onFrame(frame, record.offset()) == Verdict.RETRY) {
                return taken;
            }
            newest = Math.max(newest, frame.sequence());
            fetched.remove();
            taken++;
        }
        return taken;
    }

    /**
     * Waits for what the topic held when this was called, if there is any left. What is stored in a transaction is
     * readable a moment later: a transaction that stays undecided for longer is not waited for.
     */
    private boolean fetch() {
        Deadline deadline = context.cluster().deadline();
        long readable = context.scanner().offset(partition, OffsetSpec.latest(), deadline);
        long end = context.scanner().endWithUndecided(partition, deadline);
        Deadline patience = Deadline.in(UNDECIDED_LIMIT);
        try {
            while (consumer.position(partition, deadline.left()) < (patience.isOver() ? readable : end)) {
                for (ConsumerRecord<byte[], ByteBuffer> record : poll(deadline)) {
                    WriterHistory.Kind kind = writers.next(record);
                    if (kind == WriterHistory.Kind.FRAME || kind == WriterHistory.Kind.FOREIGN) {
                        fetched.add(record);
                    }
                }
                writers.logDropped();
                if (!fetched.isEmpty()) {
                    return true;
                }
                if (deadline.isOver()) {
                    throw context.cluster().unreachable("read topic '" + topic + "'", null);
                }
            }
            if (confirmed.isBehind(newest == 0 ? confirmed.sequence() : newest, end)) {
                throw context.recordedEnds().loss(topic, confirmed, newest, end, deadline);
            }
            return false;
        } catch (KafkaException failure) {
            throw KafkaFailures.because(
                    "topic '" + topic + "' could not be read",
                    failure,
                    Permission.onTopic(AclOperation.READ, partition.topic()));
        }
    }

    /** Returns the next records; none after retention has removed some, behind which the next poll continues. */
    private List<ConsumerRecord<byte[], ByteBuffer>> poll(Deadline deadline) {
        try {
            return consumer.poll(FETCH_LIMIT).records(partition);
        } catch (OffsetOutOfRangeException removed) {
            long oldest = context.scanner().offset(partition, OffsetSpec.earliest(), deadline);
            if (oldest <= removed.offsetOutOfRangePartitions().get(partition)) {
                throw removed; // the log ends before
            }
            long end = context.scanner().offset(partition, OffsetSpec.latest(), deadline);
            Incarnation before = context.scanner().ownerBefore(partition, oldest, end, deadline);
            writers = new WriterHistory(topic, before == null ? writers.owner() : before, oldest);
            newest = 0; // as for a topic that begins here
            consumer.seek(partition, oldest);
            return List.of();
        }
    }

    /** Records the input of the frame, which changes only with the writer of the input. */
    private void noteInput() {
        int at = frame.field(Extension.INPUT);
        long topicOfInput = at == Extension.NONE ? 0 : frame.getFieldLong(at);
        long incarnation = at == Extension.NONE ? 0 : frame.getFieldLong(at + Long.BYTES);
        if (input.topic() != topicOfInput || input.incarnation() != incarnation) {
            input = new InputRef(topicOfInput, incarnation);
            inputs = inputs.with(frame.sequence(), input);
        }
    }

    @Override
    public InputRef inputOf(long sequence) {
        check();
        InputRef known = inputs.at(sequence);
        return known == null ? InputRef.UNKNOWN : known;
    }

    @Override
    public long newestSequence() {
        check();
        Deadline deadline = context.cluster().deadline();
        long end = context.scanner().offset(partition, OffsetSpec.latest(), deadline);
        return context.scanner().newest(topic, topicId, end, deadline).sequence();
    }

    @Override
    public Map<String, Long> acknowledged() {
        check();
        Map<String, Long> sequences = new TreeMap<>();
        context.consumerGroups()
                .positions(partition, topicId, context.cluster().deadline())
                .forEach((consumer, stored) -> sequences.put(consumer, stored.sequence()));
        return sequences;
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            fetched.clear();
            Interrupts.without(
                    () -> { // the client would throw
                        consumer.close(CloseOptions.timeout(CLOSE_LIMIT));
                        return null;
                    });
        }
    }

    private void check() {
        if (isClosed) {
            throw new IllegalStateException("topic '" + topic + "': the inspector is closed");
        }
    }
}
