package dev.baton.engine.plan;

import dev.baton.Deployment.ReplacedInput;
import dev.baton.Deployment.UnreadableFrames;
import dev.baton.ErrorPolicy;
import dev.baton.Service;
import dev.baton.TickingService;
import dev.baton.engine.cycle.DutyCycle;
import dev.baton.engine.loop.Loop;
import dev.baton.engine.message.Replies;
import dev.baton.engine.writing.WriterFactory;
import dev.baton.spi.Incarnation;
import dev.baton.spi.StartPosition;
import dev.baton.spi.errors.TopicMismatchException;
import dev.baton.state.SnapshotPolicy;
import java.util.List;

/**
 * The configuration of one {@link DutyCycle}.
 *
 * @param place name and position of the part
 * @param topics topics of the part
 * @param service the service
 * @param errors error policy for messages that fail
 * @param turns how the part gets its turns
 * @param writers opens the output
 * @param edges where it begins, and what to do with inputs that are not the expected ones
 */
public record PartPlan(
        Place place,
        TopicNames topics,
        Service service,
        ErrorPolicy errors,
        Turns turns,
        WriterFactory writers,
        Edges edges) {
    /**
     * The name and position of a part.
     *
     * @param name name of the service
     * @param consumer consumer whose position in the input is kept
     * @param instance instance of the chain
     * @param hop number of the topic that it reads, 0 for the chain's first
     */
    public record Place(String name, String consumer, int instance, int hop) {}

    /**
     * The topics of a part.
     *
     * @param input topic to read
     * @param output topic to write; null at the end of the chain
     * @param deadLetters topic of the service's dead letters; null if the policy writes none
     * @param snapshots snapshot topic of a service with state; null for a service without state
     * @param retries topic of inputs that are set aside; null if the policy sets none aside
     */
    public record TopicNames(String input, String output, String deadLetters, Snapshots snapshots, Retries retries) {}

    /**
     * The snapshot topic of a service.
     *
     * @param isContested whether another process can take over only one of this topic and the output
     */
    public record Snapshots(String topic, boolean isContested) {}

    /**
     * The topic of inputs that are set aside.
     *
     * @param isKept whether the topic is kept when the process ends
     */
    public record Retries(String topic, boolean isKept) {}

    /**
     * The turns of a part.
     *
     * @param limit maximum number of inputs in one turn
     * @param loop loop that runs the part
     * @param next the loop that reads the output, if it is another one; otherwise null
     * @param concurrent service objects whose calls other threads make, the first of which is the service of the plan; empty
     *     if the loop calls the service
     */
    public record Turns(int limit, Loop loop, Loop next, List<Service> concurrent) {}

    /**
     * The behaviour of a part in special cases of its input.
     *
     * @param replacedInput action if the topic is not the one that its outputs answer
     * @param unreadable action for records that are not frames
     * @param maxHeld maximum number of inputs that a service may hold
     * @param isForeign whether another chain writes the input, which then never ends
     * @param snapshots when a service with state takes snapshots
     * @param startAt position at which it begins to read; {@code StartPosition.stored()} for the position of its consumer
     * @param replies receives the messages of requests; null unless the part reads the last topic of a chain
     * @param isPassive whether its position in the input is not kept, as it reads for replies only
     */
    public record Edges(
            ReplacedInput replacedInput,
            UnreadableFrames unreadable,
            int maxHeld,
            boolean isForeign,
            SnapshotPolicy snapshots,
            StartPosition startAt,
            Replies replies,
            boolean isPassive) {}

    public String name() {
        return place.name();
    }

    public String input() {
        return topics.input();
    }

    public String output() {
        return topics.output();
    }

    /** Returns whether outputs belong to the requests of their inputs, which end where a chain reads a foreign topic. */
    public boolean passesRequestsOn() {
        return output() != null && !edges.isForeign();
    }

    public String deadLetters() {
        return topics.deadLetters();
    }

    public String snapshots() {
        return topics.snapshots() == null ? null : topics.snapshots().topic();
    }

    public Loop loop() {
        return turns.loop();
    }

    /**
     * Throws if the part begins at another position although earlier outputs exist: they would answer redelivered inputs,
     * or leave inputs out.
     */
    public void checkStart(long newestOutput) {
        if (!edges.startAt().isStored() && newestOutput > 0) {
            throw refusedStart(output(), newestOutput, edges.startAt());
        }
    }

    public static TopicMismatchException refusedStart(String output, long newestOutput, StartPosition from) {
        return new TopicMismatchException(
                "topic '" + output + "' holds " + newestOutput
                        + " frames already, after which the chain continues; one that starts at " + from
                        + " needs topics of its own",
                TopicMismatchException.Remedy.OWN_TOPICS);
    }

    /** Returns the service as it ticks, without its interceptors; null for a service that does not tick. */
    public TickingService ticking() {
        return InterceptedService.innermost(service) instanceof TickingService ticking ? ticking : null;
    }

    /** Returns whether inputs are acknowledged later than their outputs are stored, and are redelivered after a restart. */
    public boolean keepsInputs() {
        return service.holdsInputs() || snapshots() != null || edges.isPassive();
    }

    /** Returns the maximum number of outputs of one input. */
    public int maxOutputs() {
        int most = service.maxOutputs();
        if (most < 0) {
            throw new IllegalArgumentException("service " + name() + ": maxOutputs is " + most);
        }
        return most;
    }

    /** Returns the topology of the writers of the input; {@link Incarnation#NO_TOPOLOGY} if another chain writes it. */
    public String inputTopology() {
        return edges.isForeign() ? Incarnation.NO_TOPOLOGY : writers.topology();
    }

    /** Throws if the error policy cannot be used with the service. */
    public void checkErrors() {
        if (topics.retries() != null && keepsInputs()) {
            throw new IllegalArgumentException(
                    "service " + name()
                            + (snapshots() == null
                                    ? " holds inputs, which it needs"
                                    : " has a state, which needs its inputs")
                            + " in order, so its error policy cannot set messages aside; use ErrorPolicy.retry without perKey()");
        }
        if (keepsInputs() && !service.isFailureAtomic() && errors.continuesAfterFailures()) {
            throw new IllegalArgumentException("service " + name()
                    + (snapshots() == null ? " holds inputs" : " has a state")
                    + ", and its error policy delivers a failed message again or skips it: what the service changed before"
                    + " it threw would count twice. If onMessage changes the state last, after everything that may throw,"
                    + " return true from Service.isFailureAtomic; otherwise use ErrorPolicy.stop() for it, with"
                    + " RestartPolicy.afterServiceFailures() to deliver the message again with the state restored");
        }
    }

    /** Throws if the service may have more outputs for one input than its topic takes at once. */
    public void checkCapacity(int capacity) {
        if (maxOutputs() > capacity) {
            throw new IllegalArgumentException("service " + name() + " may produce " + maxOutputs()
                    + " outputs per input, topic " + output() + " takes " + capacity + " at once");
        }
    }
}
