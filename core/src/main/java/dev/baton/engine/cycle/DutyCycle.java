package dev.baton.engine.cycle;

import dev.baton.engine.chain.ChainState;
import dev.baton.engine.chain.Failures;
import dev.baton.engine.loop.Loop;
import dev.baton.engine.message.InboundMessage;
import dev.baton.engine.plan.PartPlan;
import dev.baton.engine.recovery.ProcessedInputs;
import dev.baton.engine.recovery.Redelivery;
import dev.baton.engine.state.KeyedStates;
import dev.baton.engine.writing.FrameWriter;
import dev.baton.engine.writing.WriterOutlet;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.TransportException;
import dev.baton.status.PartStatus;
import dev.baton.status.PartStatus.InputStatus;

/**
 * The duty cycle of one service between the topic that it reads and the topic that it writes.
 *
 * <p>A turn acknowledges inputs whose outputs are stored. It then polls up to {@code min(limit, room / maxOutputs)} new
 * inputs, so that there is room for their outputs, flushes the batch of outputs, and records which inputs it answers.
 *
 * <ul>
 *   <li>A batch ends when its time limit has passed ({@link BatchTime}), even if it may take more inputs.
 *   <li>A callback that throws is rolled back: its open claim is aborted, its commits are withdrawn, and its input is not
 *       consumed. The error policy determines the action that follows.
 *   <li>After a restart, inputs whose outputs are already in the topic are dropped. With at most one output per input these
 *       are all inputs up to the cause of the last output. With more outputs they are the same inputs if the flush of that
 *       output was stored completely or not at all; otherwise they are all inputs before that cause. {@link ProcessedInputs}
 *       checks that the topic still holds the same inputs.
 *   <li>A service that holds inputs receives those inputs again, and its outputs are dropped: {@link Redelivery}.
 *   <li>A frame with a wrong checksum, or of an unknown format, stops the chain or is skipped, as the deployment specifies.
 *   <li>Sequences are checked: a gap, a repetition or a step back in the input stops the chain.
 *   <li>A topic written on the same loop is polled only when its writer is ahead, so an idle topic costs nothing.
 * </ul>
 *
 * Confined to its loop.
 */
public final class DutyCycle extends Part implements FrameHandler {
    /** The value for an unknown position, before the first input of this run is consumed. */
    public static final long NO_POSITION = Long.MIN_VALUE;

    private final PartPlan plan;
    private final ChainState state;
    private final TopicReader reader;
    private final TopicWriter writer;
    private final ProcessedInputs answered;
    private final PartContext context;
    private final FailedCalls failed;
    private final ServiceCalls calls;
    private final TopicWriter feeder; // null if the writer of the input is on another loop
    private final Loop next; // reads the output; null if it is this part's loop or in another process
    private final int limit; // inputs in one turn
    private final boolean ticks;
    private final InputOwner owner;
    private final boolean isOwned; // the owner, not the flush, decides when inputs are acknowledged
    private final int maxOutputs;
    private final InputEnd end;
    private final BatchTime time;
    private final WriterOutlet outlet;
    private final Acknowledgements acknowledgements;
    private final InputOwner.Later later; // null if an input is completed before later ones are taken
    private final DeadLetterTopic letters; // null if the policy writes no dead letters
    private final RetryTopic retries; // null if the policy sets no input aside
    private final UnreadableInputs unreadables;
    private final PartListener listening; // null if the chain has no listener
    private InputRef lastDropped; // outputs of ticks answer it until an input is delivered
    private Incarnation author; // incarnation that wrote the last input
    private boolean isAuthorNew;
    private long dropUpTo; // these inputs were handled before this start
    private long checkUpTo = Long.MAX_VALUE; // up to it, inputs may have been handled before or have a new author
    private long consumed; // sequence of the last input consumed
    private long consumedPosition = NO_POSITION;
    private long flushed; // sequence of the newest output flushed
    private int taken; // inputs consumed in the last poll
    private boolean isGapAllowed; // a record with unknown content was skipped
    private boolean isFollowedUp; // the owner follows the inputs, or a gap is allowed
    private boolean wasToldClosing;
    private boolean isRefused; // an input of this poll is to be redelivered
    private boolean isAtEnd; // the last poll returned no input
    private boolean isMoreLeft; // the last poll took as much as it was allowed, or its time was over

    /**
     * The open topics of a service.
     *
     * @param feeder writer of the input; null if it is on another loop
     * @param end end of the input when the chain closes
     * @param letters dead-letter topic; null if the policy writes no dead letters
     * @param retries topic of inputs that are set aside; null if the policy sets none aside
     */
    public record OpenTopics(
            TopicReader reader,
            TopicWriter feeder,
            InputEnd end,
            TopicWriter writer,
            DeadLetterTopic letters,
            RetryTopic.Ends retries) {}

    /**
     * Creates the duty cycle over open topics; {@link #start} makes the first call.
     *
     * @param ownerOfState owner of the inputs of a service with state; null for a service without state
     */
    public DutyCycle(PartPlan plan, ChainState state, DrainPoint drain, OpenTopics topics, InputOwner ownerOfState) {
        super(state.environment(), drain);
        this.plan = plan;
        this.state = state;
        end = topics.end();
        reader = topics.reader();
        writer = topics.writer();
        letters = topics.letters();
        feeder = topics.feeder();
        next = plan.turns().next();
        limit = plan.turns().limit();
        ticks = plan.ticking() != null;
        maxOutputs = plan.maxOutputs();
        time = new BatchTime(environment);
        plan.checkCapacity(writer.capacity());
        plan.checkStart(writer.sequence());
        listening = PartListener.of(state, plan.name(), plan.input(), plan.output(), writer);
        InboundMessage message = new InboundMessage(plan.input());
        boolean holds = plan.service().holdsInputs();
        FrameWriter output = plan.writers().ofService(writer, environment, message, maxOutputs, holds);
        outlet = new WriterOutlet(output, maxOutputs, environment, message);
        acknowledgements = new Acknowledgements(reader);
        consumed = reader.found().acknowledged();
        if (plan.edges().isForeign()) {
            end.followForeign(state, reader, () -> consumed);
        }
        RetryTopic.Ends aside = topics.retries();
        answered = ProcessedInputs.find(
                plan, reader, output, aside == null ? null : aside.writer().found(), state);
        long upTo = plan.keepsInputs() ? answered.upTo() : 0;
        context = new PartContext(
                state.chain(),
                plan,
                environment,
                output,
                upTo,
                message,
                reader.found().identity());
        Redelivery redelivery = null;
        if (holds) {
            redelivery = Redelivery.of(answered.upTo(), consumed, writer.found());
            if (redelivery == null) {
                output.round().forget(Long.MAX_VALUE);
            }
        } else {
            dropUpTo = answered.upTo();
            if (plan.keepsInputs()) {
                acknowledgements.acknowledgeNothing();
            }
        }
        lastDropped = answered.input();
        output.answers(lastDropped);
        unreadables = new UnreadableInputs(plan, state, letters, listening);
        failed = new FailedCalls(plan, message, letters, listening);
        calls = new ServiceCalls(plan, outlet, message, context, redelivery, failed, acknowledgements);
        retries = aside == null ? null : calls.setAside(aside, state, this::lastInput);
        if (retries != null) {
            retries.answers(lastDropped);
        }
        later = calls.later();
        if (ownerOfState != null) {
            owner = ownerOfState;
        } else if (holds) {
            owner = new HeldInputs(plan.edges().maxHeld(), calls, context, acknowledgements);
        } else {
            owner = later == null || retries != null ? InputOwner.NONE : later;
        }
        isOwned = owner != InputOwner.NONE;
        isFollowedUp = isOwned;
    }

    /** Makes the first call of the service. Called once. */
    public void start() {
        calls.start();
        context.applyHold(acknowledgements);
    }

    @Override
    public String name() {
        return plan.name();
    }

    @Override
    public TransportException failure() {
        TransportException ended = writer.failure();
        if (ended == null) {
            ended = reader.failure();
        }
        if (ended == null && retries != null) {
            ended = retries.failure();
        }
        return ended == null && letters != null ? letters.failure() : ended;
    }

    @Override
    public int doWork() {
        if (drainedAt() != Upstream.NOT_YET) {
            return 0;
        }
        int work = acknowledgements.isEmpty() ? 0 : acknowledgements.settle(writer.storedSequence());
        if (later != null && !unreadables.isWaiting() && !wasToldClosing && later.turn(writer, maxOutputs, time) > 0) {
            flush();
            if (isOwned) {
                answer();
            }
            work++;
        }
        if (feeder == null ? !isCutOff() : feeder.sequence() != consumed) {
            work += relayTurn();
        }
        failed.check();
        if (ticks
                && !wasToldClosing // no tick follows the last call
                && owner.maySend()
                && !calls.isRedelivering()
                && !acknowledgements.isFull()
                && (retries == null || !retries.isWriting())) {
            work += calls.tick(lastInput());
            time.callEnded();
            flushTick();
            failed.check();
        }
        if (state.isClosing()
                && !wasToldClosing
                && end.isReached(consumed, isGapAllowed)
                && !isHeldUp()
                && isSettled()) {
            wasToldClosing = calls.closing(lastInput()) == 0;
            flushTick();
            work++;
            failed.check();
        }
        return work;
    }

    /** Returns whether the last call of the service has been made and its outputs are stored. */
    public boolean hasEnded() {
        return wasToldClosing && acknowledgements.isEmpty();
    }

    private boolean isSettled() {
        return owner.unfinished() == 0 && owner.maySend() && (retries == null || retries.mayClose());
    }

    private boolean isHeldUp() {
        return acknowledgements.isFull() || writer.remainingCapacity() < maxOutputs;
    }

    /**
     * Returns the newest input that was handled and whose writer is known: an acknowledged one that no output answers is not before
     * this run has read an input.
     */
    private long lastInput() {
        long known = Math.max(answered.upTo(), dropUpTo);
        return consumed == reader.found().acknowledged() ? known : Math.max(consumed, known);
    }

    /**
     * Returns whether a closing chain takes no more input, because another process feeds the topic, which therefore never
     * ends. Of a topic that another chain feeds, the messages that it held at the close are still taken.
     */
    private boolean isCutOff() {
        return end.isUnknown() ? state.isClosing() : wasToldClosing;
    }

    @Override
    public long callsEnded() {
        return time.callsEnded();
    }

    /** Returns the sequence of the last input consumed; {@link TopicReader#UNKNOWN} if it is not known. */
    public long consumed() {
        return consumed;
    }

    /** Returns the position of that input; {@link #NO_POSITION} if none was consumed in this run. */
    public long consumedPosition() {
        return consumedPosition;
    }

    /** Returns the keyed state of the service; null if the service declares none. */
    public KeyedStates keyedStates() {
        return context.keyedStates();
    }

    /** Returns the incarnation that wrote that input; null if it is not known. */
    public Incarnation author() {
        return author;
    }

    /** Returns the inputs that stored outputs answered at the start. */
    public ProcessedInputs answered() {
        return answered;
    }

    /** Returns the time of the newest input that read it. */
    public long newestTime() {
        return context.newestTime();
    }

    /**
     * Drops the inputs up to a sequence, because the state of the service contains them. Called before the first turn.
     *
     * @param last topic and writer of the last one, for the outputs of ticks
     */
    public void dropInputs(long upTo, InputRef last) {
        dropUpTo = upTo;
        lastDropped = last;
        outlet.frames().answers(last);
    }

    /** Sets the time of a restored state, which is a lower bound of the time from then on. */
    public void restoredTime(long nanos) {
        context.restoredTime(nanos);
    }

    /** Begins the redelivery of answered inputs. This number of their outputs is stored and is dropped. */
    public void redeliver(Redelivery again, long outputs) {
        calls.redeliver(again, dropUpTo, outputs);
    }

    /** Returns whether the next input is one that is dropped: {@link #dropInputs}. */
    public boolean isDropping() {
        return consumed < dropUpTo;
    }

    /** Returns whether inputs are redelivered that were handled before this start. */
    public boolean isRedelivering() {
        return calls.isRedelivering();
    }

    /** Stops dropping outputs. Returns the number of stored outputs that were not sent again. */
    public long endDropping() {
        return calls.endDropping();
    }

    private int relayTurn() {
        int all = relay(limit);
        if (time.wasOver()) {
            if (plan.loop().isManual()) {
                return relayRest(all);
            }
            if (time.wasInterrupted() && all < limit) {
                all += relay(limit - all);
            }
        }
        if (isMoreLeft) {
            plan.loop().sweepAgain();
        }
        return all;
    }

    /** Takes the remaining inputs of one turn, because a manual loop has no turn for others while a batch takes time. */
    private int relayRest(int first) {
        int all = first;
        int last = first;
        while (last > 0 && time.wasOver() && all < limit) {
            last = relay(limit - all);
            all += last;
        }
        return all;
    }

    private int relay(int most) {
        isAtEnd = false;
        isMoreLeft = false;
        if (calls.isPausing()) {
            return 0;
        }
        int room = outlet.frames().remainingCapacity();
        int budget = Math.min(most, maxOutputs <= 1 ? room : room / maxOutputs);
        boolean areCallsBusy = false; // all concurrent calls, which is no back-pressure
        if (isOwned && budget > 0) {
            budget = Math.min(budget, owner.room());
            areCallsBusy = budget <= 0 && owner == later && !acknowledgements.isFull();
        }
        boolean isBlocked = budget <= 0 || acknowledgements.isFull() || retries != null && retries.isFull();
        if (listening != null) {
            listening.blocked(isBlocked && !areCallsBusy);
        }
        if (isBlocked) {
            return 0;
        }
        calls.beginBatch(taken, budget);
        time.begin();
        long skippedBefore = unreadables.skipped();
        long positionBefore = consumedPosition;
        boolean isAllWritten = (isGapAllowed || consumed == TopicReader.UNKNOWN) && end.isWritten();
        try {
            isRefused = false;
            int polled = reader.poll(this, budget);
            end.polled(isAllWritten && polled == 0 && !isRefused && !unreadables.isWaiting() && reader.backlog() <= 0);
        } catch (DamagedTopicException unreadable) {
            if (unreadables.skip(unreadable, reader)) {
                allowGap();
            }
        } finally {
            taken = time.calls();
            try {
                if (taken > 0) {
                    flushBatch();
                } else if (consumedPosition != positionBefore && !isOwned) {
                    answer(); // frames that were skipped
                }
            } finally {
                calls.endBatch();
            }
        }
        int skipped = (int) (unreadables.skipped() - skippedBefore);
        isAtEnd = taken + skipped == 0 && !isRefused && !unreadables.isWaiting();
        isMoreLeft = skipped > 0 || taken > 0 && (taken >= budget || time.wasOver());
        return taken + skipped;
    }

    /** Flushes the outputs of one poll, and records the inputs that they answer. */
    private void flushBatch() {
        flushed = writer.sequence();
        context.recordSentTime();
        if (isOwned) {
            writer.flush(); // not every consumed input is answered: the acknowledgements limit it
        } else {
            writer.flush(reader, consumedPosition);
        }
        answer();
        wakeNext(taken);
    }

    /** Flushes the outputs of a tick; the inputs that it released are acknowledged when those outputs are stored. */
    private void flushTick() {
        flush();
        if (context.hasSaidHold() && !failed.hasStopped()) {
            context.applyHold(acknowledgements);
            answer();
        }
    }

    private void flush() {
        long unflushed = writer.sequence();
        if (unflushed != flushed) {
            flushed = unflushed;
            writer.flush();
            wakeNext(0);
        }
    }

    private void wakeNext(int inputs) {
        if (next != null) {
            next.wake();
        }
        if (listening != null) {
            listening.batch(inputs);
        }
    }

    /** Records that the consumed inputs are answered when the outputs up to the newest one are stored. */
    private void answer() {
        if (acknowledgements.isEmpty() && writer.storedSequence() >= flushed) {
            acknowledgements.answered(consumed, consumedPosition);
        } else {
            acknowledgements.note(consumed, consumedPosition, flushed);
        }
    }

    /** Allows a gap in the sequences, because a skipped record may have contained an input. */
    private void allowGap() {
        isGapAllowed = true;
        isFollowedUp = true;
    }

    @Override
    public Verdict onFrame(Frame frame, long position) {
        if (time.isOver()) {
            return Verdict.RETRY;
        }
        long head = frame.head();
        if (!Frame.isPlain(head) && !unreadables.isReadable(frame, position, consumed)) {
            return skipUnreadable(position);
        }
        long sequence = checkedSequence(frame, position);
        if (sequence > checkUpTo ? !calls.deliver(frame, head, sequence) : !checkAndDeliver(frame, head, sequence)) {
            isRefused = true;
            context.recordSentTime();
            return Verdict.RETRY;
        }
        consumed = sequence;
        consumedPosition = position;
        time.callEnded();
        if (isFollowedUp) {
            followUp(sequence, position);
        }
        return Verdict.DONE;
    }

    /** Skips a frame that cannot be read. If it becomes a dead letter, it is redelivered until the letter is stored. */
    private Verdict skipUnreadable(long position) {
        if (unreadables.isWaiting()) {
            return Verdict.RETRY;
        }
        allowGap();
        consumedPosition = position;
        return Verdict.DONE;
    }

    /** Does the rare work after a consumed input. */
    private void followUp(long sequence, long position) {
        isGapAllowed = false;
        isFollowedUp = owner.consumed(sequence, position);
    }

    @Override
    public void onWriter(Incarnation writerOfInputs) {
        author = writerOfInputs;
        isAuthorNew = true;
        checkUpTo = Long.MAX_VALUE;
    }

    /**
     * Drops an input that was handled before this start, and delivers any other. Returns false if the input is not consumed:
     * the service does not take it, or inputs of the previous author have to be answered first.
     */
    private boolean checkAndDeliver(Frame frame, long head, long sequence) {
        if (isAuthorNew && owner.unfinished() > 0 || !owner.mayTake()) {
            return false;
        }
        if (isAuthorNew) {
            authorChanged(sequence);
            isAuthorNew = false;
        }
        checkUpTo = dropUpTo;
        return sequence <= dropUpTo || calls.deliver(frame, head, sequence);
    }

    private void authorChanged(long sequence) {
        Incarnation.requireSameTopology(plan.input(), author, plan.inputTopology());
        long before = answered.upTo();
        owner.checkAuthor(answered, sequence, author);
        if (answered.upTo() < before) {
            dropUpTo = 0;
            calls.redeliverUpTo(0);
        }
        calls.stampsCompare(author == null || author.isOfThisBoot());
        context.inputsOf(author);
        InputRef input = new InputRef(reader.found().identity(), author == null ? 0 : author.id());
        if (sequence > dropUpTo || lastDropped.incarnation() == 0) {
            outlet.frames().answers(input);
            if (retries != null) {
                retries.answers(input);
            }
        }
        if (letters != null) {
            letters.answers(input);
        }
    }

    private long checkedSequence(Frame frame, long position) {
        long sequence = frame.sequence();
        if (sequence != consumed + 1 && consumed != TopicReader.UNKNOWN && !(isGapAllowed && sequence > consumed)) {
            throw unreadables.outOfOrder(position, sequence, consumed);
        }
        return sequence;
    }

    /** Returns whether the topic may hold an input that is not consumed. */
    private boolean isBehind() {
        return feeder == null ? !isAtEnd : feeder.sequence() != consumed;
    }

    @Override
    public boolean isWoken() {
        return end.isWoken()
                && !ticks
                && !plan.service().holdsInputs()
                && !isBehind()
                && acknowledgements.isEmpty()
                && owner.unfinished() == 0
                && !calls.isWritingLetter()
                && (retries == null || !retries.isAtWork())
                && writer.storedSequence() == writer.sequence();
    }

    @Override
    public long deadlineNanos() {
        return calls.deadlineNanos();
    }

    @Override
    public TopicWriter writer() {
        return writer;
    }

    @Override
    public long newestCommitNanos() {
        return outlet.sentNanos();
    }

    @Override
    public boolean hasNoRoom() {
        return maxOutputs > 0 && isBehind() && state.failure() == null && writer.remainingCapacity() < maxOutputs;
    }

    @Override
    public boolean isDrained() {
        return wasToldClosing
                && acknowledgements.isEmpty()
                && writer.storedSequence() == writer.sequence()
                && end.isReached(consumed, isGapAllowed);
    }

    @Override
    public PartStatus status() {
        return statusOf(inputStatus(), plan.output());
    }

    /** Returns its position in the input. */
    public InputStatus inputStatus() {
        long backlog = reader.backlog();
        long unread = context.unreadNanos(backlog, isHeldUp() || calls.isPausing() || taken > 0 || isRefused);
        int unfinished = retries == null ? owner.unfinished() : retries.unfinished();
        return new InputStatus(plan.input(), consumed, backlog, unread, unreadables.skipped(), unfinished);
    }

    @Override
    public boolean tryClose() {
        return state.isAbandoned() || calls.tryClose() && reader.tryClose();
    }

    @Override
    public void close() {
        Failures.inOrder(state.isAbandoned() ? reader::abandon : reader::close, calls::close, writer::close);
    }
}
