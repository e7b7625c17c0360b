package dev.baton.kafka.connectors;

import dev.baton.Claim;
import dev.baton.ConfigurationException;
import dev.baton.Outlet;
import dev.baton.Source;
import dev.baton.Source.SourceContext;
import dev.baton.spi.Extension;
import dev.baton.spi.errors.TransportException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.header.Header;

/**
 * Feeds one partition of a plain topic into a chain. A separate thread fetches, as a Kafka consumer may block; the loop sends the fetched
 * records. Confined to the chain's loop.
 */
final class TopicFeed implements Source {
    private static final int MOST_IN_A_TURN = 256;
    private static final System.Logger LOG = System.getLogger("dev.baton.kafka.connectors");

    /** A sent message and the offset of its record: all records up to this offset are sent. */
    private record Sent(long sequence, long offset) {}

    private final KafkaSource source;
    private final Queue<Sent> unstored = new ArrayDeque<>();
    private SourceContext context;
    private FetchThread fetching; // null until started
    private Iterator<ConsumerRecord<byte[], byte[]>> records =
            List.<ConsumerRecord<byte[], byte[]>>of().iterator();
    private ConsumerRecord<byte[], byte[]> next; // fetched, not sent; null: none
    private KafkaRecord payload; // of next

    TopicFeed(KafkaSource source) {
        this.source = source;
    }

    /** Returns a commit that a chain with a position of its own can do without; null where it cannot be read. */
    private static OffsetAndMetadata committedIfKnown(TopicAdmin admin, String group, int partition) {
        try {
            return admin.committed(group, partition);
        } catch (TransportException notReadable) {
            return null;
        }
    }

    @Override
    public void onStart(SourceContext given) {
        context = given;
        KafkaTopic topic = source.topic();
        TopicAdmin admin = new TopicAdmin(topic);
        try {
            TopicAdmin.Description found = admin.describe();
            int partition = Math.max(0, given.partition());
            String group = source.groupOf(given.chain(), given.instance());
            long newest = given.resume(identity(found.id(), partition, group));
            checkPartitions(found.partitions(), newest != SourceContext.NO_POSITION);
            long start = newest == SourceContext.NO_POSITION
                    ? FetchThread.first(found.id(), admin.committed(group, partition))
                    : FetchThread.next(found.id(), newest, committedIfKnown(admin, group, partition));
            fetching = FetchThread.start(source, admin, found, partition, group, newest, start);
        } finally {
            if (fetching == null) {
                admin.close();
            }
        }
    }

    /** Accepts more partitions of a topic that the chain has read before, as a change of their number while it runs. */
    private void checkPartitions(int count, boolean isRead) {
        int here = Math.max(1, context.partitions());
        if (here < count && isRead) {
            LOG.log(
                    Level.WARNING,
                    source.topic() + " has " + count + " partitions now, and the chain reads " + here + " of them");
        } else if (here != count) {
            throw new IllegalArgumentException(source.topic() + " has " + count + " partitions, and chain "
                    + context.chain() + " has " + here
                    + "; each partition feeds the chain's of the same number: start the"
                    + " chain with partitions(" + count + ")");
        }
    }

    /** Returns the identity of a topic since its creation, for this group. */
    static long identity(Uuid id, int partition, String group) {
        long mixed = id.getMostSignificantBits() * 0x9e3779b97f4a7c15L + id.getLeastSignificantBits();
        mixed = (mixed ^ mixed >>> 29) * 0xbf58476d1ce4e5b9L + partition;
        mixed = (mixed ^ mixed >>> 31) * 0x94d049bb133111ebL + group.hashCode();
        mixed ^= mixed >>> 30;
        return mixed == 0 ? 1 : mixed;
    }

    @Override
    public int onTick(Outlet out) {
        int sent = 0;
        long sequence = 0;
        long offset = 0;
        while (sent < MOST_IN_A_TURN && hasNext() && out.remainingCapacity() > 0) {
            context.position(next.offset());
            long given = send(out);
            if (given == 0) {
                break;
            }
            sequence = given;
            offset = next.offset();
            next = null;
            sent++;
        }
        if (sent > 0) {
            unstored.add(new Sent(sequence, offset));
        }
        return sent;
    }

    private boolean hasNext() {
        if (next == null && !records.hasNext()) {
            List<ConsumerRecord<byte[], byte[]>> batch = fetching.poll();
            records = batch == null ? records : batch.iterator();
        }
        if (next == null && records.hasNext()) {
            next = records.next();
            payload = source.isValuesOnly() ? null : record(next);
        }
        return next != null;
    }

    /** Sends the next record; returns its sequence, 0 when there is no room. */
    private long send(Outlet out) {
        byte[] key = next.key();
        boolean isShort = key == null || key.length <= Extension.MAX_FIELD_BYTES;
        if (!isShort && source.isValuesOnly()) {
            throw new ConfigurationException(
                    place() + " has a key of " + key.length + " bytes, and a message's key may have "
                            + Extension.MAX_FIELD_BYTES + "; take the whole record instead of valuesOnly()");
        }
        ByteBuffer shortKey = key == null || !isShort ? null : ByteBuffer.wrap(key);
        int length = payload == null ? valueLength() : KafkaRecord.CODEC.maxLength(payload);
        Claim claim;
        try {
            claim = out.claim(length, shortKey);
        } catch (IllegalArgumentException tooLong) {
            throw new ConfigurationException(
                    place() + " does not fit into a message: " + tooLong.getMessage()
                            + "; raise the longest payload of the chain's transport",
                    tooLong);
        }
        if (claim == null) {
            return 0;
        }
        if (payload != null) {
            return claim.type(source.type()).commit(KafkaRecord.CODEC.encode(payload, claim));
        }
        if (length > 0) {
            claim.putBytes(0, next.value(), 0, length);
        }
        return claim.type(source.type()).commit(length);
    }

    private int valueLength() {
        return next.value() == null ? 0 : next.value().length;
    }

    private String place() {
        return "the record at offset " + next.offset() + " of partition " + next.partition() + " of " + source.topic();
    }

    private static KafkaRecord record(ConsumerRecord<byte[], byte[]> read) {
        List<KafkaRecord.Header> headers = new ArrayList<>();
        for (Header header : read.headers()) {
            headers.add(new KafkaRecord.Header(header.key(), header.value()));
        }
        return new KafkaRecord(read.partition(), read.offset(), read.timestamp(), read.key(), read.value(), headers);
    }

    @Override
    public void onStored(long sequence) {
        long offset = -1;
        while (!unstored.isEmpty() && unstored.peek().sequence() <= sequence) {
            offset = unstored.remove().offset();
        }
        if (offset >= 0) {
            fetching.stored(offset);
        }
    }

    @Override
    public void onClose() {
        if (fetching != null) {
            fetching.close();
        }
    }
}
