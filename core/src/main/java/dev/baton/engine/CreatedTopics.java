package dev.baton.engine;

import dev.baton.spi.Guarantee;
import dev.baton.spi.PartitionTopic;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.Causes;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The topics that one start has created, which are removed if it fails. A topic is kept if it holds a message, if another
 * consumer reads it, or if another process runs its chain; the failure then names it. All are kept where a store would
 * delete a topic that another process has just opened, with the messages that it sends meanwhile, and where processes share
 * topics whose messages cannot be looked for. Thread-safe.
 */
final class CreatedTopics {
    private final Transport transport;
    private final Set<String> ownConsumers;
    private final Set<String> names = new TreeSet<>(); // guarded by this

    /**
     * Creates an empty instance.
     *
     * @param ownConsumers consumers that the start opens
     */
    CreatedTopics(Transport transport, Collection<String> ownConsumers) {
        this.transport = transport;
        this.ownConsumers = Set.copyOf(ownConsumers);
    }

    /** Creates missing topics. */
    synchronized void create(Collection<String> topics) {
        names.addAll(transport.createTopics(topics));
    }

    /**
     * Removes the created topics, after everything is closed. Idempotent; does not throw.
     *
     * @param because failure of the start; failures to remove topics are added as suppressed
     */
    synchronized void remove(Throwable because) {
        if (names.isEmpty()) {
            return;
        }
        boolean wasInterrupted = Thread.interrupted(); // transports do not delete in an interrupted thread
        try {
            List<String> removed = removable(because);
            transport.deleteTopics(removed);
            removed.forEach(names::remove);
            if (!names.isEmpty()) {
                because.addSuppressed(left("they hold messages, or others may use them", null));
            }
        } catch (RuntimeException refused) {
            because.addSuppressed(left("they cannot be removed", refused));
        } finally {
            names.clear();
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private TransportException left(String why, RuntimeException cause) {
        return new TransportException(
                "the start that failed has created the topics " + String.join(", ", names) + ", which stay: " + why
                        + ". Delete them before a start with other settings, if no message in them is needed",
                cause);
    }

    private List<String> removable(Throwable because) {
        for (Throwable each : Causes.of(because)) {
            if (each instanceof OccupiedException || each instanceof ReplacedException) {
                return List.of(); // another process runs the chain
            }
        }
        if (!transport.guarantees().contains(Guarantee.DURABLE)) {
            return transport.guarantees().contains(Guarantee.CROSS_PROCESS)
                    ? List.of() // another process may have written there, and closed
                    : List.copyOf(names); // no other process has them
        }
        if (!transport.guarantees().contains(Guarantee.EXCLUSIVE)) {
            return List.of(); // nothing excludes a writer that opens between a look and the deletion
        }
        Set<String> used = new TreeSet<>(); // a transport may have all partitions of a topic or none
        for (String name : names) {
            try (TopicInspector inspector = transport.inspect(name)) {
                if (inspector.newestSequence() > 0
                        || !ownConsumers.containsAll(inspector.acknowledged().keySet())) {
                    used.add(PartitionTopic.base(name));
                }
            }
        }
        return names.stream()
                .filter(name -> !used.contains(PartitionTopic.base(name)))
                .toList();
    }
}
