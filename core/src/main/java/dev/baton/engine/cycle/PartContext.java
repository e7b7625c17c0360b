package dev.baton.engine.cycle;

import dev.baton.ConfigurationException;
import dev.baton.Message;
import dev.baton.Serde;
import dev.baton.ServiceContext;
import dev.baton.ValueCodec;
import dev.baton.engine.message.InboundMessage;
import dev.baton.engine.plan.PartPlan;
import dev.baton.engine.state.KeyedStates;
import dev.baton.engine.writing.FrameWriter;
import dev.baton.engine.writing.TickRound;
import dev.baton.run.Environment;
import dev.baton.spi.Incarnation;
import dev.baton.spi.PartitionTopic;
import dev.baton.spi.TopicWriter;
import dev.baton.state.KeyedState;
import dev.baton.status.PartStatus;

/** The context of a {@link DutyCycle}'s service, and the inputs that the service holds. Confined to its loop. */
final class PartContext implements ServiceContext {
    private static final long NOTHING_SAID = Long.MIN_VALUE;

    private final String chain;
    private final PartPlan plan;
    private final Environment environment;
    private final boolean holds;
    private final TopicWriter writer;
    private final long redeliveredUpTo;
    private final long inputIdentity;
    private final long ownOffset; // from this process's clock to the wall clock

    private long inputOffset; // from the clock of the input's writer to the wall clock
    private final InboundMessage message; // the current input
    private final KeyedStates keyed; // null for a service without keyed state
    private long tickNanos;
    private long tickCount;
    private boolean inTick;
    private boolean isRepeating; // the tick repeats one of an earlier run
    // Two times, because a restart delivers inputs again, but does not repeat each tick between them.
    private long inputTime = Long.MIN_VALUE; // newest one that an input read
    private long tickTime = Long.MIN_VALUE; // newest one that a tick read
    private long heldFrom = NOTHING_SAID; // set by the callback in progress
    private long deferred = NOTHING_SAID; // applied when all outputs of a tick are sent
    private final TickRound round; // null for a service that holds no inputs
    private long newestSentNanos = Message.UNKNOWN_TIME; // of the newest input, by this process's clock

    PartContext(
            String chain,
            PartPlan plan,
            Environment environment,
            FrameWriter output,
            long redeliveredUpTo,
            InboundMessage message,
            long inputIdentity) {
        this.chain = chain;
        this.plan = plan;
        this.environment = environment;
        this.holds = plan.service().holdsInputs();
        this.writer = output.writer();
        this.round = output.round();
        this.redeliveredUpTo = redeliveredUpTo;
        this.message = message;
        this.inputIdentity = inputIdentity;
        int version = plan.service().keyedStateVersion();
        this.keyed = version < 0
                ? null
                : new KeyedStates(plan.name(), plan.input(), version, environment, this::time, this::call);
        Incarnation own = writer.incarnation();
        this.ownOffset = own == null ? environment.wallNanos() - environment.nanoTime() : own.wallOffsetNanos();
        this.inputOffset = ownOffset;
    }

    /** Returns the context of a service object whose calls are made by other threads. */
    PartContext ofCall(FrameWriter outputs, InboundMessage input) {
        return new PartContext(chain, plan, environment, outputs, redeliveredUpTo, input, inputIdentity);
    }

    /** Sets the writer of the following inputs to that of another context. */
    void inputsAsIn(PartContext other) {
        inputOffset = other.inputOffset;
    }

    /** Returns the difference between the wall clock and the clock of the writer of the current input. */
    long inputOffset() {
        return inputOffset;
    }

    /** Sets that difference, for an input that another writer than that of the input topic's next frame has written. */
    void inputOffset(long nanos) {
        inputOffset = nanos;
    }

    Environment environment() {
        return environment;
    }

    /** Sets the incarnation that wrote the following inputs; null if the transport does not report it. */
    void inputsOf(Incarnation author) {
        inputOffset = author == null ? ownOffset : author.wallOffsetNanos();
    }

    /** Sets the time of a restored state, which is a lower bound of the time from then on. */
    public void restoredTime(long nanos) {
        inputTime = nanos;
    }

    /** Returns the time of the newest input that read it. */
    public long newestTime() {
        return inputTime;
    }

    /** Begins a tick at the current time, which lasts until {@link #endTick}. */
    void beginTick() {
        beginTick(environment.nanoTime());
    }

    /** Begins a tick at a time of this process's clock, to which a time of an earlier run is converted. */
    void beginTick(long nanos) {
        inTick = true;
        tickCount++;
        message.handled(false);
        tickNanos = nanos;
    }

    /** Marks the current tick as the repetition of a tick of an earlier run. */
    void repeatTick() {
        isRepeating = true;
    }

    /** Ends the tick; the following callbacks have a current input. */
    void endTick() {
        inTick = false;
        isRepeating = false;
        message.handled(true);
    }

    /** Returns the tick's time by this process's clock, which is the origin time of its outputs. */
    long tickNanos() {
        return tickNanos;
    }

    /** Converts a time of the wall clock to this process's clock. */
    long nanosAt(long wallNanos) {
        return wallNanos - ownOffset;
    }

    /** Records the time of the last current input. Called before its memory may change. */
    void recordSentTime() {
        if (message.frame() != null) { // null if all inputs so far were answered before
            newestSentNanos = message.frame().sentNanos() + inputOffset - ownOffset;
        }
    }

    /**
     * Returns an upper bound of the time that the oldest unconsumed input has waited: it is not older than the input before
     * it.
     *
     * @param isBehind whether it may have been in the topic when the part last polled
     */
    long unreadNanos(long backlog, boolean isBehind) {
        if (backlog <= 0) {
            return backlog;
        }
        if (newestSentNanos == Message.UNKNOWN_TIME) {
            return PartStatus.UNKNOWN;
        }
        return isBehind ? Math.max(0, environment.nanoTime() - newestSentNanos) : 0;
    }

    /**
     * Applies the hold that the callback has set, unless outputs of a tick are still due: after a restart these outputs are
     * computed from inputs that the hold may release. Called when the callback has succeeded.
     */
    void applyHold(Acknowledgements acknowledgements) {
        if (heldFrom != NOTHING_SAID) {
            deferred = heldFrom;
            heldFrom = NOTHING_SAID;
        }
        if (deferred != NOTHING_SAID && (!isRoundOpen() || deferred < acknowledgements.heldFrom())) {
            acknowledgements.holdFrom(deferred);
            deferred = NOTHING_SAID;
        }
    }

    /** Returns whether a callback has called {@link #holdFrom} and that call can be applied. */
    boolean hasSaidHold() {
        return heldFrom != NOTHING_SAID || deferred != NOTHING_SAID && !isRoundOpen();
    }

    private boolean isRoundOpen() {
        return round != null && round.isOpen();
    }

    /** Returns the tick's time by the wall clock. */
    long tickWallNanos() {
        return tickNanos + ownOffset;
    }

    /** Discards the hold that the callback has set, and its changes of keyed state. Called when the callback has thrown. */
    void rollBack() {
        heldFrom = NOTHING_SAID;
        if (keyed != null) {
            keyed.rollBack();
        }
    }

    /** Returns the keyed state of the service; null for a service without one. */
    KeyedStates keyedStates() {
        return keyed;
    }

    private long call() {
        return inTick || message.frame() == null ? -tickCount : message.frame().sequence();
    }

    @Override
    public <K, V> KeyedState<K, V> state(String name, ValueCodec<K> keys, Serde<V> values) {
        if (keyed == null) {
            throw new ConfigurationException("service " + plan.name() + " declares state '" + name
                    + "', but is no KeyedService; implement it, so that the topic of its snapshots is opened");
        }
        return keyed.open(name, keys, values);
    }

    @Override
    public String chain() {
        return chain;
    }

    @Override
    public String service() {
        return plan.name();
    }

    @Override
    public int instance() {
        return plan.place().instance();
    }

    @Override
    public int partition() {
        return PartitionTopic.partition(plan.input());
    }

    @Override
    public String input() {
        return plan.input();
    }

    @Override
    public long inputIdentity() {
        return inputIdentity;
    }

    @Override
    public long time() {
        if (inTick) {
            tickTime = Math.max(Math.max(tickTime, inputTime), tickNanos + ownOffset);
            return tickTime;
        }
        if (message.frame() == null) { // between batches, or before the first one, with a restored time
            return Math.max(inputTime, tickTime);
        }
        inputTime = Math.max(inputTime, message.frame().sentNanos() + inputOffset);
        return inputTime;
    }

    @Override
    public boolean isRepeatingTick() {
        return isRepeating;
    }

    @Override
    public long nanoTime() {
        return environment.nanoTime();
    }

    @Override
    public long storedSequence() {
        return writer.storedSequence();
    }

    @Override
    public long redeliveredUpTo() {
        return redeliveredUpTo;
    }

    @Override
    public void holdFrom(long sequence) {
        if (!holds) {
            throw new ConfigurationException("service " + plan.name()
                    + " holds no inputs, as it does not override Service.holdsInputs to return true");
        }
        heldFrom = sequence;
    }
}
