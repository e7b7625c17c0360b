package dev.baton.lab.request;

import dev.baton.measuring.Mix;
import dev.baton.operations.chains.NamedChain;
import dev.baton.operations.service.ServicePlan;
import dev.baton.operations.settings.Range;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The number, the length and the load of chains.
 *
 * @param services in each chain, {@value #MOST_SERVICES} at most; its topics are one more, so none leaves one topic
 * @param instances chains with topics of their own
 * @param payloadBytes after the header of each message; where their lengths differ, the most
 * @param chain whose services, messages and check of outputs these are; null: services that forward
 * @param sizes lengths of payloads; null: all have {@code payloadBytes}
 * @param keys of messages; null: none
 * @param work of each service; one value: of all services; empty: none
 */
public record Shape(
        int services, int instances, int payloadBytes, NamedChain chain, Sizes sizes, Keys keys, List<Work> work) {
    /** A bound that a typing mistake meets before the machine does. */
    public static final int MOST_SERVICES = ServicePlan.MOST_SERVICES;

    /** The greatest number of instances, as above. */
    public static final int MOST_INSTANCES = ServicePlan.MOST_INSTANCES;

    public Shape {
        Range.check("services", services, 0, MOST_SERVICES);
        Range.check("instances", instances, 1, MOST_INSTANCES);
        Range.check("payload bytes", payloadBytes, 0, Integer.MAX_VALUE);
        work = work == null ? List.of() : List.copyOf(work); // absent from older files
        if (work.size() > 1 && work.size() != services) {
            throw new IllegalArgumentException("work of " + work.size() + " services; one value for all, or " + services
                    + " in the order of the services");
        }
    }

    /** Chains that forward. */
    public Shape(int services, int instances, int payloadBytes) {
        this(services, instances, payloadBytes, null);
    }

    /** Chains of a jar. */
    public Shape(int services, int instances, int payloadBytes, NamedChain chain) {
        this(services, instances, payloadBytes, chain, null, null, null);
    }

    /** Returns a copy with this number of instances. */
    public Shape of(int otherInstances) {
        return new Shape(services, otherInstances, payloadBytes, chain, sizes, keys, work);
    }

    /** {@return the partitions of each chain} */
    public int partitions() {
        return keys == null ? 1 : keys.partitions();
    }

    /** {@return the chains that run, where each partition is one} */
    public int chains() {
        return instances * partitions();
    }

    /** Returns a copy whose messages have keys. @param others null for none */
    public Shape keyed(Keys others) {
        return new Shape(services, instances, payloadBytes, chain, sizes, others, work);
    }

    /** Returns a copy with payloads of these lengths. */
    public Shape sized(Sizes others) {
        int most = (int) Math.min(Integer.MAX_VALUE, others.maxBytes());
        return new Shape(services, instances, most, chain, others, keys, work);
    }

    /** Returns a copy whose services work. */
    public Shape working(List<Work> others) {
        return new Shape(services, instances, payloadBytes, chain, sizes, keys, others);
    }

    /** Returns the work of one service of one instance. @param service from 1 */
    public Runnable work(int service, int instance, long seed) {
        return work.isEmpty()
                ? () -> {}
                : work.get(Math.min(service, work.size()) - 1).start(Mix.of(Mix.of(seed, instance), service));
    }

    /** {@return the CPU time that the services of a chain use for a message, on average} */
    public long busyNanos() {
        long listed = work.stream()
                .filter(each -> each.kind() != Work.Kind.BLOCK)
                .mapToLong(Work::nanos)
                .sum();
        return work.size() == 1 ? services * listed : listed;
    }

    /** {@return the work in words, to follow a number of services; empty for none} */
    public String workText() {
        String each = work.stream().map(Work::toString).collect(Collectors.joining(", "));
        return work.isEmpty() ? "" : work.size() == 1 ? " (work " + each + " each)" : " (work " + each + ")";
    }

    /** Returns the shape without secret values. */
    public Shape redacted() {
        return chain == null ? this : new Shape(services, instances, payloadBytes, chain.redacted(), sizes, keys, work);
    }
}
