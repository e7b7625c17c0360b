package dev.baton.engine;

import dev.baton.Deployment.UnreadableFrames;
import dev.baton.RunningChain;
import dev.baton.engine.chain.Failures;
import dev.baton.engine.cycle.SinkService;
import dev.baton.engine.plan.ChainPlan;
import dev.baton.engine.plan.ForeignTopic;
import dev.baton.run.Environment;
import dev.baton.spi.Guarantee;
import dev.baton.spi.ObservingConsumer;
import dev.baton.spi.StartPosition;
import dev.baton.spi.Transport;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeoutException;

/**
 * The readers of replies in a process whose chain does not read the last topic itself: one observing consumer for each
 * partition, which begins after the newest message, stores no progress and holds nothing back. It is forgotten at the close;
 * that of a process that was killed, or that the transport opened after the limit, remains until it is forgotten by its name.
 * Thread-safe.
 *
 * @param topics topics that are read; none if the output handler runs in this process
 * @param consumer consumer of all of them
 * @param readers open readers, in the order of the topics
 */
record ReplyReaders(
        Transport transport, Environment environment, List<String> topics, String consumer, List<RunningChain> readers)
        implements AutoCloseable {
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1); // they have at most what the topics hold now

    /** Opens the readers for a started chain. */
    static ReplyReaders open(ChainStart start) {
        if (start.settings().output != null) {
            return new ReplyReaders(
                    start.transport(), start.settings().loops.environment(), List.of(), null, List.of());
        }
        if (!start.transport().guarantees().contains(Guarantee.DURABLE)) {
            throw new IllegalStateException("transport " + start.transport().name()
                    + " is not durable, so that a reader of replies would hold the last topic back; set onOutput(...) in the"
                    + " process that sends the requests, which then reads the replies");
        }
        String reader = "replies-" + Long.toHexString(UUID.randomUUID().getMostSignificantBits());
        ReplyReaders opened = new ReplyReaders(
                start.transport(),
                start.settings().loops.environment(),
                start.lastTopics(),
                ObservingConsumer.name(reader),
                new ArrayList<>());
        try {
            for (String topic : opened.topics) {
                ChainPlan reading = new ChainPlan(
                        start.name() + ".replies", new ForeignTopic(topic, null, reader, true), List.of());
                opened.readers.add(new ChainStart(reading, start.transport(), settings(start.settings())).start());
            }
            return opened;
        } catch (Throwable failure) {
            Failures.after(failure, opened::close);
            throw failure;
        }
    }

    private static RunSettings settings(RunSettings ofChain) {
        RunSettings reading = new RunSettings();
        reading.loops = ofChain.loops;
        reading.openLimit = ofChain.openLimit;
        reading.unreadable =
                ofChain.unreadable == UnreadableFrames.STOP ? UnreadableFrames.STOP : UnreadableFrames.SKIP;
        reading.startAt = StartPosition.latest();
        reading.output = () -> new SinkService(in -> {});
        reading.onFailure = ofChain.replies::failed;
        reading.replies = ofChain.replies;
        reading.isPassive = true;
        return reading;
    }

    @Override
    public void close() {
        RunningChain.closeAll(readers, CLOSE_LIMIT);
        forget(transport, environment, topics, consumer);
    }

    /** Forgets an observing consumer of all topics at once, as a transport may watch each for seconds. */
    static void forget(Transport transport, Environment environment, List<String> topics, String consumer) {
        boolean wasInterrupted = Thread.interrupted(); // transports do not forget in an interrupted thread
        try {
            if (topics.size() > 1 && environment.workers("forget-" + consumer) instanceof ExecutorService pool) {
                CompletableFuture<Void> all = CompletableFuture.allOf(topics.stream()
                        .map(topic -> CompletableFuture.runAsync(() -> forget(transport, topic, consumer), pool))
                        .toArray(CompletableFuture<?>[]::new));
                pool.shutdown(); // ends its threads behind these calls
                while (!all.isDone()) { // also if interrupted meanwhile, as the caller may close the transport next
                    wasInterrupted |= isInterruptedAwait(environment, all);
                }
            } else {
                topics.forEach(topic -> forget(transport, topic, consumer));
            }
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static boolean isInterruptedAwait(Environment environment, CompletableFuture<Void> all) {
        try {
            environment.await(all, Long.MAX_VALUE);
            return false;
        } catch (InterruptedException interrupted) {
            return true;
        } catch (ExecutionException | TimeoutException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static void forget(Transport transport, String topic, String consumer) {
        try {
            transport.forgetConsumer(topic, consumer);
        } catch (RuntimeException kept) { // it holds nothing back
            System.getLogger("dev.baton")
                    .log(Level.DEBUG, "consumer " + consumer + " of topic " + topic + " is not forgotten", kept);
        }
    }
}
