package dev.baton.kafka.write;

import dev.baton.kafka.KafkaOptions;
import dev.baton.spi.Incarnation;
import dev.baton.spi.TopicEnd;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.support.ThreadConfinement;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A {@link KafkaWriter} with its {@link FrameProducer} and without a broker: the proof makes the calls of the producer's thread. Its thread
 * rules are those of these classes.
 */
public final class AcknowledgedWriter {
    private static final KafkaOptions OPTIONS = KafkaOptions.at("localhost:9092");

    /** Gives the metrics that a producer asks for; nothing is sent to it. */
    private static final Producer<byte[], byte[]> SILENT =
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());

    private static final TopicPartition PARTITION = new TopicPartition("t", 0);

    private static final VarHandle OWNER = owner();

    /** Metadata of consecutive frames, from the offset behind the writer's marker on. */
    private static final RecordMetadata[] METADATA = {at(1), at(2), at(3), at(4)};

    final FrameProducer producer;
    final KafkaWriter writer;
    private int acknowledged; // the producer's thread's

    AcknowledgedWriter(int window, Runnable wake) {
        producer = new FrameProducer(
                SILENT, OPTIONS, null, wake); // the loop's thread is compared only when something fails
        WriterStart start =
                new WriterStart("t", Uuid.ZERO_UUID, 0, TopicEnd.EMPTY, Incarnation.begin(Incarnation.id(0, 1), ""));
        writer = new KafkaWriter(start, producer, null, null, answered -> null, 8, window);
        writer.stored().checkBegins();
        writer.stored().confirmed(); // as soon as it is open: what is acknowledged counts at once
    }

    private static VarHandle owner() {
        try {
            return MethodHandles.privateLookupIn(ThreadConfinement.class, MethodHandles.lookup())
                    .findVarHandle(ThreadConfinement.class, "owner", Thread.class);
        } catch (ReflectiveOperationException missing) {
            throw new ExceptionInInitializerError(missing);
        }
    }

    private static RecordMetadata at(long offset) {
        return new RecordMetadata(PARTITION, offset, 0, 0, 0, 40);
    }

    /** Creates a writer without a waiting loop. */
    public AcknowledgedWriter() {
        this(0, () -> {});
    }

    /** Confines the writer to the calling thread, as if this had opened it: the states of a proof are made by another one. */
    void adopt() {
        OWNER.set(writer, Thread.currentThread());
    }

    /** The loop's side. */
    public TopicWriter writer() {
        return writer;
    }

    /** The producer's side: one more frame is stored. */
    public void acknowledge() {
        writer.onCompletion(METADATA[acknowledged++], null);
    }
}
