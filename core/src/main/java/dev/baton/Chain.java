package dev.baton;

import dev.baton.engine.plan.ChainNames;
import dev.baton.engine.plan.ChainPlan;
import dev.baton.engine.plan.ForeignTopic;
import dev.baton.spi.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A plan of S services in a row over S + 1 topics, without a transport and without threads.
 *
 * <p>The inlet or a source feeds topic 0, or topic 0 is a topic of another chain ({@link Builder#from}). Service i, from 1 to
 * S, reads topic i - 1 and writes topic i. The consumer {@value #SINK} reads topic S. {@link #on} selects the transport. A
 * chain may run any number of times. Immutable, thread-safe.
 */
public final class Chain {
    /** Name of the consumer that reads a chain's last topic. */
    public static final String SINK = "sink";

    private final ChainPlan plan;

    private Chain(String name, ForeignTopic beginning, List<ChainPlan.Step> steps) {
        plan = new ChainPlan(name, beginning, steps);
    }

    /**
     * {@return an additional consumer of an existing topic: a chain without services, whose {@link Deployment#onOutput
     * output handler} receives the messages} The chain of the topic may run in this or another process, or may have ended.
     * The consumer acknowledges what was handled. Its position is kept under its name as long as the transport keeps
     * topics. A new consumer begins at the oldest message that the topic still holds, or at {@link Deployment#startAt}.
     *
     * <p>The topic keeps what the consumer has not acknowledged, so a slow tap slows down a bounded topic. A tap that is
     * removed permanently has to be forgotten ({@link Transport#forgetConsumer}). Dead letters go to the tap's own topic,
     * {@code topic---consumer.dead-letters}.
     *
     * @param consumer name that is unique among the topic's consumers: up to 100 letters, digits, '.', '_' and '-',
     *     beginning with a letter or digit, without "---" and without '-' at the end, and not {@value #SINK}
     * @param topic such as {@link #topic} or {@link Merge#topic} returns it; it has to exist when the tap starts
     */
    public static Chain tap(String consumer, String topic) {
        if (SINK.equals(consumer)) {
            throw new IllegalArgumentException("'" + consumer + "' is the consumer of a chain's own output");
        }
        String checked = ChainNames.checkedConsumer(consumer);
        return new Chain(checked, new ForeignTopic(ChainNames.checkedTopic(topic), null, checked, false), List.of());
    }

    /**
     * Begins a chain.
     *
     * @param name up to 100 letters, digits, '.', '_' and '-', beginning with a letter or digit, without "--" and without
     *     '-' at the end; the names of the chain's topics begin with it
     * @return a builder that has no service yet
     */
    public static Builder named(String name) {
        return new Builder(ChainNames.checked("chain", name));
    }

    /**
     * Begins to set up a run of this chain.
     *
     * @param transport transport with the topics; the caller keeps it and closes it after the chain
     * @return a deployment with the default options
     */
    public Deployment on(Transport transport) {
        return Deployment.of(plan, transport);
    }

    /** {@return the chain's name; the names of its own topics begin with it} */
    public String name() {
        return plan.name();
    }

    /**
     * {@return a chain of the same services with another name, and so with topics and positions of its own}
     *
     * @param other name as for {@link #named}
     */
    public Chain renamed(String other) {
        return new Chain(ChainNames.checked("chain", other), plan.beginning(), plan.steps());
    }

    /**
     * {@return a chain whose services are replaced by those that a decorator returns, for tests, traces or metrics; each
     * delegates to the service that it replaces} Names, topics and error policies stay the same, so both chains can run over
     * the same topics.
     *
     * <p>A decorating service has to return what the decorated one returns for {@link Service#maxOutputs}, {@link
     * Service#holdsInputs} and {@link TickingService#deadlineNanos}. It implements {@link TickingService} if the decorated one
     * does, because the ticks of that service are lost otherwise, and only then, because a ticking service has a tick in every
     * sweep.
     *
     * @param decorator receives the name and each new instance of a service, and returns the service to run in its place
     */
    public Chain decorated(BiFunction<? super String, ? super Service, ? extends Service> decorator) {
        Objects.requireNonNull(decorator, "decorator");
        return new Chain(
                plan.name(),
                plan.beginning(),
                plan.steps().stream()
                        .map(step -> new ChainPlan.Step(
                                step.name(),
                                () -> decorator.apply(
                                        step.name(), step.service().get()),
                                step.concurrency(),
                                step.errors()))
                        .toList());
    }

    /**
     * {@return a chain of some of these services that reads a topic of another run, such as one that this chain has
     * recorded} It has its own positions and snapshots, and its other topics are its own. On durable transports it does not
     * hold back the topic that it reads, even if it is killed: its consumer is an {@linkplain
     * dev.baton.spi.ObservingConsumer observing} one, unless {@link Deployment#consumer} names another. If retention
     * removes messages before they are read, the chain stops. A chain that is to receive every message of another one is
     * built with {@link Builder#from}.
     *
     * @param other name of the new chain, as for {@link #named}
     * @param topic topic that its first service reads; it has to exist when the chain starts
     * @param services consecutive services of this chain, in its order
     * @throws IllegalArgumentException if the services are not consecutive, or the topic would be one of the new chain's
     *     own
     */
    public Chain again(String other, String topic, List<String> services) {
        int first = services.isEmpty() ? -1 : services().indexOf(services.get(0));
        if (first < 0
                || first + services.size() > services().size()
                || !services().subList(first, first + services.size()).equals(services)) {
            throw new IllegalArgumentException("services " + String.join(", ", services) + " are not in a row in chain "
                    + name() + ", which has " + String.join(", ", services()));
        }
        Builder builder = new Builder(ChainNames.checked("chain", other));
        ForeignTopic beginning = plan.beginning();
        builder.begin(topic, first == 0 && beginning != null ? beginning.passes() : null, true);
        builder.steps.addAll(plan.steps().subList(first, first + services.size()));
        return builder.build();
    }

    /** {@return the services' names in order} */
    public List<String> services() {
        return plan.services();
    }

    /**
     * {@return a new instance of a service, created by its factory and not started}
     *
     * @param service service of this chain
     */
    public Service newService(String service) {
        int index = services().indexOf(service);
        if (index < 0) {
            throw new IllegalArgumentException(
                    "chain " + name() + " has no service '" + service + "'; it has " + String.join(", ", services()));
        }
        return plan.steps().get(index).service().get();
    }

    /** {@return the number of topics that a message crosses: one more than the number of services} */
    public int hops() {
        return plan.hops();
    }

    /**
     * {@return the name of a topic: {@code orders-1}; of another instance than 0, {@code orders--2-1}} No other chain, instance
     * or place has this name.
     *
     * @param instance 0 for the only instance, whose topics have no number
     * @param index 0 (the topic of the inlet, or the topic of another chain that this one reads) to the number of services (the
     *     topic of the sink)
     */
    public String topic(int instance, int index) {
        return plan.topic(instance, index);
    }

    /**
     * {@return the name of the topic of a service's dead letters ({@link ErrorPolicy#deadLetter}): the name of its input
     * topic followed by ".dead-letters"} If the input is another chain's topic, three hyphens and the consumer's name are
     * inserted: {@code orders-1---bills--price.dead-letters}.
     *
     * @param instance as for {@link #topic}
     * @param service service of this chain, or {@link #SINK}
     */
    public String deadLetterTopic(int instance, String service) {
        return plan.deadLetterTopic(instance, service);
    }

    /**
     * {@return the name of the topic that keeps the messages of a service that are set aside ({@link ErrorPolicy#perKey}); it is
     * formed like {@link #deadLetterTopic}, and ends in ".retries"}
     *
     * @param instance as for {@link #topic}
     * @param service service of this chain, or {@link #SINK}
     */
    public String retryTopic(int instance, String service) {
        return plan.retryTopic(instance, service);
    }

    /**
     * {@return the name of the topic that keeps the snapshots of a service with state; for a partition, its number is appended}
     *
     * @param instance as for {@link #topic}
     * @param service service of this chain, or {@link #SINK}
     */
    public String snapshotTopic(int instance, String service) {
        return plan.snapshotTopic(instance, service);
    }

    /**
     * {@return the name of the consumer that reads a topic of this chain: the service's name, preceded by the chain's name
     * if the topic is another chain's} For {@link Transport#forgetConsumer}.
     *
     * @param instance as for {@link #topic}
     * @param index as for {@link #topic}
     */
    public String consumer(int instance, int index) {
        return plan.consumer(instance, index);
    }

    /** {@return whether the chain reads a topic of another run without holding it back, as one of {@link #again} does} */
    public boolean isObserving() {
        return plan.isObserving();
    }

    /** Collects the services of a chain in order. Confined to one thread. */
    public static final class Builder {
        private final String name;
        private final List<ChainPlan.Step> steps = new ArrayList<>();
        private ForeignTopic beginning;

        private Builder(String name) {
            this.name = name;
        }

        /**
         * Makes the chain read a topic that another chain, or a merge, writes. The first service reads that topic as the
         * consumer {@code chain--service}, and the chain has no inlet. The topic has to exist when the chain starts.
         *
         * @param topic its name, such as {@link Chain#topic} or {@link Merge#topic} returns it
         * @return this builder
         */
        public Builder from(String topic) {
            return begin(topic, null, false);
        }

        /**
         * Makes the chain read a topic as {@link #from(String)} does, but only the messages that a predicate accepts; the
         * others are consumed and not sent anywhere.
         *
         * @param topic its name, as for {@link #from(String)}
         * @param passes filter, called on the chain's loop, or on the threads of the first service's {@link Concurrency}. After a restart it may be called again for a message, and has
         *     to return the same result
         * @return this builder
         */
        public Builder from(String topic, Predicate<? super Message> passes) {
            return begin(topic, Objects.requireNonNull(passes, "predicate"), false);
        }

        private Builder begin(String topic, Predicate<? super Message> passes, boolean isObserved) {
            if (beginning != null) {
                throw new IllegalStateException("chain " + name + " begins at topic '" + beginning.topic()
                        + "' already; Merge joins several topics into one");
            }
            if (ChainNames.isTopicOf(name, ChainNames.checkedTopic(topic))) {
                throw new IllegalArgumentException("topic '" + topic + "' is one of chain " + name + " itself");
            }
            beginning = new ForeignTopic(topic, passes, null, isObserved);
            return this;
        }

        /**
         * Adds the next service.
         *
         * @param service name, unique in the chain; it names the consumer whose position survives a restart
         * @param factory factory, called once for every instance of the chain that is started
         * @return this builder
         */
        public Builder then(String service, Supplier<? extends Service> factory) {
            return add(service, factory, null, null);
        }

        /**
         * Adds the next service, with its own error policy.
         *
         * @param service name, unique in the chain; it names the consumer whose position survives a restart
         * @param factory factory, called once for every instance of the chain that is started
         * @param errors what happens to messages for which this service throws; overrides {@link Deployment#onError}
         * @return this builder
         */
        public Builder then(String service, Supplier<? extends Service> factory, ErrorPolicy errors) {
            return add(service, factory, null, Objects.requireNonNull(errors, "error policy"));
        }

        /**
         * Adds the next service, whose calls take time and are made by other threads, several at once.
         *
         * @param service name, unique in the chain; it names the consumer whose position survives a restart
         * @param factory factory, called for every instance of the chain that is started, once for each of its concurrent
         *     calls
         * @param concurrency calls that may be at work at once
         * @return this builder
         */
        public Builder then(String service, Supplier<? extends Service> factory, Concurrency concurrency) {
            return add(service, factory, Objects.requireNonNull(concurrency, "concurrency"), null);
        }

        /**
         * Adds the next service, whose calls take time and are made by other threads, with its own error policy.
         *
         * @param service name, unique in the chain; it names the consumer whose position survives a restart
         * @param factory factory, called for every instance of the chain that is started, once for each of its concurrent
         *     calls
         * @param concurrency calls that may be at work at once
         * @param errors what happens to messages for which this service throws; overrides {@link Deployment#onError}
         * @return this builder
         */
        public Builder then(
                String service, Supplier<? extends Service> factory, Concurrency concurrency, ErrorPolicy errors) {
            return add(
                    service,
                    factory,
                    Objects.requireNonNull(concurrency, "concurrency"),
                    Objects.requireNonNull(errors, "error policy"));
        }

        private Builder add(
                String service, Supplier<? extends Service> factory, Concurrency concurrency, ErrorPolicy errors) {
            ChainNames.checked("service", service);
            Objects.requireNonNull(factory, "factory");
            if (service.equals(SINK)) {
                throw new IllegalArgumentException(
                        "the name '" + service + "' is taken: it is that of the last consumer");
            }
            if (steps.stream().anyMatch(step -> step.name().equals(service))) {
                throw new IllegalArgumentException(
                        "the name '" + service + "' is taken: chain " + name + " has a service of that name already");
            }
            steps.add(new ChainPlan.Step(service, factory, concurrency, errors));
            return this;
        }

        /**
         * Builds the chain. A chain without services has one topic, which its inlet or source writes and its sink reads.
         *
         * @return the chain; later changes of this builder do not affect it
         */
        public Chain build() {
            return new Chain(name, beginning, steps);
        }
    }
}
