package dev.baton.lab.trial;

import dev.baton.Chain;
import dev.baton.Deployment;
import dev.baton.RunningChain;
import dev.baton.lab.request.PlacedTrial;
import dev.baton.lab.request.TrialPlan;
import dev.baton.measuring.data.TransportProperties;
import dev.baton.measuring.rig.RigOutcome;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.run.Loops;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.TransportException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.agrona.CloseHelper;

/**
 * The chains of Baton's that a trial runs, over one transport and on one set of loops: started one by one, stopped
 * together, and removed with all their topics. Called by the trial's thread alone.
 */
public class TrialChains extends RigOutcome implements AutoCloseable {
    /** Longer than the longest stall of a host that was seen, 1.1 s. */
    private static final long REST_NANOS = 2_000_000_000L;

    private static final Duration AT_ONCE = Duration.ofMillis(1);

    private final Transport transport;
    private final Loops loops;
    private final LoopPlan plan;
    private final boolean isKept;
    private final List<String> topics = new ArrayList<>();
    private final Map<Integer, RunningChain> running = new LinkedHashMap<>(); // by instance
    private boolean isClosed;

    /**
     * Opens the transport and loops as planned. May block.
     *
     * @throws CommandException when they cannot be opened; nothing is left open then
     */
    TrialChains(PlacedTrial trial, Supplier<Transport> transport) {
        plan = trial.plan().loops();
        isKept = trial.place().isKept();
        loops = loops(trial.plan());
        try {
            this.transport = transport.get();
        } catch (RuntimeException refused) {
            loops.close();
            throw refused;
        }
    }

    /** Over the transport that a plan names. */
    public static TrialChains open(PlacedTrial trial) {
        return new TrialChains(trial, () -> Transports.open(trial));
    }

    /**
     * The threads that a plan names.
     *
     * @throws CommandException when its words are not known or not allowed, or this JVM has no such threads
     */
    public static Loops loops(TrialPlan plan) {
        try {
            return Checks.allowed("", plan.loops()::open);
        } catch (UnsupportedOperationException missing) {
            throw CommandException.environment(missing.getMessage(), missing);
        }
    }

    /** {@return the properties of the transport, with its guarantees} */
    public TransportProperties properties() {
        return Transports.properties(transport);
    }

    /** Makes topics, which are removed in the end unless the place keeps them. May block. */
    public void createTopics(Collection<String> names) {
        if (!isKept) {
            topics.addAll(names);
        }
        createKeptTopics(names);
    }

    /** Makes topics that other processes use as well; their starter removes them. May block. */
    void createKeptTopics(Collection<String> names) {
        Transports.guarded("cannot create " + names.size() + " topics: ", () -> {
            transport.createTopics(names);
            return transport;
        });
    }

    /**
     * Starts an instance of a chain, ready to carry messages when this returns. May block.
     *
     * @param instance from 0; people count from 1
     * @param ends gives the deployment its ends
     * @return the running chain, which {@link #stop} closes
     */
    public RunningChain start(Chain chain, int instance, UnaryOperator<Deployment> ends) {
        RunningChain started = Transports.guarded("cannot start instance " + (instance + 1) + ": ", () -> {
            Deployment deployment = chain.on(transport).instance(instance).with(loops);
            return ends.apply(plan.batched(deployment))
                    .onFailure(cause -> failed(cause, instance))
                    .start();
        });
        running.put(instance, started);
        return started;
    }

    /** Ends all chains and threads; in-flight messages may be drained within the limit. Idempotent. */
    public void stop(Duration limit) {
        if (limit.toNanos() >= REST_NANOS) {
            waitedFor.addAll(running.keySet());
        }
        RunningChain.closeAll(running.values(), limit);
        running.forEach((instance, chain) -> {
            boolean isDrained = chain.close(Duration.ZERO); // as it was answered
            if (isDrained || chain.failure().isPresent()) {
                drained.add(instance);
            }
        });
        running.clear();
        loops.close();
    }

    /**
     * {@return whether the consumers of all these topics, in any process, have acknowledged all messages ever written; false where the
     * transport cannot report it} May block. After {@link #stop}.
     *
     * @param topics of one chain, in its order, so that a drained topic gets no more messages from those before it
     */
    boolean haveConsumed(List<String> topics) {
        try {
            return topics.stream().allMatch(this::hasConsumed);
        } catch (TransportException cannotTell) {
            return false;
        }
    }

    /**
     * Checks that topics which other processes use as well contain no unconsumed messages, which would come out during the trial. If the
     * transport cannot report it, nothing is refused.
     *
     * @throws CommandException that names the first one that does
     */
    void requireConsumed(List<String> names) {
        try {
            for (String name : names) {
                if (!hasConsumed(name)) {
                    throw CommandException.environment("topic " + name + " holds messages of an earlier run that nobody"
                            + " has handled; wait until its services have, or run them under another --name");
                }
            }
        } catch (TransportException cannotTell) {
            // then nobody knows
        }
    }

    private boolean hasConsumed(String topic) {
        try (TopicInspector inspector = transport.inspect(topic)) {
            long newest = inspector.newestSequence();
            Collection<Long> acknowledged = inspector.acknowledged().values();
            return newest == 0
                    || !acknowledged.isEmpty() && acknowledged.stream().allMatch(each -> each >= newest);
        }
    }

    /** Removes the topics and closes the transport; stops chains that still run first. Idempotent. */
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        CloseHelper.closeAll(() -> stop(AT_ONCE), () -> transport.deleteTopics(topics), transport);
    }
}
