package dev.baton;

import dev.baton.spi.Connection;
import dev.baton.spi.DamagedTopicException;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.TransportException;

/**
 * The duty cycle: one service between the topic it reads and the topic it writes. All rules of the hand-over live here
 * and nowhere else.
 *
 * <p>A turn: acknowledge what is stored; when the topic has news, take as many inputs as there is room for outputs
 * ({@code min(limit, room / maxOutputs)}); hand over the batch of outputs; note in the ledger which inputs it answers.
 *
 * <ul>
 *   <li>A callback that throws is rolled back: its open claim is aborted, what it committed is taken back, and its input
 *       is not consumed. The error policy says what follows.
 *   <li>After a restart, inputs whose outputs are already in the topic are dropped: with at most one output per input
 *       everything up to the last output's cause; with more the same where that output's flush was stored wholly or not
 *       at all, otherwise everything before it.
 *   <li>A frame with a checksum is held against it; one that differs, or that says of itself what is not known here,
 *       stops the chain.
 *   <li>Sequences are checked: a gap, a repetition or a step back in the input stops the chain.
 *   <li>A topic written on the same loop is polled only when its writer is ahead, so an idle topic costs nothing.
 * </ul>
 *
 * Confined to its loop.
 */
final class Stage extends Part implements FrameHandler {
    private final StagePlan plan;
    private final ChainState state;
    private final Service service;
    private final boolean ticks;
    private final int maxOutputs;
    private final InboundMessage message = new InboundMessage();

    private Upstream upstream; // null: topics fed by another process
    private TopicWriter feeder; // null: not fed on this loop
    private TopicReader reader;
    private TopicWriter writer;
    private WriterOutlet outlet;
    private AcknowledgementLedger ledger;

    private long dropUpTo;
    private long consumed; // sequence of the last input consumed
    private long consumedPosition;
    private int taken; // inputs consumed in this poll
    private int attempts; // failed deliveries of the input in hand
    private Throwable failure;

    Stage(StagePlan plan, ChainState state) {
        this.plan = plan;
        this.state = state;
        this.service = plan.service();
        this.ticks = plan.ticks();
        this.maxOutputs = service.maxOutputs();
        if (maxOutputs < 0) {
            throw new IllegalArgumentException("service " + plan.name() + ": maxOutputs is " + maxOutputs);
        }
    }

    /** Says who feeds the input topic. */
    void follow(Upstream feedingPart) {
        upstream = feedingPart;
    }

    /** Says that the input topic is written on this loop. Called after the writer is open. */
    void fedBy(TopicWriter writerOnThisLoop) {
        feeder = writerOnThisLoop;
        if (writer.causeAtOpen() > feeder.sequence()) {
            throw new TransportException("topic " + plan.output() + " answers inputs up to " + writer.causeAtOpen()
                    + ", but its input topic " + plan.input() + " ends at " + feeder.sequence()
                    + "; were topics of this chain deleted? Delete the others as well, or use another chain name");
        }
    }

    @Override
    void open(Connection connection) {
        writer = plan.output() == null ? new NoOutput() : plan.writers().open(connection, plan.output());
        if (maxOutputs > writer.maxRoom()) {
            throw new IllegalArgumentException("service " + plan.name() + " may produce " + maxOutputs
                    + " outputs per input, topic " + plan.output() + " takes " + writer.maxRoom() + " at once");
        }
        outlet = new WriterOutlet(writer, maxOutputs);
        reader = connection.openReader(plan.input(), plan.name());
        ledger = new AcknowledgementLedger(reader);
        consumed = reader.sequenceAtOpen();
        boolean isAnswered = maxOutputs <= 1 || writer.isCauseAtOpenComplete();
        dropUpTo = isAnswered ? writer.causeAtOpen() : writer.causeAtOpen() - 1;
    }

    @Override
    int doWork() {
        if (drainedAt() != NOT_YET) {
            return 0;
        }
        int work = ledger.isEmpty() ? 0 : ledger.settle(writer.storedSequence());
        if (feeder == null ? !isCutOff() : feeder.sequence() != consumed) {
            work += relay();
        }
        if (ticks) {
            work += tick();
        }
        if (failure != null) {
            throw new ServiceFailure(plan.name(), failure);
        }
        return work;
    }

    /** A topic fed by another process never ends: once the chain is closing nothing more is taken from it. */
    private boolean isCutOff() {
        return upstream == null && state.isClosing();
    }

    private int relay() {
        int room = writer.room();
        int budget = Math.min(plan.limit(), maxOutputs <= 1 ? room : room / maxOutputs);
        if (budget == 0 || ledger.isFull()) {
            return 0;
        }
        taken = 0;
        outlet.beginBatch();
        try {
            reader.poll(this, budget);
        } finally {
            if (taken > 0) {
                handOver();
            }
        }
        return taken;
    }

    private void handOver() {
        writer.flush(reader, consumedPosition);
        if (ledger.isEmpty() && writer.storedSequence() >= writer.sequence()) {
            reader.acknowledge(consumedPosition);
        } else {
            ledger.note(consumedPosition, writer.sequence());
        }
        plan.wakeNext();
    }

    @Override
    public Verdict onFrame(Frame frame, long position) {
        long sequence = checkedSequence(frame, position);
        if (sequence > dropUpTo) {
            long before = writer.sequence();
            try {
                outlet.beginInput(frame);
                service.onMessage(message.of(frame), outlet);
                outlet.end();
            } catch (Throwable thrown) {
                outlet.abortOpenClaim();
                writer.rewind(before);
                if (!isSkipped(thrown)) {
                    return Verdict.RETRY;
                }
            }
        }
        attempts = 0;
        consumed = sequence;
        consumedPosition = position;
        taken++;
        return Verdict.DONE;
    }

    private long checkedSequence(Frame frame, long position) {
        if (!frame.isPlain()) {
            unseal(frame, position);
        }
        long sequence = frame.sequence();
        if (sequence != consumed + 1 && consumed != TopicReader.UNKNOWN) {
            throw new TransportException("topic " + plan.input() + ", position " + position + ": sequence " + sequence
                    + " where " + (consumed + 1)
                    + " was due; frames were lost or repeated, or the topic has a second writer");
        }
        return sequence;
    }

    private void unseal(Frame frame, long position) {
        String defect = frame.unseal();
        if (defect != null) {
            throw new DamagedTopicException(
                    "topic " + plan.input() + ", position " + position + ", sequence " + frame.sequence() + " (due is "
                            + (consumed == TopicReader.UNKNOWN ? "any" : consumed + 1) + "): " + defect,
                    false);
        }
    }

    /** Applies the error policy to the message in hand: false means that it stays and is delivered again. */
    private boolean isSkipped(Throwable thrown) {
        ErrorPolicy policy = plan.errors();
        if (thrown instanceof Error) {
            failure = thrown;
            return false;
        }
        if (attempts++ < policy.retries()) {
            return false;
        }
        if (policy.deadLetters() == null) {
            failure = thrown;
            return false;
        }
        try {
            policy.deadLetters().onDeadLetter(plan.name(), message, thrown);
            return true;
        } catch (Exception | Error refused) {
            refused.addSuppressed(thrown);
            failure = refused;
            return false;
        }
    }

    private int tick() {
        long before = writer.sequence();
        outlet.beginBatch();
        outlet.beginServiceTick(Math.max(consumed, dropUpTo));
        int work = 0;
        try {
            work = service.onTick(outlet);
            outlet.end();
        } catch (Throwable thrown) {
            outlet.abortOpenClaim();
            writer.rewind(before);
            failure = thrown;
        }
        if (writer.sequence() != before) {
            writer.flush();
            plan.wakeNext();
        }
        return work;
    }

    @Override
    long deadlineNanos() {
        return ticks ? service.deadlineNanos() : Long.MAX_VALUE;
    }

    @Override
    TopicWriter writer() {
        return writer;
    }

    @Override
    boolean isDrained() {
        return ledger.isEmpty()
                && writer.storedSequence() == writer.sequence()
                && (upstream == null || hasConsumedAllOf(upstream.drainedAt()));
    }

    private boolean hasConsumedAllOf(long last) {
        return last != NOT_YET && (consumed >= last || consumed == TopicReader.UNKNOWN);
    }

    @Override
    PartStatus status() {
        boolean isLast = plan.output() == null;
        return new PartStatus(
                plan.name(),
                plan.input(),
                consumed,
                reader.backlog(),
                plan.output(),
                isLast ? 0 : writer.sequence(),
                isLast ? 0 : writer.storedSequence());
    }

    @Override
    void close() {
        if (reader != null && state.isAbandoned()) {
            reader.abandon();
        } else if (reader != null) {
            reader.close();
        }
        if (writer != null) {
            writer.close();
        }
    }
}
