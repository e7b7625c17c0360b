package dev.baton;

import dev.baton.spi.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * S services in a row over S + 1 topics: the plan of a relay race, without a queue and without threads.
 *
 * <p>Topic 0 is fed by the inlet or a source, service i reads topic i - 1 and writes topic i, and topic S is read by the
 * outlet's consumer. {@link #on} picks the transport. Immutable, thread-safe; one chain may run any number of times.
 */
public final class Chain {
    /** Name of the consumer that reads a chain's last topic. */
    public static final String OUTLET = "outlet";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    /**
     * A service and its place.
     *
     * @param errors its own policy, null for the deployment's
     */
    record NamedService(String name, Supplier<? extends Service> service, ErrorPolicy errors) {}

    private final String name;
    private final List<NamedService> steps;

    private Chain(String name, List<NamedService> steps) {
        this.name = name;
        this.steps = List.copyOf(steps);
    }

    /** Begins a chain; its name is the beginning of its topics' names. */
    public static Builder named(String name) {
        return new Builder(checkName("chain", name));
    }

    /** Begins to set up a run of this chain. The caller keeps the transport and closes it after the chain. */
    public Deployment on(Transport transport) {
        return new Deployment(this, transport);
    }

    public String name() {
        return name;
    }

    /** Returns the same services over topics of another name: a chain of its own, with positions of its own. */
    public Chain renamed(String other) {
        return new Chain(checkName("chain", other), steps);
    }

    /**
     * Returns the same chain with something around each service, such as what times, counts or logs its calls. What stands
     * around one passes on every method of {@link Service}; {@link Service#onTick} only if the service overrides it, as those
     * that do are called in every sweep.
     *
     * @param decorator gets the position of a service in the chain, from 0, and the service that was made for one instance
     */
    public Chain decorated(BiFunction<Integer, ? super Service, ? extends Service> decorator) {
        List<NamedService> decorated = new ArrayList<>();
        for (NamedService step : steps) {
            int index = decorated.size();
            decorated.add(new NamedService(step.name, () -> decorator.apply(index, step.service.get()), step.errors));
        }
        return new Chain(name, decorated);
    }

    /** The services' names in order. */
    public List<String> services() {
        return steps.stream().map(NamedService::name).toList();
    }

    /** Topics crossed by a message: one more than services. */
    public int hops() {
        return steps.size() + 1;
    }

    /**
     * Name of a topic.
     *
     * @param instance 0 for the only instance, whose topics have no number
     * @param index 0 (the inlet's) to the number of services (the outlet's)
     */
    public String topic(int instance, int index) {
        Objects.checkIndex(index, hops());
        return instance == 0 ? name + "-" + index : name + "-" + instance + "-" + index;
    }

    /**
     * Name of the topic of messages that a service gives up on ({@link ErrorPolicy#deadLetter}): that of its input with
     * ".dead-letters" behind it.
     *
     * @param instance as for {@link #topic}
     * @param service of this chain, or {@link #OUTLET}
     */
    public String deadLetterTopic(int instance, String service) {
        int index = service.equals(OUTLET) ? steps.size() : services().indexOf(service);
        if (index < 0) {
            throw new IllegalArgumentException("chain " + name + " has no service '" + service + "'; it has "
                    + String.join(", ", services()) + " and " + OUTLET);
        }
        return topic(instance, index) + DeadLetter.SUFFIX;
    }

    List<NamedService> steps() {
        return steps;
    }

    private static String checkName(String what, String name) {
        Objects.requireNonNull(name, () -> what + " name");
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(what + " name '" + name
                    + "'; allowed are up to 100 letters, digits, '.', '_' and '-', beginning with a letter or digit");
        }
        return name;
    }

    /** Collects the services of a chain in order. Confined to one thread. */
    public static final class Builder {
        private final String name;
        private final List<NamedService> steps = new ArrayList<>();

        private Builder(String name) {
            this.name = name;
        }

        /**
         * Adds the next service.
         *
         * @param service name, unique in the chain; it names the consumer whose position survives a restart
         * @param factory called once for every instance of the chain that is started
         */
        public Builder then(String service, Supplier<? extends Service> factory) {
            return add(service, factory, null);
        }

        /**
         * Adds the next service.
         *
         * @param service name, unique in the chain; it names the consumer whose position survives a restart
         * @param factory called once for every instance of the chain that is started
         * @param errors what happens to messages that this service fails at, whatever {@link Deployment#onError} says
         */
        public Builder then(String service, Supplier<? extends Service> factory, ErrorPolicy errors) {
            return add(service, factory, Objects.requireNonNull(errors, "error policy"));
        }

        private Builder add(String service, Supplier<? extends Service> factory, ErrorPolicy errors) {
            checkName("service", service);
            Objects.requireNonNull(factory, "factory");
            if (service.equals(OUTLET) || steps.stream().anyMatch(step -> step.name.equals(service))) {
                throw new IllegalArgumentException("the name '" + service + "' is taken");
            }
            steps.add(new NamedService(service, factory, errors));
            return this;
        }

        /** Ends the chain. Without a service it is one topic: what its inlet or source writes, its outlet reads. */
        public Chain build() {
            return new Chain(name, steps);
        }
    }
}
