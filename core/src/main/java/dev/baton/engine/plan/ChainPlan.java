package dev.baton.engine.plan;

import dev.baton.Chain;
import dev.baton.Concurrency;
import dev.baton.ErrorPolicy;
import dev.baton.Service;
import dev.baton.spi.ObservingConsumer;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * The services of a chain in order, the topic at which it begins, and the names of its topics and consumers. Immutable,
 * thread-safe.
 *
 * @param beginning topic of another chain that the first service reads; null if the chain has a first topic of its own
 */
public record ChainPlan(String name, ForeignTopic beginning, List<Step> steps) {
    /**
     * A service and its name.
     *
     * @param concurrency calls at work at once; null for calls on the loop
     * @param errors its own error policy; null for that of the deployment
     */
    public record Step(String name, Supplier<? extends Service> service, Concurrency concurrency, ErrorPolicy errors) {}

    private static final String SNAPSHOTS = ".snapshots";
    private static final String RETRIES = ".retries";

    public ChainPlan {
        steps = List.copyOf(steps);
    }

    /** Returns the services' names in order. */
    public List<String> services() {
        return steps.stream().map(Step::name).toList();
    }

    /** Returns the number of topics that a message crosses. */
    public int hops() {
        return steps.size() + 1;
    }

    /** Returns the name of a topic: {@link Chain#topic}. */
    public String topic(int instance, int index) {
        Objects.checkIndex(index, hops());
        return index == 0 && beginning != null ? beginning.topic() : ChainNames.topic(name, instance, index);
    }

    /** Returns the name of the topic of a service's dead letters: {@link Chain#deadLetterTopic}. */
    public String deadLetterTopic(int instance, String service) {
        return topicOf(instance, service, ChainNames.DEAD_LETTERS);
    }

    /** Returns the name of the topic of a service's snapshots: {@link Chain#snapshotTopic}. */
    public String snapshotTopic(int instance, String service) {
        return topicOf(instance, service, SNAPSHOTS);
    }

    /** Returns the name of the topic of a service's retries: {@link Chain#retryTopic}. */
    public String retryTopic(int instance, String service) {
        return topicOf(instance, service, RETRIES);
    }

    private String topicOf(int instance, String service, String suffix) {
        int index = service.equals(Chain.SINK) ? steps.size() : services().indexOf(service);
        if (index < 0) {
            throw new IllegalArgumentException("chain " + name + " has no service '" + service + "'; it has "
                    + String.join(", ", services()) + " and " + Chain.SINK);
        }
        String input = topic(instance, index);
        boolean isForeign = index == 0 && beginning != null;
        return (isForeign ? ChainNames.beside(input, ownConsumer(instance, index)) : input) + suffix;
    }

    /** Returns the name of the part that reads a topic: the service's, or {@link Chain#SINK}. */
    public String partName(int index) {
        return index == steps.size() ? Chain.SINK : steps.get(index).name();
    }

    /**
     * Returns the name of the consumer that reads a topic here: the service's name, preceded by the chain's name for
     * another chain's topic.
     */
    public String consumer(int instance, int index) {
        String own = ownConsumer(instance, index);
        return index == 0 && isObserving() ? ObservingConsumer.name(own) : own;
    }

    private String ownConsumer(int instance, int index) {
        String service = partName(index);
        if (index > 0 || beginning == null) {
            return service;
        }
        return beginning.consumer() != null ? beginning.consumer() : ChainNames.consumer(name, instance, service);
    }

    /** Returns whether the chain reads a topic of another run without holding it back. */
    public boolean isObserving() {
        return beginning != null && beginning.isObserved();
    }

    /** Returns the topology of the writers: the services in order, and before them the topic of another chain. */
    public String topology() {
        String all = steps.isEmpty() ? "no service" : String.join(" > ", services());
        return beginning == null ? all : beginning.topic() + " > " + all;
    }
}
