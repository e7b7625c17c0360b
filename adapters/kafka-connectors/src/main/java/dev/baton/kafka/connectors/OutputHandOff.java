package dev.baton.kafka.connectors;

import dev.baton.ConfigurationException;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.ServiceContext;
import dev.baton.TickingService;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/** Hands a chain's outputs to the thread that writes them, and holds them until they are stored. Confined to its loop. */
final class OutputHandOff implements TickingService {
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

    private final KafkaSink sink;
    private ServiceContext context;
    private TopicAdmin admin; // null until started
    private TopicWatch watch; // as admin
    private WriteThread writing; // as admin
    private long writtenBefore; // up to here an earlier run has written
    private long queued; // newest input that was handed over, 0 for none
    private long told; // inputs up to here were released
    private int partitions;
    private boolean needsKeys; // the target is compacted

    OutputHandOff(KafkaSink sink) {
        this.sink = sink;
    }

    @Override
    public boolean holdsInputs() {
        return true;
    }

    /** A record is queued last. */
    @Override
    public boolean isFailureAtomic() {
        return true;
    }

    @Override
    public int maxOutputs() {
        return 0;
    }

    @Override
    public void onStart(ServiceContext given) {
        context = given;
        KafkaTopic topic = sink.topic();
        String id = sink.idOf(given.input());
        admin = new TopicAdmin(topic);
        TopicAdmin.Description found = admin.describe();
        partitions = found.partitions();
        needsKeys = admin.isCompacted();
        watch = new TopicWatch(topic, admin, found.id());
        writing = WriteThread.open(sink, id, given.inputIdentity());
        writtenBefore =
                sink.isTransactional() ? WriteThread.progress(admin.committed(id, 0), given.inputIdentity()) : 0;
        writing.start(writtenBefore);
        told = writtenBefore;
    }

    @Override
    public void onMessage(Message in, Outlet out) {
        if (in.sequence() > writtenBefore) {
            writing.add(in.sequence(), record(in));
            queued = in.sequence();
        }
        hold(writing.arrived());
    }

    /** Holds what is handed over and not written. When all is written it holds nothing, so that inputs skipped then are released. */
    private void hold(long arrived) {
        context.holdFrom(queued <= arrived ? Long.MAX_VALUE : arrived + 1);
    }

    private ProducerRecord<byte[], byte[]> record(Message in) {
        if (in.type() != KafkaRecord.TYPE) {
            byte[] value = new byte[in.length()];
            in.getBytes(0, value, 0, value.length);
            byte[] key = checked(bytes(in.key()), in);
            return new ProducerRecord<>(sink.topic().name(), partition(key), key, value);
        }
        KafkaRecord record = KafkaRecord.CODEC.decode(in);
        List<Header> headers = record.headers().stream()
                .map(header -> (Header) new RecordHeader(header.name(), header.value()))
                .toList();
        Long timestamp = record.timestamp() < 0 ? null : record.timestamp();
        return new ProducerRecord<>(
                sink.topic().name(),
                partition(checked(record.key(), in)),
                timestamp,
                record.key(),
                record.value(),
                headers);
    }

    private byte[] checked(byte[] key, Message in) {
        if (key == null && needsKeys) {
            throw new ConfigurationException(
                    "message " + in.sequence() + " of topic " + in.topic() + " has no key, and "
                            + sink.topic()
                            + " is compacted and takes no records without one; give each message a key, or set the"
                            + " topic's cleanup.policy to delete");
        }
        return key;
    }

    /** Null lets Kafka's partitioner decide by the key. */
    private Integer partition(byte[] key) {
        return key == null ? Integer.valueOf(Math.max(0, context.partition()) % partitions) : null;
    }

    private static byte[] bytes(ByteBuffer key) {
        if (key == null) {
            return null;
        }
        byte[] copy = new byte[key.remaining()];
        key.get(copy);
        return copy;
    }

    @Override
    public int onTick(Outlet out) {
        writing.check();
        watch.check();
        return letGo();
    }

    private int letGo() {
        long arrived = writing.arrived();
        if (arrived == told) {
            return 0;
        }
        told = arrived;
        hold(arrived);
        return 1;
    }

    /** Waits for records on their way: after an orderly close none is sent again. */
    @Override
    public void onClosing(Outlet out) {
        writing.finish(CLOSE_LIMIT);
        letGo();
    }

    @Override
    public void onClosed() {
        if (writing != null) {
            writing.close();
        }
        if (admin != null) {
            admin.close();
        }
    }
}
