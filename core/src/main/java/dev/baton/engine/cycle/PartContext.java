package dev.baton.engine.cycle;

import dev.baton.ConfigurationException;
import dev.baton.Message;
import dev.baton.ServiceContext;
import dev.baton.engine.message.InboundMessage;
import dev.baton.engine.writing.TickWriter;
import dev.baton.run.Environment;
import dev.baton.spi.Incarnation;
import dev.baton.spi.PartitionTopic;
import dev.baton.spi.TopicWriter;
import dev.baton.status.PartStatus;

/** The context of a {@link ServicePart}'s service, and the inputs that the service holds. Confined to its loop. */
public final class PartContext implements ServiceContext {
    private static final long NOTHING_SAID = Long.MIN_VALUE;

    private final String chain;
    private final ServicePlan plan;
    private final Environment environment;
    private final boolean holds;
    private final TopicWriter writer;
    private final long redeliveredUpTo;
    private final long inputIdentity;
    private final long ownOffset; // from this clock to the wall's

    private long inputOffset; // from the clock of the input's writer to the wall's
    private final InboundMessage message; // the input in hand
    private long tickNanos;
    private boolean inTick;
    private boolean isRepeating; // the tick is one of an earlier run
    private long newestTime = Long.MIN_VALUE;
    private long heldFrom = NOTHING_SAID; // by the callback in progress
    private long deferred = NOTHING_SAID; // until all outputs of a tick have found room
    private TickWriter ticks; // null for a service that holds nothing
    private long newestSentNanos = Message.UNKNOWN_TIME; // of the newest input that was in hand, by this clock

    PartContext(
            String chain,
            ServicePlan plan,
            Environment environment,
            TopicWriter writer,
            long redeliveredUpTo,
            InboundMessage message,
            long inputIdentity) {
        this.chain = chain;
        this.plan = plan;
        this.environment = environment;
        this.holds = plan.service().holdsInputs();
        this.writer = writer;
        this.redeliveredUpTo = redeliveredUpTo;
        this.message = message;
        this.inputIdentity = inputIdentity;
        Incarnation own = writer.incarnation();
        this.ownOffset = own == null ? environment.wallNanos() - environment.nanoTime() : own.wallOffsetNanos();
        this.inputOffset = ownOffset;
    }

    /** From here on inputs were written by this incarnation; null where the transport cannot tell. */
    void inputsOf(Incarnation author) {
        inputOffset = author == null ? ownOffset : author.wallOffsetNanos();
    }

    /** The time of a restored state: time does not go behind it. */
    public void restoredTime(long nanos) {
        newestTime = nanos;
    }

    /** The time of the newest callback that asked for it. */
    public long newestTime() {
        return newestTime;
    }

    /** A tick of now, until {@link #endTick}. */
    void beginTick() {
        beginTick(environment.nanoTime());
    }

    /** A tick of a time by this process's clock, to which a past one is converted. */
    void beginTick(long nanos) {
        inTick = true;
        message.inHand(false);
        tickNanos = nanos;
    }

    /** The tick that was begun repeats one of an earlier run. */
    void repeatTick() {
        isRepeating = true;
    }

    /** From here on an input is in hand. */
    void endTick() {
        inTick = false;
        isRepeating = false;
        message.inHand(true);
    }

    /** The tick's time by this process's clock, which its outputs carry as their origin. */
    long tickNanos() {
        return tickNanos;
    }

    /** The time by this process's clock at which the wall's was so. */
    long nanosAt(long wallNanos) {
        return wallNanos - ownOffset;
    }

    /** Takes note of the time of the input that was in hand last. Before its memory may change. */
    void hadInHand() {
        if (message.frame() != null) { // null: all inputs so far were answered before
            newestSentNanos = message.frame().sentNanos() + inputOffset - ownOffset;
        }
    }

    /**
     * How long the oldest input that is not consumed has waited, at most: it is not older than the one before it.
     *
     * @param isBehind whether it may have been there already when the part last polled
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
     * Applies the oldest input that the callback holds, unless outputs of a tick are due still: after a restart these follow
     * from inputs that it may have let go of. Called when the callback has succeeded.
     */
    void applyHold(PendingAcknowledgements pending) {
        if (heldFrom != NOTHING_SAID) {
            deferred = heldFrom;
            heldFrom = NOTHING_SAID;
        }
        if (deferred != NOTHING_SAID && (!isRoundOpen() || deferred < pending.heldFrom())) {
            pending.holdFrom(deferred);
            deferred = NOTHING_SAID;
        }
    }

    /** Whether a callback has called {@link #holdFrom}, and that can be applied. */
    boolean hasSaidHold() {
        return heldFrom != NOTHING_SAID || deferred != NOTHING_SAID && !isRoundOpen();
    }

    private boolean isRoundOpen() {
        return ticks != null && ticks.isRoundOpen();
    }

    /** The writer that knows whether outputs of a tick are due still: nothing is let go of meanwhile. */
    void heldBy(TickWriter writerOfTicks) {
        ticks = writerOfTicks;
    }

    /** The tick's time by the wall clock. */
    long tickWallNanos() {
        return tickNanos + ownOffset;
    }

    /** Forgets what the callback holds. Called when the callback has thrown. */
    void dropHold() {
        heldFrom = NOTHING_SAID;
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
        return plan.instance();
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
            newestTime = Math.max(newestTime, tickNanos + ownOffset);
        } else if (message.frame() != null) { // null: no input yet, and a restored time at most
            newestTime = Math.max(newestTime, message.frame().sentNanos() + inputOffset);
        }
        return newestTime;
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
