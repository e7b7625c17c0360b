package dev.baton.engine.cycle;

import dev.baton.ErrorPolicy;
import dev.baton.MessageHandler;
import dev.baton.MessageInterceptor.SamplingHandler;
import dev.baton.Service;
import dev.baton.ServiceFailure;
import dev.baton.TickingService;
import dev.baton.engine.chain.ChainState;
import dev.baton.engine.chain.Failures;
import dev.baton.engine.message.InboundMessage;
import dev.baton.engine.plan.InterceptedService;
import dev.baton.engine.plan.PartPlan;
import dev.baton.engine.recovery.Redelivery;
import dev.baton.engine.writing.DroppingOutlet;
import dev.baton.engine.writing.TickRound;
import dev.baton.engine.writing.WriterOutlet;
import dev.baton.run.Environment;
import dev.baton.spi.Cause;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter;
import java.util.function.LongSupplier;

/**
 * The calls of a service: its start, messages, ticks and closing. A callback that throws leaves no output, and the error
 * policy determines the action that follows.
 *
 * <p>Inputs that the service handled in an earlier run and held are delivered again. Until the last of them is consumed,
 * the outputs of the service are dropped because they are stored, and there are no ticks. If a tick sent the newest stored
 * output, one tick with the time of that output follows the last redelivered input; if the last call sent it, that call is
 * repeated as well. The tick repeats the outputs and the releases of earlier ticks. Confined to its loop.
 */
final class ServiceCalls {
    /** The most ticks in a row that are repeated without an output; a service may work in small steps. */
    private static final int MOST_IDLE_TICKS = 1_000_000;

    private interface Call {
        int run() throws Exception;
    }

    private final PartPlan plan;
    private final Service service;
    private final TickingService ticking; // null if the service does not tick
    private MessageHandler handler; // the service or its outermost interceptor; set by start()
    private SamplingHandler sampling; // null if every message passes the same interceptors
    private MessageHandler behindSampling; // called in batches that bypass the sampling handler
    private final TopicWriter writer;
    private final WriterOutlet outlet;
    private final PartContext context;
    private final InboundMessage message;

    private final DroppingOutlet dropping; // drops outputs that are stored
    private final DeadLetterTopic letters; // null if the policy writes no dead letters
    private final TickRound round; // null for a service that holds no inputs
    private final FailedCalls failed;
    private final RequestCalls requests;
    private final Environment environment;

    private final ConcurrentCalls concurrent; // null if calls are made on the loop
    private RetryTopic retries; // null if no input is set aside
    private InputOwner.Later later; // either of them, or null
    private Redelivery redelivery; // null if no input is redelivered
    private int attempts; // failed deliveries of the current input
    private long retryAt = Long.MAX_VALUE; // time of redelivery of the current input, if it has a pause
    private boolean isFast; // no redelivery, no failure, and input stamps are comparable with this host's clock

    ServiceCalls(
            PartPlan plan,
            WriterOutlet outlet,
            InboundMessage message,
            PartContext context,
            Redelivery redelivery,
            FailedCalls failed,
            Acknowledgements acknowledgements) {
        this.plan = plan;
        this.service = plan.service();
        this.ticking = plan.ticking();
        this.writer = outlet.writer();
        this.outlet = outlet;
        this.environment = context.environment();
        this.dropping = new DroppingOutlet(outlet.frames(), plan.maxOutputs(), environment, message);
        this.message = message;
        this.context = context;
        this.redelivery = redelivery;
        this.failed = failed;
        this.requests = new RequestCalls(
                plan.name(),
                plan.writers().maxPayload(),
                plan.edges().replies(),
                plan.passesRequestsOn(),
                outlet.frames().request());
        this.letters = failed.letters();
        this.round = outlet.frames().round();
        this.concurrent = plan.turns().concurrent().isEmpty()
                ? null
                : new ConcurrentCalls(plan, this, failed, outlet, message, context, acknowledgements);
        this.later = concurrent;
    }

    /** Sets inputs aside that fail. Called before the first call. */
    RetryTopic setAside(RetryTopic.Ends ends, ChainState state, LongSupplier lastInput) {
        retries = new RetryTopic(state, ends, this, failed, outlet, context, lastInput);
        later = retries;
        return retries;
    }

    /** Returns the owner of inputs that are completed after later ones are taken; null if later ones are not taken. */
    InputOwner.Later later() {
        return later;
    }

    /** Makes the first call. */
    void start() {
        try {
            if (concurrent != null) {
                concurrent.start();
                return;
            }
            service.onStart(context);
            handler = InterceptedService.handler(service);
            if (handler instanceof SamplingHandler some) {
                sampling = some;
                behindSampling = InterceptedService.behind(service);
            }
        } catch (RuntimeException | Error thrown) {
            Failures.nameService(thrown, plan.name(), plan.input());
            throw thrown;
        } catch (Exception thrown) {
            throw new ServiceFailure(plan.name(), plan.input(), ServiceFailure.NO_MESSAGE, thrown);
        }
    }

    /**
     * Begins a batch.
     *
     * @param before number of inputs of the last batch
     * @param most maximum number of inputs of this batch
     */
    void beginBatch(int before, int most) {
        outlet.beginBatch();
        if (sampling != null) {
            boolean isSampled = sampling.takesBatch(handler == sampling ? 0 : before, most);
            handler = isSampled ? sampling : behindSampling;
        }
    }

    /** Ends a batch, whose memory may change from now on. */
    void endBatch() {
        message.end();
    }

    /** Sets whether the stamps of the following inputs are comparable with this host's clock. */
    void stampsCompare(boolean isOfThisBoot) {
        message.isOfThisBoot(isOfThisBoot);
        isFast = false; // updated at the next delivery
    }

    /** Returns whether inputs are redelivered that were handled in an earlier run. */
    public boolean isRedelivering() {
        return redelivery != null;
    }

    /**
     * Begins the redelivery of answered inputs. This number of outputs after the current input is stored and is dropped.
     *
     * @param consumed sequence of the newest input that the state of the service contains
     */
    public void redeliver(Redelivery again, long consumed, long outputs) {
        redelivery = again;
        dropping.drop(outputs);
        isFast = false;
        consume(consumed);
    }

    /** Stops dropping outputs. Returns the number of stored outputs that were not sent again. */
    public long endDropping() {
        long missing = dropping.drops();
        dropping.drop(0);
        return missing;
    }

    /** Ends the redelivery at this input, because the topic is another one after it. */
    void redeliverUpTo(long last) {
        if (redelivery == null) {
            return;
        }
        redelivery = redelivery.upTo(last);
        if (redelivery == null) {
            message.redelivered(false);
            if (round != null) {
                round.forget(Long.MAX_VALUE);
            }
        }
    }

    /** Handles the maximum number of held inputs: a tick may release some; a service without ticks fails. */
    void holdsTooMany(long held) {
        if (ticking == null) {
            failed.stop(new IllegalStateException(held + " inputs are held, the most that Deployment.maxHeld"
                    + " allows, and only a further input could release them"));
        }
    }

    /** Returns the time at which the service is called even without input; {@link Long#MAX_VALUE} for never. */
    long deadlineNanos() {
        long deadline = earlier(ticking == null ? Long.MAX_VALUE : tickDeadline(), retryAt);
        return later == null ? deadline : earlier(deadline, later.dueAt());
    }

    private long tickDeadline() {
        try {
            return ticking.deadlineNanos();
        } catch (Throwable thrown) {
            throw new ServiceFailure(plan.name(), plan.input(), ServiceFailure.NO_MESSAGE, thrown);
        }
    }

    private static long earlier(long one, long other) {
        return one == Long.MAX_VALUE || other != Long.MAX_VALUE && other - one < 0 ? other : one;
    }

    /** Returns whether the dead letter of an input is being stored. */
    boolean isWritingLetter() {
        return letters != null && letters.isBusy();
    }

    /** Returns whether the next input has to wait because of the current input's pause or an unfinished dead letter. */
    boolean isPausing() {
        if (retryAt != Long.MAX_VALUE && environment.nanoTime() - retryAt >= 0) {
            retryAt = Long.MAX_VALUE;
        }
        return retryAt != Long.MAX_VALUE || later != null && (later.isTurn() || failed.hasStopped());
    }

    /** Delivers one input. Returns false if it was not consumed and remains the current one. */
    boolean deliver(Frame frame, long head, long sequence) {
        if (!Frame.isPlain(head) && requests.begin(frame)) {
            return deliverRequest(frame, head, sequence);
        }
        if (!isFast) {
            return deliverUnlessSetAside(frame, head, sequence);
        }
        long before = writer.sequence();
        try {
            outlet.beginInput(Frame.servicesPassed(head) + 1, sequence, frame.originNanos());
            handler.onMessage(message.of(frame, head), outlet);
            outlet.end();
            return true;
        } catch (Throwable thrown) {
            return afterFailure(thrown, before, sequence);
        }
    }

    private boolean deliverRequest(Frame frame, long head, long sequence) {
        try {
            return deliverUnlessSetAside(frame, head, sequence);
        } finally {
            requests.end();
        }
    }

    /** Delivers an input that may have a letter, or may have to be set aside. */
    private boolean deliverUnlessSetAside(Frame frame, long head, long sequence) {
        if (!isFast && failed.hasStopped()) {
            return false; // a repeated tick has thrown behind an earlier input of this poll
        }
        if (!isFast && concurrent == null && letters != null && (letters.isBusy() || letters.hasStored(sequence))) {
            return consumeIfLetterIsStored(frame, head, sequence);
        }
        if (retries != null && retries.takes(frame, message.of(frame, head))) {
            if (!retries.store(message)) {
                return false;
            }
            consume(sequence);
            return true;
        }
        long before = writer.sequence();
        try {
            return deliverOnSlowPath(frame, head, sequence);
        } catch (Throwable thrown) {
            return afterFailure(thrown, before, sequence);
        }
    }

    /** Rolls back the outputs of the current input, and applies the error policy. Returns whether the input is consumed. */
    private boolean afterFailure(Throwable thrown, long before, long sequence) {
        rollBack(before);
        if (!applyPolicy(thrown)) {
            return false;
        }
        consume(sequence);
        return true;
    }

    /**
     * Delivers an input that other threads handle, that is redelivered, that failed before, that is a request, that is the first one of
     * its writer, or whose stamps are not comparable. Returns false if it was not consumed.
     */
    private boolean deliverOnSlowPath(Frame frame, long head, long sequence) throws Exception {
        if (concurrent != null) {
            concurrent.add(frame);
            endInput(sequence);
            return true;
        }
        if (redelivery != null && !tryPrepareAgain(sequence)) {
            return false;
        }
        message.of(frame, head);
        handle(handler, begun(head, sequence));
        consume(sequence); // a repeated tick that throws is no failure of this message
        return true;
    }

    /** Handles the current message. The outlet is begun. */
    private void handle(MessageHandler by, WriterOutlet out) throws Exception {
        if (requests.isForService(message, out)) {
            by.onMessage(message, out);
            out.end();
            requests.handled(out);
        }
    }

    /** Begins the outputs of the current input. */
    private WriterOutlet begun(long head, long sequence) {
        WriterOutlet to = outlet;
        if (redelivery != null) {
            to = dropping;
            dropping.begin(false);
            dropping.beginBatch();
        }
        to.beginInput(Frame.servicesPassed(head) + 1, sequence, message.originNanos());
        return to;
    }

    /** Delivers an input that waited. Returns the exception of the service, whose outputs are then rolled back, or null. */
    Throwable deliverAgain(Frame frame, long cause) {
        long before = writer.sequence();
        try {
            requests.begin(frame);
            handle(handler, begunAgain(frame, cause));
            return null;
        } catch (Throwable thrown) {
            rollBack(before);
            return thrown;
        } finally {
            requests.end();
        }
    }

    private WriterOutlet begunAgain(Frame frame, long cause) {
        outlet.beginInput(
                frame.servicesPassed() + 1,
                cause,
                message.of(frame, frame.head()).originNanos());
        return outlet;
    }

    /** Writes the outputs of an input whose call has ended elsewhere, or passes a reply on. */
    void write(Frame frame, MessageHandler outputs) throws Exception {
        requests.begin(frame);
        try {
            handle(outputs, begunAgain(frame, frame.sequence()));
        } finally {
            requests.end();
        }
    }

    /** Sends the reply to an input that waited and is given up, if it is a request. */
    void giveUp(Frame frame, long cause, Throwable thrown) {
        requests.begin(frame);
        try {
            requests.giveUp(thrown, begunAgain(frame, cause));
        } finally {
            requests.end();
        }
    }

    /**
     * Consumes the current input if its dead letter is stored.
     *
     * @throws dev.baton.spi.errors.TransportException if the letter cannot be written, which stops the chain without being a
     *     failure of the service
     */
    private boolean consumeIfLetterIsStored(Frame frame, long head, long sequence) {
        message.of(frame, head);
        Throwable thrown = letters.isBusy() ? letters.thrown() : null;
        if (letters.isBusy() && !failed.hasStoredLetter()) {
            return false;
        }
        requests.giveUp(thrown, begun(head, sequence));
        consume(sequence);
        return true;
    }

    /** Consumes the current input, whose outputs, if it has any, are complete. */
    private void consume(long sequence) {
        try {
            endInput(sequence);
        } catch (Throwable thrown) { // thrown by a repeated tick or last call
            rollBack(writer.sequence());
            failed.stop(thrown);
        }
    }

    /** Ends the redelivery with its last input, and determines whether the next delivery takes the fast path. */
    private void endInput(long sequence) throws Exception {
        if (redelivery != null && sequence >= redelivery.last()) {
            endRedelivery();
        }
        attempts = 0;
        isFast = redelivery == null
                && concurrent == null
                && (retries == null || retries.isEmpty())
                && message.isOfThisBoot()
                && (letters == null || !letters.mayHaveStoredBehind(sequence));
    }

    /** Prepares a delivery while inputs are redelivered. Returns false if a tick that is repeated before it has thrown. */
    private boolean tryPrepareAgain(long sequence) {
        if (sequence <= redelivery.last()) {
            message.redelivered(true);
            return true;
        }
        try {
            endRedelivery(); // the last redelivered input was skipped or is missing
            return true;
        } catch (Throwable thrown) {
            rollBack(writer.sequence());
            failed.stop(thrown);
            return false;
        }
    }

    private void endRedelivery() throws Exception {
        if (redelivery.endsWithTick()) {
            if (redelivery.ofRound() > 0) {
                if (redelivery.wholeTime() > 0) {
                    repeatTick(context.nanosAt(redelivery.wholeTime()));
                }
                dropping.drop(redelivery.ofRound());
            }
            repeatTick(context.nanosAt(redelivery.tickTime()));
            if (redelivery.ofRound() > 0 && round != null) {
                round.forget(dropping.drops());
            }
        }
        message.redelivered(false);
        dropping.begin(false); // dropped outputs are not rolled back
        redelivery = null;
    }

    /** Calls the service's tick for the current time. */
    int tick(long lastInput) {
        return call(Cause.ofTick(lastInput), this::tick);
    }

    private int tick() throws Exception {
        if (round == null) {
            return ticking.onTick(outlet);
        }
        round.begin(context.tickWallNanos());
        int work = ticking.onTick(outlet);
        round.end();
        return work;
    }

    /** Makes the last call, or that of one of several objects. Returns the number of calls that follow, each of which needs room. */
    int closing(long lastInput) {
        return call(Cause.ofClosing(lastInput), () -> {
            if (concurrent != null) {
                return concurrent.closing(outlet);
            }
            service.onClosing(outlet);
            return 0;
        });
    }

    private int call(long cause, Call body) {
        long before = writer.sequence();
        context.beginTick();
        outlet.beginBatch();
        outlet.beginServiceTick(cause, context.tickNanos());
        try {
            int work = body.run();
            outlet.end();
            context.endTick();
            return work;
        } catch (Throwable thrown) {
            rollBack(before);
            failed.stop(thrown);
            return 0;
        }
    }

    /** Repeats a tick whose outputs are only partly stored, with its original time. */
    private void repeatTick(long nanos) throws Exception {
        context.beginTick(nanos);
        context.repeatTick();
        dropping.begin(true);
        dropping.beginServiceTick(Cause.ofTick(redelivery.last()), nanos);
        long left = dropping.drops();
        int idle = 0; // ticks since the last output
        while (ticking != null && left > 0 && ticking.onTick(dropping) > 0) {
            dropping.end();
            idle = dropping.drops() == left ? idle + 1 : 0;
            left = dropping.drops();
            if (idle == MOST_IDLE_TICKS) {
                throw new IllegalStateException("onTick was repeated " + MOST_IDLE_TICKS
                        + " times and sent nothing, although " + left
                        + " of its outputs are stored; it has to depend only on inputs and ServiceContext.time()");
            }
        }
        if (redelivery.endsWithClosing() && dropping.drops() > 0) {
            service.onClosing(dropping);
            dropping.end();
        }
        context.endTick();
    }

    /** Rolls back the outputs, the hold and the changes of keyed state of a callback. */
    void rollBack(long before) {
        dropping.rollBack();
        outlet.rollBack(before);
        context.rollBack();
        context.endTick();
    }

    /** Applies the error policy to the current message. Returns false if it remains the current one and is redelivered. */
    private boolean applyPolicy(Throwable thrown) {
        isFast = false;
        return switch (failed.after(thrown, ++attempts)) {
            case AGAIN -> {
                again(thrown);
                yield false;
            }
            case LETTER, STOPPED -> false; // redelivered in the next turn only for its letter
            case SKIPPED -> {
                requests.giveUp(thrown, begun(message.frame().head(), message.sequence()));
                yield true;
            }
        };
    }

    /** Sets the current message aside, or delivers it again after its pause. */
    private void again(Throwable thrown) {
        ErrorPolicy policy = plan.errors().of(thrown);
        long sequence = message.sequence();
        if (policy.isPerKey()) {
            retries.begin(sequence, attempts, thrown);
            return;
        }
        long pauseNanos = policy.pauseNanos(attempts, sequence);
        if (pauseNanos > 0) {
            retryAt = environment.nanoTime() + pauseNanos;
        }
    }

    /** Interrupts calls that other threads make. Returns whether there are none. */
    boolean tryClose() {
        return (concurrent == null || concurrent.tryClose()) && (retries == null || retries.tryClose());
    }

    /** Makes the last call of the service and closes the dead-letter topic. */
    void close() {
        try {
            if (concurrent == null) {
                plan.loop().call(plan.service()::onClosed);
            } else {
                concurrent.close();
            }
        } finally {
            Failures.inOrder(retries == null ? null : retries::close, letters == null ? null : letters::close);
        }
    }
}
