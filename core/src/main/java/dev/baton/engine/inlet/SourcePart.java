package dev.baton.engine.inlet;

import dev.baton.Source;
import dev.baton.engine.chain.ChainState;
import dev.baton.engine.chain.Failures;
import dev.baton.engine.cycle.Part;
import dev.baton.engine.cycle.PartListener;
import dev.baton.engine.cycle.PendingPart;
import dev.baton.engine.cycle.Upstream;
import dev.baton.engine.loop.Loop;
import dev.baton.engine.writing.PendingOpens;
import dev.baton.engine.writing.WriterFactory;
import dev.baton.engine.writing.WriterOutlet;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import dev.baton.status.PartStatus;
import java.util.List;
import java.util.Objects;

/**
 * Drives a {@link Source} into a chain's first topic. A source that throws is rolled back like a service: none of the
 * messages that it sent in that call is in the topic. Confined to its loop.
 */
public final class SourcePart extends Part {
    /**
     * The messages that a source has accepted from other threads and has to send and report; a {@link Source} that accepts some implements
     * it. Called on the source's loop.
     */
    interface Debt {
        /** The debt of a source that accepts no messages: it is not called once the chain is closing. */
        Debt NONE = new Debt() {
            @Override
            public boolean isOwed() {
                return false;
            }

            @Override
            public void stored(long sequence) {}

            @Override
            public void ended() {}
        };

        /** Returns whether messages are unsent or unreported; the source is then called while the chain is closing. */
        boolean isOwed();

        /**
         * Returns whether nothing else keeps the messages: they are sent at the close even if the chain has failed, as long as the writer
         * works. The part has no status of its own then.
         */
        default boolean isOnlyCopy() {
            return false;
        }

        /** Reports the sequence up to which messages are stored. Called after every turn. */
        void stored(long sequence);

        /** Reports that no further message will be sent or stored, because the chain has failed or is closed. */
        void ended();
    }

    private final String topic;
    private final Source source;
    private final Debt debt;
    private final ChainState state;
    private final Loop loop;
    private final Loop reader; // null if the reader is on this loop or in another process
    private final WriterOutlet outlet;
    private final PartListener listening; // null if the chain has no listener
    private long closeByNanos; // 0 before the close begins

    private SourcePart(Pending from, PendingOpens openings) {
        super(from.state.environment(), from.drain());
        topic = from.topic;
        source = from.source;
        debt = from.debt;
        state = from.state;
        loop = from.loop;
        reader = from.reader;
        TopicWriter writer = from.writers.open(openings, topic);
        outlet = new WriterOutlet(from.writers.ofSource(writer, environment), 0, environment, null);
        listening = debt.isOnlyCopy() ? null : PartListener.of(state, PartStatus.SOURCE, topic, topic, writer);
    }

    /** A source whose topic is not open yet. */
    public static final class Pending extends PendingPart {
        private final String topic;
        private final Source source;
        private final Debt debt;
        private final ChainState state;
        private final WriterFactory writers;
        private final int instance;
        private final int partitions;
        private Loop loop;
        private Loop reader;

        /** Creates a part for the source of one instance, or of one partition. */
        public Pending(
                String topic, Source source, int instance, int partitions, ChainState state, WriterFactory writers) {
            this.topic = topic;
            this.source = Objects.requireNonNull(source, "the source factory returned null");
            this.debt = source instanceof Debt accepting ? accepting : Debt.NONE;
            this.instance = instance;
            this.partitions = partitions;
            this.state = state;
            this.writers = writers;
        }

        /**
         * Sets its loop and the loop that reads the topic. Called before the open.
         *
         * @param readingLoop loop to be woken; null if it is the same loop, or in another process
         */
        public void runsOn(Loop ownLoop, Loop readingLoop) {
            loop = ownLoop;
            reader = readingLoop;
        }

        @Override
        public String name() {
            return PartStatus.SOURCE;
        }

        @Override
        public void begin(PendingOpens openings) {
            writers.begin(openings, topic);
        }

        @Override
        public SourcePart open(PendingOpens openings, TopicWriter feeder) {
            SourcePart part = new SourcePart(this, openings);
            try {
                part.start(instance, partitions);
                return part;
            } catch (Throwable failure) {
                Failures.after(failure, part::close);
                throw failure;
            }
        }

        @Override
        public void dropped() {
            loop.call(debt::ended);
        }
    }

    private void start(int instance, int partitions) {
        try {
            source.onStart(new FeedContext(state.chain(), instance, partitions, topic, outlet, environment));
        } catch (RuntimeException | Error failure) {
            throw failure;
        } catch (Exception failure) {
            throw new IllegalStateException("the source of topic " + topic + " cannot start: " + failure, failure);
        }
    }

    @Override
    public String name() {
        return PartStatus.SOURCE;
    }

    @Override
    public TransportException failure() {
        return outlet.writer().failure();
    }

    @Override
    public int doWork() {
        TopicWriter writer = outlet.writer();
        if (drainedAt() != Upstream.NOT_YET || (state.isClosing() && !debt.isOwed())) {
            source.onStored(writer.storedSequence());
            return 0;
        }
        long before = writer.sequence();
        int work = tick(before);
        writer.flush();
        if (reader != null && writer.sequence() != before) {
            reader.wake();
        }
        if (listening != null) {
            listening.batch(0);
        }
        long stored = writer.storedSequence();
        debt.stored(stored);
        source.onStored(stored);
        return work;
    }

    private int tick(long before) {
        outlet.beginTurn();
        try {
            int sent = source.onTick(outlet);
            outlet.end();
            return sent;
        } catch (Throwable thrown) {
            outlet.rollBack(before);
            if (thrown instanceof Error error) {
                throw error;
            }
            if (failure() != null) {
                throw failure();
            }
            throw new IllegalStateException("the source of topic " + topic + " failed: " + thrown, thrown);
        }
    }

    /** Returns false for a source of the application, because it has no way to wake the loop. */
    @Override
    public boolean isWoken() {
        return debt != Debt.NONE && isDrained();
    }

    @Override
    public long deadlineNanos() {
        return source.deadlineNanos();
    }

    @Override
    public TopicWriter writer() {
        return outlet.writer();
    }

    @Override
    public long newestCommitNanos() {
        return outlet.sentNanos();
    }

    @Override
    public boolean hasNoRoom() {
        return state.failure() == null && outlet.writer().remainingCapacity() == 0;
    }

    @Override
    public boolean isDrained() {
        return !debt.isOwed()
                && outlet.writer().storedSequence() == outlet.writer().sequence();
    }

    @Override
    public PartStatus status() {
        return statusOf(null, topic);
    }

    @Override
    public List<PartStatus> statuses() {
        return debt.isOnlyCopy() ? List.of() : super.statuses();
    }

    @Override
    public void stopped() {
        debt.ended();
    }

    @Override
    public boolean tryClose() {
        if (!hasToSend() || state.isAbandoned() || failure() != null) {
            return true;
        }
        long now = environment.nanoTime();
        if (closeByNanos == 0) {
            closeByNanos = now + ChainState.RELEASE_NANOS / 2;
        }
        tick(outlet.writer().sequence());
        outlet.writer().flush();
        return !debt.isOwed() || now - closeByNanos >= 0;
    }

    private boolean hasToSend() {
        return debt.isOnlyCopy() && debt.isOwed();
    }

    @Override
    public void close() {
        try {
            tryClose();
            loop.call(this::endSource);
        } finally {
            if (hasToSend()) {
                state.warn("closed before messages that the inlet of topic " + topic
                        + " accepted were sent; they are lost");
            }
            closeWriter();
        }
    }

    private void endSource() {
        Failures.inOrder(() -> source.onStored(outlet.writer().storedSequence()), source::onClose);
    }

    private void closeWriter() {
        try {
            outlet.writer().close();
        } finally {
            loop.call(debt::ended);
        }
    }
}
