package dev.baton.kafka.read;

import dev.baton.kafka.client.ClientSettings;
import dev.baton.kafka.client.Deadline;
import dev.baton.kafka.client.KafkaFailures;
import dev.baton.kafka.client.Permission;
import dev.baton.spi.TopicReader;
import dev.baton.spi.errors.TransportException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.WakeupException;

/**
 * The one consumer of a connection: polls for all topics at once and passes the records to their readers.
 *
 * <p>It belongs to no group and has no thread of its own. A topic whose readers have enough waiting is paused, and
 * resumed when they have drained half of it: the consumer keeps what it has fetched, so that memory stays bounded and
 * nothing is fetched twice. Two readers of a topic share its records; a reader that comes later has them fetched again
 * from where it begins, and the others skip what they had. A slow reader delays the others of its topic.
 *
 * <p>Confined to its loop, but for {@link #wakeup}.
 */
public final class RecordFetcher {
    /**
     * An empty poll costs 2.5 us and 2.5 KB of garbage with one topic, 13 us and 9 KB with 200 (two busy cores, Kafka
     * 4.3.1), against 140 us for a frame to cross. A loop that spins shall not spend its time and heap on them: after
     * an empty poll the next one comes no sooner than four times what that one took, within these bounds.
     */
    private static final long LEAST_REST_NANOS = 10_000;

    private static final long MOST_REST_NANOS = 50_000;

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    private final KafkaConsumer<byte[], ByteBuffer> consumer;
    private final Map<TopicPartition, PartitionFeed> feeds = new HashMap<>();
    private final List<PartitionFeed> paused = new ArrayList<>();
    private long restUntilNanos = System.nanoTime();

    public RecordFetcher(ClientSettings settings, String clientId) {
        consumer = settings.newConsumer(settings.consumer(clientId));
    }

    /** Has a reader get everything from its next offset on. */
    public void add(KafkaReader reader) {
        TopicPartition partition = reader.partition();
        PartitionFeed feed = feeds.computeIfAbsent(partition, PartitionFeed::new);
        feed.readers.add(reader);
        consumer.assign(feeds.keySet());
        feed.next = feed.firstNeeded();
        consumer.seek(partition, feed.next);
    }

    public void remove(KafkaReader reader) {
        PartitionFeed feed = feeds.get(reader.partition());
        if (feed != null && feed.readers.remove(reader) && feed.readers.isEmpty()) {
            feeds.remove(reader.partition());
            paused.remove(feed);
            consumer.assign(feeds.keySet());
        }
    }

    /** Returns whether no topic is assigned. */
    public boolean isEmpty() {
        return feeds.isEmpty();
    }

    /**
     * Returns the offset that the next record will get, according to the last answer; {@link TopicReader#UNKNOWN}
     * before the first answer. Never blocks: the consumer's own position is not asked for, which it may have to validate.
     */
    long endOf(TopicPartition partition) {
        PartitionFeed feed = feeds.get(partition);
        OptionalLong lag = feed == null ? OptionalLong.empty() : consumer.currentLag(partition);
        return lag.isEmpty() ? TopicReader.UNKNOWN : feed.next + lag.getAsLong();
    }

    /** Returns the offset that is fetched next: all frames before it were passed on. Only for a topic that is read. */
    long positionOf(TopicPartition partition) {
        return feeds.get(partition).next;
    }

    /** Takes what has arrived, unless a look a moment ago found nothing. */
    public int poll() {
        long start = System.nanoTime();
        if (start - restUntilNanos < 0) {
            return 0;
        }
        int taken = poll(Duration.ZERO);
        if (taken == 0) {
            long end = System.nanoTime();
            restUntilNanos = end + Math.max(LEAST_REST_NANOS, Math.min(4 * (end - start), MOST_REST_NANOS));
        }
        return taken;
    }

    /**
     * Takes what has arrived, waiting up to {@code limit} for the first of it.
     *
     * @return records taken
     */
    public int poll(Duration limit) {
        if (feeds.isEmpty()) {
            return 0;
        }
        boolean wasInterrupted = Thread.interrupted(); // the client would refuse to work
        try {
            resumeDrained();
            ConsumerRecords<byte[], ByteBuffer> records = consumer.poll(limit);
            return records.nextOffsets().isEmpty() ? 0 : deal(records);
        } catch (WakeupException woken) {
            return 0; // thrown before anything is handed over: the next poll has it
        } catch (InterruptException interrupted) {
            return 0; // it has set the thread's flag again
        } catch (OffsetOutOfRangeException removed) {
            removed.offsetOutOfRangePartitions()
                    .forEach((partition, offset) -> failAfterCheck(feeds.get(partition), offset, removed));
            consumer.assign(feeds.keySet());
            return 0;
        } catch (TopicAuthorizationException refused) {
            Set<String> topics = refused.unauthorizedTopics();
            end(
                    feeds.keySet().stream()
                            .filter(partition -> topics.contains(partition.topic()))
                            .toList(),
                    KafkaFailures.because(
                            "could not read",
                            refused,
                            Permission.onTopic(AclOperation.READ, String.join("', '", topics))));
            return 0;
        } catch (KafkaException failure) {
            throw KafkaFailures.because("could not read", failure, null);
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Ends the readers of topics that cannot be read; the others continue. Throws the reason if none of them is here.
     */
    private void end(Collection<TopicPartition> unreadable, TransportException why) {
        boolean isOfAny = false;
        for (TopicPartition partition : unreadable) {
            PartitionFeed feed = feeds.remove(partition);
            if (feed != null) {
                isOfAny = true;
                paused.remove(feed);
                feed.readers.forEach(reader -> reader.failed(why));
            }
        }
        if (!isOfAny) {
            throw why;
        }
        consumer.assign(feeds.keySet());
    }

    /** Ends a poll in progress, or the next one. Called by any thread. */
    public void wakeup() {
        consumer.wakeup();
    }

    public void close(Deadline deadline) {
        Duration limit = deadline.left();
        consumer.close(CloseOptions.timeout(limit.compareTo(CLOSE_LIMIT) < 0 ? limit : CLOSE_LIMIT));
    }

    /**
     * Ends the readers of a topic whose next records were removed or lost, after a check of the topic. Readers that are
     * farther on continue where the first of them is, unless the brokers have lost frames.
     */
    private void failAfterCheck(PartitionFeed feed, long offset, OffsetOutOfRangeException removed) {
        if (feed == null) {
            return;
        }
        boolean areLost = removed instanceof LogTruncationException;
        String what = areLost
                ? "the brokers have lost frames, and the log does not continue where the reader was"
                : "frames were removed by the topic's retention before they were read; see topic.retention.ms";
        TransportException why = new TransportException(
                "could not read: " + what + " (topic and offset wanted: " + feed.partition + " at " + offset + ")",
                removed);
        List<KafkaReader> ended = feed.readers.stream()
                .filter(reader -> areLost || reader.nextOffset() <= offset)
                .toList();
        feed.readers.removeAll(ended);
        ended.forEach(reader -> reader.failAfterCheck(why));
        if (feed.readers.isEmpty()) {
            feeds.remove(feed.partition);
            paused.remove(feed);
        } else {
            feed.next = feed.firstNeeded();
            consumer.seek(feed.partition, feed.next);
        }
    }

    private int deal(ConsumerRecords<byte[], ByteBuffer> records) {
        for (TopicPartition partition : records.partitions()) {
            PartitionFeed feed = feeds.get(partition);
            feed.arrived(records.records(partition));
            if (!feed.isPaused && feed.isFull()) {
                consumer.pause(feed.alone);
                feed.isPaused = true;
                paused.add(feed);
            }
        }
        records.nextOffsets().forEach((partition, next) -> feeds.get(partition).fetchedTo(next.offset()));
        return records.count();
    }

    private void resumeDrained() {
        for (int i = paused.size() - 1; i >= 0; i--) {
            PartitionFeed feed = paused.get(i);
            if (feed.isDrained()) {
                consumer.resume(feed.alone);
                feed.isPaused = false;
                paused.remove(i);
            }
        }
    }

    /** One partition of the connection's consumer, and the readers that its records go to. Confined to its loop. */
    private static final class PartitionFeed {
        final TopicPartition partition;
        final Set<TopicPartition> alone; // the partition, as Kafka's pause and resume take it
        final List<KafkaReader> readers = new ArrayList<>();
        boolean isPaused;
        long next; // offset that is fetched next

        PartitionFeed(TopicPartition partition) {
            this.partition = partition;
            this.alone = Set.of(partition);
        }

        void arrived(List<ConsumerRecord<byte[], ByteBuffer>> records) {
            for (int i = 0; i < readers.size(); i++) {
                readers.get(i).arrived(records);
            }
        }

        /** Notes that all frames before this offset were passed to the readers. */
        void fetchedTo(long offset) {
            next = offset;
            for (int i = 0; i < readers.size(); i++) {
                readers.get(i).fetchedTo(offset);
            }
        }

        /** Returns whether a reader has more frames waiting than its limit. */
        boolean isFull() {
            for (int i = 0; i < readers.size(); i++) {
                if (readers.get(i).isFull()) {
                    return true;
                }
            }
            return false;
        }

        /** Returns whether every reader has consumed half of its limit. */
        boolean isDrained() {
            for (int i = 0; i < readers.size(); i++) {
                if (!readers.get(i).isDrained()) {
                    return false;
                }
            }
            return true;
        }

        /** Returns the offset at which the consumer has to continue, so that no reader misses a record. */
        long firstNeeded() {
            long first = Long.MAX_VALUE;
            for (KafkaReader reader : readers) {
                first = Math.min(first, reader.nextOffset());
            }
            return first;
        }
    }
}
