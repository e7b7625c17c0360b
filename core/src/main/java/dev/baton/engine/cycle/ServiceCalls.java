package dev.baton.engine.cycle;

import dev.baton.ErrorPolicy;
import dev.baton.MessageHandler;
import dev.baton.SamplingHandler;
import dev.baton.Service;
import dev.baton.ServiceFailure;
import dev.baton.TickingService;
import dev.baton.engine.message.InboundMessage;
import dev.baton.engine.plan.InterceptedService;
import dev.baton.engine.writing.DroppingWriter;
import dev.baton.engine.writing.TickWriter;
import dev.baton.engine.writing.WriterOutlet;
import dev.baton.run.Environment;
import dev.baton.spi.Cause;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter;

/**
 * The calls of a service: its start, messages, ticks and closing. A callback that throws leaves no output, and the error policy
 * decides what follows.
 *
 * <p>Inputs that the service handled in an earlier run and held are delivered again. Until the last of them is consumed, what
 * the service sends is dropped, because it is stored, and there are no ticks. If a tick sent the newest output, one tick with
 * that output's time follows at the end; if the closing sent it, the closing follows as well. This tick repeats what earlier
 * ticks sent or released. Confined to its loop.
 */
public final class ServiceCalls {
    private final ServicePlan plan;
    private final Service service;
    private final TickingService ticking; // null: the service does not tick
    private MessageHandler handler; // the service, or what an interceptor put around it; from the start on
    private SamplingHandler sampling; // null: every message takes the same way
    private MessageHandler behindSampling; // that is called in a batch which goes past it
    private final TopicWriter writer;
    private final WriterOutlet outlet;
    private final PartContext context;
    private final InboundMessage message;

    private final TickWriter tickWriter; // null for a service that holds nothing
    private final DroppingWriter dropper; // of what is stored
    private final WriterOutlet dropping; // through it
    private final DeadLetterTopic letters; // null: none are written
    private final CallsByTime calledByTime;
    private final FailedCalls failed;
    private final Environment environment;

    private final WaitingInputs waiting; // null: those behind a failed input wait as well
    private Redelivery redelivery; // null: nothing comes again
    private int attempts; // failed deliveries of the input in hand
    private long retryAt = Long.MAX_VALUE; // when the input in hand is delivered again; at once otherwise
    private boolean isUsual; // nothing comes again, nothing failed, and stamps of inputs compare with this host's clock
    private Throwable failure;
    private long failedAt; // sequence of the input in hand

    ServiceCalls(
            ServicePlan plan,
            TopicWriter writer,
            WriterOutlet outlet,
            TickWriter tickWriter,
            InboundMessage message,
            PartContext context,
            Redelivery redelivery,
            DeadLetterTopic letters,
            Listening listening,
            PendingAcknowledgements pending,
            Environment environment) {
        this.plan = plan;
        this.service = plan.service();
        this.ticking = plan.ticking();
        this.writer = writer;
        this.outlet = outlet;
        this.tickWriter = tickWriter;
        this.dropper = new DroppingWriter(outlet.writer());
        this.dropping = new WriterOutlet(dropper, plan.maxOutputs(), environment, message);
        this.message = message;
        this.context = context;
        this.redelivery = redelivery;
        this.letters = letters;
        this.environment = environment;
        this.calledByTime = new CallsByTime(this, plan, writer, outlet, tickWriter, dropper, dropping, context);
        this.failed = new FailedCalls(plan, message, letters, listening);
        this.waiting = plan.errors().mostWaiting() == 0
                ? null
                : new WaitingInputs(plan, this, failed, outlet, message, pending, environment);
    }

    /** The inputs that wait while those behind them go on; null where none does. */
    WaitingInputs waiting() {
        return waiting;
    }

    /** The first call. */
    void start() {
        try {
            service.onStart(context);
            handler = InterceptedService.handler(service);
            if (handler instanceof SamplingHandler some) {
                sampling = some;
                behindSampling = InterceptedService.behind(service);
            }
        } catch (RuntimeException thrown) {
            throw thrown;
        } catch (Exception thrown) {
            throw new ServiceFailure(plan.name(), plan.input(), ServiceFailure.NO_MESSAGE, thrown);
        }
    }

    /**
     * A batch begins.
     *
     * @param before inputs of the last one
     * @param most inputs of this one
     */
    void beginBatch(int before, int most) {
        outlet.beginBatch();
        if (sampling != null) {
            boolean isSampled = sampling.takesBatch(handler == sampling ? 0 : before, most);
            handler = isSampled ? sampling : behindSampling;
        }
    }

    /** Whether stamps of the inputs from here on can be compared with this host's clock. */
    void stampsCompare(boolean isOfThisBoot) {
        message.isOfThisBoot(isOfThisBoot);
        isUsual = false; // the next one finds out
    }

    /** Whether inputs come again that were handled. */
    public boolean isRedelivering() {
        return redelivery != null;
    }

    /**
     * Inputs come again that are answered, up to this one; so many outputs behind what is in hand are stored and dropped.
     *
     * @param consumed sequence of the newest input that the service has in its state
     */
    public void redeliver(Redelivery again, long consumed, long outputs) {
        redelivery = again;
        dropper.drop(outputs);
        isUsual = false;
        passedOver(consumed);
    }

    /** Outputs that are stored and did not come again; from now on nothing is dropped. */
    public long endDropping() {
        long missing = dropper.left();
        dropper.drop(0);
        return missing;
    }

    /** Inputs behind this one do not come again: the topic is another one than before. */
    void redeliverUpTo(long last) {
        if (redelivery != null) {
            redelivery = redelivery.upTo(last);
        }
    }

    /** What stopped the service, if anything did. */
    Throwable failure() {
        return failure;
    }

    /** Sequence of the input at which it stopped. */
    long failedAt() {
        return failedAt;
    }

    /** As many inputs are held as may be: a tick may let go of some; a service without one never will. */
    void holdsTooMany(long held) {
        if (ticking == null) {
            failure = new IllegalStateException(held + " inputs are held, the most that Deployment.maxHeld"
                    + " allows, and only a further input could let go of them");
        }
    }

    /** When the service has to be called though there is no news, {@link Long#MAX_VALUE} for never. */
    long deadlineNanos() {
        long deadline = earlier(ticking == null ? Long.MAX_VALUE : ticking.deadlineNanos(), retryAt);
        return waiting == null ? deadline : earlier(deadline, waiting.dueAt());
    }

    private static long earlier(long one, long other) {
        return one == Long.MAX_VALUE || other != Long.MAX_VALUE && other - one < 0 ? other : one;
    }

    /** Whether the dead letter of an input is being stored. */
    boolean isWritingLetter() {
        return letters != null && letters.isBusy();
    }

    /** Whether the next input is to wait still: the one in hand has a pause, or one that waits apart has a letter to be stored. */
    boolean isPausing() {
        if (retryAt != Long.MAX_VALUE && environment.nanoTime() - retryAt >= 0) {
            retryAt = Long.MAX_VALUE;
        }
        return retryAt != Long.MAX_VALUE || waiting != null && (waiting.isWritingLetter() || failure != null);
    }

    /** Delivers one input; false: it was not consumed and stays. */
    boolean deliver(Frame frame, long head, long sequence) {
        if (!isUsual && letters != null && (letters.isBusy() || letters.hasStored(sequence))) {
            return passLetter(frame, head, sequence);
        }
        long before = writer.sequence();
        try {
            if (isUsual) {
                outlet.beginInput(Frame.servicesPassed(head) + 1, sequence, frame.originNanos());
                handler.onMessage(message.of(frame, head), outlet);
                outlet.end();
            } else {
                deliverUnusual(frame, head, sequence);
            }
            return true;
        } catch (Throwable thrown) {
            rollBack(before);
            if (isSkipped(thrown)) {
                passedOver(sequence);
                return true;
            }
            failedAt = failure == null ? ServiceFailure.NO_MESSAGE : sequence;
            return false;
        }
    }

    /** Delivers an input that comes again, that failed before, or whose stamps do not compare. */
    private void deliverUnusual(Frame frame, long head, long sequence) throws Exception {
        if (redelivery != null) {
            prepareAgain(sequence);
        }
        WriterOutlet to = outlet;
        if (redelivery != null) {
            to = dropping;
            dropper.begin(false);
            dropping.beginBatch();
        }
        to.beginInput(
                Frame.servicesPassed(head) + 1,
                waiting == null ? sequence : waiting.cause(sequence),
                message.of(frame, head).originNanos());
        handler.onMessage(message, to);
        to.end();
        consumed(sequence);
    }

    /** Delivers an input that waited; what it threw, after which nothing of it is left, or null. */
    Throwable deliverAgain(Frame frame, long cause) {
        long before = writer.sequence();
        try {
            outlet.beginInput(
                    frame.servicesPassed() + 1,
                    cause,
                    message.of(frame, frame.head()).originNanos());
            handler.onMessage(message, outlet);
            outlet.end();
            return null;
        } catch (Throwable thrown) {
            rollBack(before);
            return thrown;
        }
    }

    /** The service has failed at this input, or at none. */
    void failed(long sequence, Throwable thrown) {
        failure = thrown;
        failedAt = sequence;
    }

    /**
     * Consumes the input in hand if its dead letter is stored.
     *
     * @throws dev.baton.spi.errors.TransportException when the letter cannot be written: that is no failure of the service, and
     *     stops the chain
     */
    private boolean passLetter(Frame frame, long head, long sequence) {
        if (letters.isBusy()) {
            message.of(frame, head);
            if (!failed.hasStoredLetter()) {
                return false;
            }
        }
        passedOver(sequence);
        return true;
    }

    /** The input in hand is consumed, and the service has not handled it. */
    private void passedOver(long sequence) {
        try {
            consumed(sequence);
        } catch (Throwable thrown) { // of a tick or a closing that is repeated
            rollBack(writer.sequence());
            failure = thrown;
        }
    }

    private void consumed(long sequence) throws Exception {
        if (redelivery != null && sequence >= redelivery.last()) {
            endRedelivery();
        }
        attempts = 0;
        isUsual = redelivery == null
                && (waiting == null || waiting.isEmpty())
                && message.isOfThisBoot()
                && (letters == null || !letters.mayHaveStoredBehind(sequence));
    }

    private void prepareAgain(long sequence) throws Exception {
        if (sequence > redelivery.last()) {
            endRedelivery(); // the last one was skipped, or is gone
            return;
        }
        message.redelivered(true);
    }

    private void endRedelivery() throws Exception {
        if (redelivery.endsWithTick()) {
            if (redelivery.ofRound() > 0) {
                if (redelivery.wholeTime() > 0) {
                    calledByTime.again(redelivery, context.nanosAt(redelivery.wholeTime()));
                }
                dropper.drop(redelivery.ofRound());
            }
            calledByTime.again(redelivery, context.nanosAt(redelivery.tickTime()));
        }
        message.redelivered(false);
        dropper.begin(false); // what was dropped is not taken back
        redelivery = null;
    }

    /** Gives a tick of now. */
    int tick(long lastInput) {
        long cause = Cause.ofTick(lastInput);
        return calledByTime.tick(waiting == null ? cause : waiting.cause(cause));
    }

    /** The last call. */
    void closing(long lastInput) {
        calledByTime.closing(Cause.ofClosing(lastInput));
    }

    /** Takes back what a callback has sent and said. */
    void rollBack(long before) {
        outlet.abortOpenClaim();
        dropping.abortOpenClaim();
        dropper.rollBack();
        if (tickWriter != null) {
            tickWriter.rollBack();
        }
        writer.rewind(before);
        context.dropHold();
        context.endTick();
    }

    /** Applies the error policy to the message in hand: false means that it stays and is delivered again. */
    private boolean isSkipped(Throwable thrown) {
        isUsual = false;
        switch (failed.after(thrown, ++attempts)) {
            case AGAIN:
                return isToWait(plan.errors().of(thrown));
            case SKIPPED:
                return true;
            case STOPPED:
                failure = failed.failure();
                return false;
            default: // it comes again at the next turn, for its letter alone
                return false;
        }
    }

    /** Whether the message in hand waits apart; otherwise it stays. */
    private boolean isToWait(ErrorPolicy policy) {
        if (policy.isUnordered()) {
            waiting.add(message.frame(), attempts, policy);
        } else if (policy.pauseNanos() > 0) {
            retryAt = environment.nanoTime() + policy.pauseNanos();
        }
        return policy.isUnordered();
    }

    /** Gives the service its last call, and closes the dead-letter topic. */
    void close() {
        try {
            plan.loop().call(plan.service()::onClosed);
        } finally {
            if (letters != null) {
                letters.close();
            }
        }
    }
}
