package dev.baton.engine.writing;

import dev.baton.run.Environment;
import dev.baton.spi.Connection;
import dev.baton.spi.Opening;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * The writers and readers that share a connection and are opened together, in two steps: all of them are begun on the
 * connection's thread, prepared by another one, in the same order, and finished on the connection's thread again.
 *
 * <p>Confined to the connection's thread, except for {@link #prepare} and {@link #withdraw}.
 */
public final class PendingOpens {
    /**
     * One {@link Opening}, whose steps are called by threads that do not wait for each other. If another thread withdraws it
     * while it is being prepared, the preparing thread releases it.
     */
    private static final class Pending<T> {
        private enum State {
            BEGUN,
            PREPARED,
            FINISHED,
            WITHDRAWN
        }

        private final Opening<T> opening;
        private final AtomicReference<State> state = new AtomicReference<>(State.BEGUN);

        Pending(Opening<T> opening) {
            this.opening = opening;
        }

        boolean isAtOnce() {
            return opening.isAtOnce();
        }

        /** Does the steps that may block. Called once. */
        void prepare() {
            checkWanted();
            opening.prepare();
            if (!state.compareAndSet(State.BEGUN, State.PREPARED)) {
                opening.withdraw();
                checkWanted();
            }
        }

        /** Completes the opening after {@link #prepare}, on the connection's thread. Called once. */
        T finish() {
            if (!state.compareAndSet(State.PREPARED, State.FINISHED)) {
                throw new IllegalStateException("cannot be opened, as it is " + state.get());
            }
            return opening.finish();
        }

        /**
         * Releases an opening that is prepared and not finished. If it is being prepared, {@link #prepare} releases it at its
         * end. Idempotent.
         */
        void withdraw() {
            if (state.compareAndSet(State.PREPARED, State.WITHDRAWN)) {
                opening.withdraw();
            } else if (!state.compareAndSet(State.BEGUN, State.WITHDRAWN)
                    && state.compareAndSet(State.PREPARED, State.WITHDRAWN)) {
                opening.withdraw(); // it was prepared between the two checks
            }
        }

        private void checkWanted() {
            if (state.get() == State.WITHDRAWN) {
                throw new IllegalStateException("withdrawn while it was opened");
            }
        }
    }

    /** An opening that is begun, prepared and finished in one step. */
    private static final class AtOnce<T> implements Opening<T> {
        private final Supplier<Opening<T>> begin;
        private Opening<T> begun;

        AtOnce(Supplier<Opening<T>> begin) {
            this.begin = begin;
        }

        @Override
        public boolean isAtOnce() {
            return true;
        }

        @Override
        public void prepare() {}

        @Override
        public T finish() {
            begun = begin.get();
            return begun.open();
        }

        @Override
        public void requireNewest() {
            begun.requireNewest();
        }

        @Override
        public void withdraw() {}
    }

    /** The check of a prepared opening, as a step of the preparation. */
    private record Check(Opening<TopicWriter> of) implements Opening<Void> {
        @Override
        public void prepare() {
            of.requireNewest();
        }

        @Override
        public Void finish() {
            return null;
        }

        @Override
        public void withdraw() {}
    }

    private final Connection connection;
    private final boolean isAtOnce;
    private final Map<String, Pending<TopicWriter>> writers = new HashMap<>();
    private final Map<String, Pending<TopicReader>> readers = new HashMap<>();
    private final List<Pending<?>> all = new CopyOnWriteArrayList<>();

    /**
     * Creates an empty set of openings.
     *
     * @param isAtOnce whether the connection's thread opens everything in one step, without a separate preparation
     */
    public PendingOpens(Connection connection, boolean isAtOnce) {
        this.connection = connection;
        this.isAtOnce = isAtOnce;
    }

    /** Returns whether an await of the connection ends with each input of its readers. */
    public boolean awaitsNews() {
        return connection.awaitsNews();
    }

    /** Begins to open the writer of a topic. */
    void beginWriter(String topic, String topology) {
        add(topic, writers, () -> connection.beginWriter(topic, topology));
    }

    /**
     * Begins to check that a writer, begun before, is still its topic's newest one when everything begun before the check is open.
     * {@link #check} follows when that is so.
     */
    public void beginCheck(String topic) {
        Opening<TopicWriter> opening = writers.get(topic).opening;
        if (!opening.isAtOnce()) {
            all.add(new Pending<>(new Check(opening)));
        }
    }

    /** Completes the check of an opening without a preparation; it may block as that opening does. */
    public void check(String topic) {
        Opening<TopicWriter> opening = writers.get(topic).opening;
        if (opening.isAtOnce()) {
            opening.requireNewest();
        }
    }

    /** Begins to open a reader, the only one of its topic in this set. */
    public void beginReader(String topic, String consumer, StartPosition from) {
        add(topic, readers, () -> connection.beginReader(topic, consumer, from));
    }

    private <T> void add(String topic, Map<String, Pending<T>> opens, Supplier<Opening<T>> begin) {
        Pending<T> pending = new Pending<>(isAtOnce ? new AtOnce<>(begin) : begin.get());
        opens.put(topic, pending);
        all.add(pending);
    }

    /**
     * Does the steps of all openings that may block. Called once, by any thread, after the last opening was begun. If the result
     * is a failure, {@link #withdraw} must be called.
     *
     * @param check run before each opening and at the end; an exception ends the preparation
     * @param isHere whether the calling thread may block; otherwise a thread of the environment does the steps, if there are any
     * @return a future that completes when all openings are prepared, or with the first failure
     */
    public CompletableFuture<Void> prepare(Runnable check, boolean isHere, Environment environment) {
        CompletableFuture<Void> prepared = new CompletableFuture<>();
        Executor threads =
                isHere || all.stream().allMatch(Pending::isAtOnce) ? Runnable::run : environment.workers("opening");
        threads.execute(() -> {
            try {
                for (Pending<?> each : all) {
                    check.run();
                    each.prepare();
                }
                check.run();
                prepared.complete(null);
            } catch (Throwable failure) {
                prepared.completeExceptionally(failure);
            }
        });
        if (threads instanceof ExecutorService pool) {
            pool.shutdown(); // ends its thread behind the preparation
        }
        return prepared;
    }

    public Connection connection() {
        return connection;
    }

    TopicWriter writer(String topic) {
        return writers.get(topic).finish();
    }

    public TopicReader reader(String topic) {
        return readers.get(topic).finish();
    }

    /**
     * Releases the openings that are not finished. An opening that another thread is preparing is released by that thread.
     * Finished openings belong to the caller that finished them. Any thread; idempotent.
     */
    public void withdraw() {
        RuntimeException failure = null;
        for (Pending<?> each : all) {
            try {
                each.withdraw();
            } catch (RuntimeException thrown) {
                failure = thrown;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
