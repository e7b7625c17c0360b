package dev.baton.operations.service;

import dev.baton.Chain;
import dev.baton.ErrorPolicy;
import dev.baton.ReplacedInput;
import dev.baton.SnapshotPolicy;
import dev.baton.UnreadableFrames;
import dev.baton.operations.chains.ForwardingChain;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import dev.baton.spi.StartPosition;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/**
 * Which services of which chain one process runs. Immutable, thread-safe.
 *
 * @param services of the whole chain
 * @param only those that run here, counted from 1, in order, each once
 * @param instances of the chain, each with topics of its own
 * @param subject the transport and its options
 * @param sharing of partitions with other processes; null: the topics have none
 * @param edges what they do where a run begins or ends
 * @param summing the service that adds its inputs up, see {@link SummingService}; 0: none does
 * @param failing the service that gives up on some of its inputs, see {@link FailingService}; 0: none does. All others
 *     forward
 * @param provided the chain, under whatever name; null: one that forwards
 * @param state how services keep what they have of their inputs
 * @param start where the first of them begins to read, and as whom; null: where it left off
 */
public record ServicePlan(
        String chain,
        int services,
        List<Integer> only,
        int instances,
        Subject subject,
        LoopPlan loops,
        Sharing sharing,
        Edges edges,
        int summing,
        int failing,
        Chain provided,
        State state,
        Start start) {
    /**
     * Where the first service begins to read. Immutable, thread-safe.
     *
     * @param from null: where its consumer left off
     * @param consumer null: its own; with a position, one that is named after both
     */
    public record Start(StartPosition from, String consumer) {}

    /**
     * How a process shares the partitions of its services with others. Immutable, thread-safe.
     *
     * @param partitions of every topic
     * @param member name of this process in its group
     * @param sessionTimeout after which silence its partitions go to others
     * @param keepsPartitions whether they wait for it when it is asked to end
     */
    public record Sharing(int partitions, String member, Duration sessionTimeout, boolean keepsPartitions) {}

    /**
     * How services keep what they have of their inputs. Immutable, thread-safe.
     *
     * @param snapshots when those with a state save it
     * @param isSumSaved whether the service that adds its inputs up has a state; else it holds inputs
     */
    public record State(SnapshotPolicy snapshots, boolean isSumSaved) {
        /** What is so unless something is typed. */
        static final State USUAL = new State(SnapshotPolicy.standard(), false);
    }

    /**
     * What services do with an input topic that is not as they left it. Immutable, thread-safe.
     *
     * @param replacedInput when it is another topic than the one that their outputs answer
     * @param unreadable when it holds records that are no frames
     */
    public record Edges(ReplacedInput replacedInput, UnreadableFrames unreadable) {}

    /** A bound that a typing mistake meets before the machine does. */
    public static final int MOST_SERVICES = 1_000;

    /** As above. */
    public static final int MOST_INSTANCES = 100_000;

    public ServicePlan {
        only = List.copyOf(only);
        for (int number : only) {
            if (number < 1 || number > services) {
                throw new IllegalArgumentException("service " + number + "; the chain has 1 to " + services);
            }
        }
    }

    /** The same once it has started: what is opened again goes on. */
    ServicePlan started() {
        return start == null || start.from() == null
                ? this
                : new ServicePlan(
                        chain,
                        services,
                        only,
                        instances,
                        subject,
                        loops,
                        sharing,
                        edges,
                        summing,
                        failing,
                        provided,
                        state,
                        new Start(null, consumer()));
    }

    /** The consumer as which the first service reads; null: its own. */
    String consumer() {
        if (start == null || start.from() == null || start.consumer() != null) {
            return start == null ? null : start.consumer();
        }
        String service = toChain().services().get(first());
        String position = start.from().toString().replaceFirst("^[a-z]+ ", "").replace(':', '.');
        return chain + "." + service + ".from-" + position;
    }

    /** The topic that the first service reads. */
    String firstInput() {
        return toChain().topic(0, first());
    }

    /** The topic that the first service writes. */
    String firstOutput() {
        return toChain().topic(0, first() + 1);
    }

    private int first() {
        return Collections.min(only) - 1;
    }

    /** The names of those that run here. */
    public String[] names() {
        return only.stream()
                .map(number -> provided == null
                        ? ForwardingChain.service(number)
                        : provided.services().get(number - 1))
                .toArray(String[]::new);
    }

    /** The topic whose newest writer goes on where the newest wins: the output of the last service that runs here. */
    String decidingTopic() {
        return toChain().topic(0, only.isEmpty() ? 0 : only.get(only.size() - 1));
    }

    /** The whole chain. */
    Chain toChain() {
        if (provided != null) {
            return provided.renamed(chain);
        }
        Chain.Builder builder = Chain.named(chain);
        for (int service = 1; service <= services; service++) {
            String name = ForwardingChain.service(service);
            if (service == failing) {
                builder.then(name, FailingService::new, ErrorPolicy.deadLetter());
            } else {
                builder.then(
                        name,
                        service == summing
                                ? () -> new SummingService(state.isSumSaved())
                                : ForwardingChain::forwarding);
            }
        }
        return builder.build();
    }

    /** As people read it: {@code five s3}. */
    @Override
    public String toString() {
        return chain + " " + String.join(",", names());
    }
}
