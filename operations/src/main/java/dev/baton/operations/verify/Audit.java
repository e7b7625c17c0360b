package dev.baton.operations.verify;

import dev.baton.spi.InputRef;
import dev.baton.spi.PartitionTopic;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.TransportException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;

/**
 * Reads topics end to end, each chain's from its first to its last, partition by partition, so that causes can be compared with the topic
 * before. It reads the frames that were stored at the beginning, and a few of those that are written meanwhile. Confined to one thread.
 *
 * @param listener receives the progress in a topic, with the estimated number of frames, after every few frames
 * @param isStopped polled often; true stops the reading
 */
public record Audit(Transport transport, ObjLongConsumer<TopicCheck> listener, BooleanSupplier isStopped) {
    private static final int READ_LIMIT = 1024;
    private static final int MOST_READS_BEHIND_THE_END = 64;

    /** Reads the topics; fewer come back when it was stopped. */
    public List<TopicCheck> of(Collection<String> topics) {
        List<String> ordered = topics.stream()
                .sorted(Comparator.comparing(
                                (String topic) -> ChainTopic.of(topic).chain())
                        .thenComparing(PartitionTopic::partition)
                        .thenComparing(topic -> ChainTopic.of(topic).number())
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
        Map<String, TopicCheck> done = new HashMap<>();
        List<TopicCheck> audits = new ArrayList<>();
        for (String topic : ordered) {
            if (isStopped.getAsBoolean()) {
                break;
            }
            TopicCheck audit =
                    new TopicCheck(topic, done.get(ChainTopic.of(topic).neighbour(-1)));
            read(audit);
            done.put(topic, audit);
            audits.add(audit);
        }
        return audits;
    }

    /** Reads a topic. A failure after the stop is ignored, as it reports nothing about the topic. */
    private void read(TopicCheck audit) {
        try {
            readAll(audit);
        } catch (RuntimeException failed) {
            if (!isStopped.getAsBoolean()) {
                throw failed;
            }
        }
    }

    private void readAll(TopicCheck audit) {
        try (TopicInspector inspector = transport.inspect(audit.topic())) {
            audit.inputs(sequence -> inputOf(sequence, inspector, audit));
            Map<String, Long> acknowledged = orDamage(inspector::acknowledged, audit, Map.of());
            long end = orDamage(inspector::newestSequence, audit, 0L);
            String last = "";
            int behindTheEnd = 0;
            while (!isStopped.getAsBoolean() && behindTheEnd < MOST_READS_BEHIND_THE_END) {
                try {
                    if (inspector.read(audit, READ_LIMIT) == 0) {
                        break;
                    }
                    behindTheEnd += end > 0 && audit.newest() >= end ? 1 : 0;
                } catch (DamagedTopicException damage) {
                    audit.damaged(damage.getMessage());
                    if (damage.isEnd() || damage.getMessage().equals(last)) {
                        break;
                    }
                    last = damage.getMessage();
                }
                listener.accept(audit, end);
            }
            if (!isStopped.getAsBoolean()) {
                audit.endsAt(end, acknowledged);
                audit.acknowledged(acknowledged);
            }
        }
        if (audit.before() != null && !isStopped.getAsBoolean()) {
            audit.causesEndAt(endOf(audit.before()));
        }
    }

    private InputRef inputOf(long sequence, TopicInspector inspector, TopicCheck audit) {
        try {
            return inspector.inputOf(sequence);
        } catch (TransportException unreadable) {
            if (!isStopped.getAsBoolean()) {
                audit.damaged(unreadable.getMessage());
            }
            return InputRef.UNKNOWN;
        }
    }

    private long endOf(TopicCheck audit) {
        try (TopicInspector inspector = transport.inspect(audit.topic())) {
            return Math.max(audit.newest(), inspector.newestSequence());
        } catch (DamagedTopicException told) {
            return audit.newest();
        }
    }

    private static <T> T orDamage(Supplier<T> answer, TopicCheck audit, T otherwise) {
        try {
            return answer.get();
        } catch (TransportException unreadable) {
            Throwable damage = unreadable instanceof DamagedTopicException ? unreadable : unreadable.getCause();
            if (damage instanceof DamagedTopicException) {
                audit.damaged(damage.getMessage());
                return otherwise;
            }
            throw unreadable;
        }
    }
}
