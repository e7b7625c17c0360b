package dev.baton.kafka.topics;

import dev.baton.spi.TopicReader;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * A consumer's position as its group keeps it: the offset as Kafka defines it, so that Kafka's own tools show the lag,
 * and in the metadata {@code topicId:sequence:owner:reader:by}, owner and reader in hexadecimal.
 *
 * <p>The identity distinguishes the position in a topic from that in an earlier topic of the same name. A position
 * without metadata, set by one of Kafka's tools, counts for any. Immutable, thread-safe.
 *
 * @param topicId the identity of the topic
 * @param nextOffset of the first frame not acknowledged
 * @param sequence of the last frame acknowledged, 0 when there was none, {@link TopicReader#UNKNOWN}
 * @param owner id of the newest incarnation of the topic's writer before {@code nextOffset}; 0 when it is not known
 * @param reader the one of the consumer's readers that stored it
 */
public record CommittedPosition(Uuid topicId, long nextOffset, long sequence, long owner, ReaderClaim reader) {
    private static final String SEPARATOR = ":";
    private static final int PARTS = 5;
    private static final int END_PARTS = 2;
    private static final long PARTITION_SPREAD =
            0x9E3779B97F4A7C15L; // 2^64 / golden ratio: an odd number without a pattern

    public OffsetAndMetadata forKafka() {
        return new OffsetAndMetadata(
                nextOffset,
                topicId
                        + SEPARATOR
                        + sequence
                        + SEPARATOR
                        + Long.toHexString(owner)
                        + SEPARATOR
                        + Long.toHexString(reader.id())
                        + SEPARATOR
                        + reader.by());
    }

    /**
     * The topic's id as Kafka gives it when it creates one, folded; with the partition, as the partitions of a topic
     * share the id.
     */
    public long identityOf(TopicPartition partition) {
        long folded = topicId.getMostSignificantBits()
                ^ topicId.getLeastSignificantBits()
                ^ partition.partition() * PARTITION_SPREAD;
        return folded == 0 ? 1 : folded;
    }

    /** Returns the position that was stored for this topic, null for none, or for an earlier topic of its name. */
    public static CommittedPosition fromKafka(OffsetAndMetadata stored, Uuid topicId) {
        if (stored == null) {
            return null;
        }
        String[] parts = stored.metadata().split(SEPARATOR, PARTS);
        if (stored.metadata().isEmpty()) {
            return new CommittedPosition(topicId, stored.offset(), TopicReader.UNKNOWN, 0, ReaderClaim.NONE);
        }
        if (parts.length != PARTS || !parts[0].equals(topicId.toString())) {
            return null;
        }
        return new CommittedPosition(
                topicId,
                stored.offset(),
                Long.parseLong(parts[1]),
                Long.parseUnsignedLong(parts[2], 16),
                new ReaderClaim(Long.parseUnsignedLong(parts[3], 16), parts[4]));
    }

    /** Returns the end that was recorded for this topic as {@code topicId:sequence}, null for none, or for an earlier one. */
    public static CommittedPosition endFromKafka(OffsetAndMetadata stored, Uuid topicId) {
        String[] parts = stored == null ? new String[0] : stored.metadata().split(SEPARATOR, -1);
        return parts.length == END_PARTS && parts[0].equals(topicId.toString())
                ? new CommittedPosition(topicId, stored.offset(), Long.parseLong(parts[1]), 0, ReaderClaim.NONE)
                : null;
    }
}
