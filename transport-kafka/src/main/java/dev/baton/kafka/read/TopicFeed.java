package dev.baton.kafka.read;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** One topic as the connection's consumer sees it, and the readers that its records go to. Confined to its loop. */
final class TopicFeed {
    private final TopicPartition partition;
    private final Set<TopicPartition> alone;
    private final List<KafkaReader> readers = new ArrayList<>();
    private boolean isPaused;

    TopicFeed(TopicPartition partition) {
        this.partition = partition;
        this.alone = Set.of(partition);
    }

    TopicPartition partition() {
        return partition;
    }

    /** The partition as Kafka's pause and resume want it. */
    Set<TopicPartition> alone() {
        return alone;
    }

    List<KafkaReader> readers() {
        return readers;
    }

    void arrived(List<ConsumerRecord<byte[], ByteBuffer>> records) {
        for (int i = 0; i < readers.size(); i++) {
            readers.get(i).arrived(records);
        }
    }

    /** Everything before this offset has been dealt out, or was never a frame. */
    void fetchedTo(long offset) {
        for (int i = 0; i < readers.size(); i++) {
            readers.get(i).fetchedTo(offset);
        }
    }

    /** Whether a reader has more frames waiting than it may. */
    boolean isFull() {
        for (int i = 0; i < readers.size(); i++) {
            if (readers.get(i).isFull()) {
                return true;
            }
        }
        return false;
    }

    /** Whether every reader has used up enough of what it had waiting. */
    boolean isDrained() {
        for (int i = 0; i < readers.size(); i++) {
            if (!readers.get(i).isDrained()) {
                return false;
            }
        }
        return true;
    }

    boolean isPaused() {
        return isPaused;
    }

    void paused(boolean value) {
        isPaused = value;
    }

    /** The offset that the consumer has to go on at, so that no reader misses a record. */
    long firstNeeded() {
        long first = Long.MAX_VALUE;
        for (KafkaReader reader : readers) {
            first = Math.min(first, reader.nextOffset());
        }
        return first;
    }
}
