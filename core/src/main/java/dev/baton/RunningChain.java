package dev.baton;

import dev.baton.run.Environment;
import dev.baton.run.Loop;
import dev.baton.run.Loops;
import dev.baton.spi.Connection;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * One instance of a chain that runs. Closing it stops its input, passes on what is in its topics, waits until that is
 * stored and acknowledged, and releases everything. Thread-safe; with manual loops confined to the thread that turns
 * them.
 */
public final class RunningChain implements AutoCloseable {
    /** How long {@link #close()} waits for what is in hand. */
    public static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    private static final Duration OPEN_LIMIT = Duration.ofSeconds(60);
    private static final Duration RELEASE_LIMIT = Duration.ofSeconds(10);
    private static final long CHECK_NANOS = 200_000;

    private final String inletTopic;
    private final Transport transport;
    private final Loops loops;
    private final Environment environment;
    private final ChainState state;
    private final Duration sendLimit;
    private final Supplier<Connection> entrance;
    private final Writers writers;
    private final List<PlacedSection> sections = new CopyOnWriteArrayList<>(); // read by who asks for the status
    private Stage first; // null: the first service runs elsewhere
    private Loop firstLoop;
    private ThreadInlet inlet;
    private SharedInlet sharedInlet;
    private boolean hasSource;
    private boolean isClosed;
    private boolean wasDrained; // what the first close answered, false for a chain that was abandoned

    /**
     * Prepares to run.
     *
     * @param entrance opens the connection of the {@link #inlet}, on the thread that uses it first
     */
    RunningChain(
            String inletTopic,
            Transport transport,
            Loops loops,
            ChainState state,
            Duration sendLimit,
            Supplier<Connection> entrance,
            Writers writers) {
        this.inletTopic = inletTopic;
        this.transport = transport;
        this.loops = loops;
        this.environment = state.environment();
        this.state = state;
        this.sendLimit = sendLimit;
        this.entrance = entrance;
        this.writers = writers;
    }

    /** Opens everything on its loop, from the end of the chain to its beginning; on failure closes what was opened. */
    void start(Feed feed, List<PlacedPart> stages) {
        linkUpstreams(stages);
        List<PlacedSection> placed = sectionsOf(feed, stages);
        try {
            for (int i = placed.size() - 1; i >= 0; i--) {
                await(placed.get(i).loop().add(placed.get(i).section()), OPEN_LIMIT, "open");
                sections.add(0, placed.get(i));
            }
        } catch (RuntimeException | Error failure) {
            state.fail(failure);
            release();
            placed.forEach(each -> loops.retire(each.loop()));
            throw failure;
        }
    }

    private void linkUpstreams(List<PlacedPart> stages) {
        for (int i = 1; i < stages.size(); i++) {
            if (stages.get(i - 1).topic() == stages.get(i).topic() - 1) {
                ((Stage) stages.get(i).part()).follow(stages.get(i - 1).part());
            }
        }
        if (!stages.isEmpty() && stages.get(0).topic() == 0) {
            first = (Stage) stages.get(0).part();
            firstLoop = stages.get(0).loop();
        }
    }

    private List<PlacedSection> sectionsOf(Feed feed, List<PlacedPart> stages) {
        List<PlacedPart> parts = new ArrayList<>(stages);
        if (feed != null) {
            hasSource = true;
            Loop loop = firstLoop == null || loops.splitsChains() ? loops.nextLoop() : firstLoop;
            parts.add(0, new PlacedPart(-1, feed, loop));
            feed.wakes(loop == firstLoop ? null : firstLoop);
            if (first != null) {
                first.follow(feed);
            }
        }
        int sweeps = transport.guarantees().contains(Guarantee.IMMEDIATE) ? 1 : parts.size();
        List<PlacedSection> placed = new ArrayList<>();
        List<Part> together = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            together.add(parts.get(i).part());
            if (i + 1 == parts.size() || !isSwept(parts.get(i), parts.get(i + 1))) {
                placed.add(new PlacedSection(
                        new Section(transport, state, together, sweeps),
                        parts.get(i).loop()));
                together.clear();
            }
        }
        return placed;
    }

    /** Whether the second part reads what the first writes, on the same loop. */
    private static boolean isSwept(PlacedPart part, PlacedPart next) {
        return part.loop() == next.loop() && part.topic() + 1 == next.topic();
    }

    /**
     * The entrance for one thread.
     *
     * @throws IllegalStateException when the chain has another entrance already
     */
    public synchronized Inlet inlet() {
        checkEntrance(inlet == null && (hasSource || sharedInlet != null));
        if (inlet == null) {
            inlet = new ThreadInlet(inletTopic, entrance, state, firstLoop, sendLimit.toNanos(), writers);
            if (first != null) {
                first.follow(inlet);
            }
        }
        return inlet;
    }

    /**
     * The entrance for many threads.
     *
     * @param capacity messages that may wait for the loop
     * @throws IllegalStateException when the chain has another entrance already
     */
    public synchronized SharedInlet sharedInlet(int capacity) {
        checkEntrance(hasSource || inlet != null || sharedInlet != null);
        SharedInlet shared = new SharedInlet(capacity, writers.maxPayload(), state);
        Feed feed = new Feed(inletTopic, shared::drainTo, shared::isHolding, state, writers);
        Loop loop = firstLoop == null ? loops.nextLoop() : firstLoop;
        Section section = new Section(transport, state, List.of(feed), 1);
        await(loop.add(section), OPEN_LIMIT, "open");
        if (first != null) {
            first.follow(feed);
        }
        sections.add(0, new PlacedSection(section, loop));
        shared.wakeWith(loop::wake);
        sharedInlet = shared;
        return shared;
    }

    private void checkEntrance(boolean isTaken) {
        if (isClosed) {
            throw new IllegalStateException("the chain of topic " + inletTopic + " is closed");
        }
        if (isTaken) {
            throw new IllegalStateException("topic " + inletTopic + " has one writer already: "
                    + (hasSource ? "a source" : inlet != null ? "inlet()" : "sharedInlet(...)"));
        }
    }

    /**
     * How the chain is, and where each of its parts stands. Asks the loops, which answer between two sweeps, and costs
     * them nothing otherwise; waits for {@link ChainStatus#PATIENCE} at most. With manual loops the caller is the one that
     * turns them.
     */
    public ChainStatus status() {
        return ChainStatus.of(state.chain(), state.phase(), state.failure(), sections, environment);
    }

    /** What stopped the chain, if anything did. */
    public Optional<Throwable> failure() {
        return Optional.ofNullable(state.failure());
    }

    /** Closes within {@link #CLOSE_LIMIT} and the time that the transport needs to close. */
    @Override
    public void close() {
        close(CLOSE_LIMIT);
    }

    /**
     * Stops the input, passes on and stores what is in hand for as long as {@code limit} allows, releases everything.
     * What could not be passed on stays in its topic on durable transports and is lost on others. Idempotent.
     *
     * @return whether everything was passed on and stored; of a chain that was closed before, what that close answered
     */
    public synchronized boolean close(Duration limit) {
        if (isClosed) {
            return wasDrained;
        }
        isClosed = true;
        stopInlet();
        state.beginClosing();
        wasDrained = drain(environment.nanoTime() + limit.toNanos());
        if (!wasDrained && state.failure() == null) {
            state.warn("closed after " + limit.toMillis() + " ms with messages in hand");
        }
        release();
        state.endClosing();
        return wasDrained;
    }

    /** Takes nothing more from {@link #inlet}; for who closes several chains whose inlets share a thread. */
    synchronized void stopInlet() {
        if (inlet != null) {
            inlet.stop();
        }
    }

    /** Stops at once and remembers nothing: another process may be at work in these topics already. Idempotent. */
    synchronized void abandon() {
        if (!isClosed) {
            isClosed = true;
            state.abandon();
            release();
            state.endClosing();
        }
    }

    List<PlacedSection> sections() {
        return sections;
    }

    private boolean drain(long deadlineNanos) {
        while (!isDrained()) {
            if (state.failure() != null || environment.nanoTime() - deadlineNanos >= 0) {
                return false;
            }
            if (firstLoopIsManual()) {
                loops.turn();
            } else {
                sections.forEach(each -> each.loop().sweepSoon());
                environment.park(CHECK_NANOS);
            }
        }
        return true;
    }

    private boolean isDrained() {
        if (inlet != null && inlet.isUsed() && !inlet.isStored()) {
            return false;
        }
        return sections.stream().allMatch(each -> each.section().isDrained());
    }

    private boolean firstLoopIsManual() {
        return !sections.isEmpty() && sections.get(0).loop().isManual();
    }

    private void release() {
        if (inlet != null) {
            quietly(inlet::close);
        }
        List<CompletableFuture<Void>> closing = new ArrayList<>();
        for (PlacedSection each : sections) {
            closing.add(each.loop().remove(each.section()));
        }
        for (CompletableFuture<Void> each : closing) {
            quietly(() -> await(each, RELEASE_LIMIT, "close"));
        }
        sections.forEach(each -> loops.retire(each.loop()));
        sections.clear();
    }

    private void quietly(Runnable closing) {
        try {
            closing.run();
        } catch (RuntimeException atClose) {
            state.warn("while closing: " + atClose.getMessage());
        }
    }

    private void await(CompletableFuture<Void> done, Duration limit, String what) {
        try {
            environment.await(done, limit.toNanos());
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new CompletionException(failed.getCause());
        } catch (TimeoutException late) {
            throw new IllegalStateException("a loop did not " + what + " its part of the chain within " + limit, late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }
}
