package dev.baton.engine.cycle;

import dev.baton.Claim;
import dev.baton.deadletters.DeadLetter;
import dev.baton.engine.chain.ChainState;
import dev.baton.engine.letters.LetterFormat;
import dev.baton.engine.letters.LetteredInputs;
import dev.baton.engine.message.InboundMessage;
import dev.baton.engine.plan.PartPlan;
import dev.baton.engine.recovery.ProcessedInputs;
import dev.baton.engine.writing.WriterOutlet;
import dev.baton.run.Environment;
import dev.baton.spi.Cause;
import dev.baton.spi.Extension;
import dev.baton.spi.Guarantee;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicEnd;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.TransportException;

/**
 * The writing end of a service's dead-letter topic. A letter is written once, and its input remains the current one until
 * the letter is stored. Only then is the input consumed, so that no acknowledgement precedes the storage of a letter.
 *
 * <p>After a restart the newest letter identifies its input, if the whole letter was stored, and those of the letters before it; these
 * inputs are not delivered again. Letters that it has no room to list may be written again. Confined to its loop.
 */
public final class DeadLetterTopic {
    private static final int FRAMES = 2;

    private static final byte[] NO_BYTES = {};

    private final PartPlan plan;
    private final TopicWriter writer;
    private final Environment environment;
    private final WriterOutlet outlet;
    private final LetterLog log;

    private final LetteredInputs found; // of earlier runs, whose letters are stored
    private final LetteredInputs listed; // in the next letter: those, and the ones of this run
    private InputRef
            inputs; // topic and writer of the current input, or of that of the newest letter before an input is known
    private int attempts;
    private Throwable thrown;
    private boolean isBusy;
    private byte[] record; // bytes of the current record
    private long written; // sequence of the letter's last frame, 0 before it is written

    /**
     * Creates the topic of a service.
     *
     * @param writer open writer, which it closes
     * @param identity identity of the input topic, 0 if it is not known
     */
    public DeadLetterTopic(PartPlan plan, TopicWriter writer, long identity, ChainState state) {
        this.plan = plan;
        this.writer = writer;
        this.environment = state.environment();
        this.log = new LetterLog(state, plan);
        TopicEnd end = writer.found();
        boolean isOther = ProcessedInputs.isOther(identity, end.input().topic());
        this.found = isOther ? new LetteredInputs(null) : of(end);
        this.listed = isOther ? new LetteredInputs(null) : of(end);
        this.inputs = end.input();
        this.outlet = new WriterOutlet(plan.writers().ofLetters(writer, listed), FRAMES, environment, null);
    }

    private static LetteredInputs of(TopicEnd end) {
        LetteredInputs inputs = new LetteredInputs(end.field(Extension.LETTERED));
        boolean isWhole = end.originNanos() != LetterFormat.DESCRIPTION_ORIGIN; // otherwise its message is not stored
        if (isWhole && Cause.input(end.cause()) > 0) {
            inputs.add(end.input().incarnation(), Cause.input(end.cause()));
        }
        return inputs;
    }

    /** Throws if the transport cannot store dead letters. */
    public static void check(Transport transport, int maxPayload) {
        if (!transport.guarantees().contains(Guarantee.DURABLE)) {
            throw new IllegalArgumentException("topics of transport " + transport.name()
                    + " do not survive the process, so dead letters would be lost; use a durable transport, or"
                    + " ErrorPolicy.skipTo(handler)");
        }
        if (maxPayload < LetterFormat.LEAST_PAYLOAD) {
            throw new IllegalArgumentException("a payload of " + maxPayload
                    + " bytes at most is too short for dead letters, which take " + LetterFormat.LEAST_PAYLOAD
                    + "; raise the transport's longest payload");
        }
    }

    /** Sets the topic and the writer of the following inputs. */
    void answers(InputRef input) {
        inputs = input;
        writer.answers(input);
    }

    /** Returns the topic and the writer of the current input. */
    InputRef inputs() {
        return inputs;
    }

    /** Returns whether an input that follows this one may have a letter that an earlier run has stored. */
    boolean mayHaveStoredBehind(long sequence) {
        return sequence < found.newest();
    }

    /** Returns whether an earlier run has stored the letter of this input. */
    boolean hasStored(long sequence) {
        return hasStored(inputs.incarnation(), sequence);
    }

    /** Returns whether an earlier run has stored the letter of an input of this writer. */
    boolean hasStored(long inputWriter, long sequence) {
        return found.contains(inputWriter, sequence);
    }

    /** Returns whether the letter of the current input is not stored yet. */
    boolean isBusy() {
        return isBusy;
    }

    /** Begins the letter of the current input. {@link #store} is then called until it returns true. */
    void begin(int deliveries, Throwable failure) {
        attempts = deliveries;
        thrown = failure;
        written = 0;
        isBusy = true;
    }

    /** Returns the number of deliveries of the newest letter's message. */
    int attempts() {
        return attempts;
    }

    /** Returns the failure that the newest letter describes. */
    Throwable thrown() {
        return thrown;
    }

    /** Begins the letter of a record that could not be read. {@link #storeRecord} is then called until it returns true. */
    void beginRecord(Throwable failure, byte[] bytes) {
        attempts = 0;
        thrown = failure;
        written = 0;
        record = bytes == null ? NO_BYTES : bytes;
    }

    /**
     * Writes the letter of a record, like {@link #store}. The letter has no cause, so that it is not attributed to a
     * message.
     */
    boolean storeRecord() {
        if (written == 0 && writer.remainingCapacity() >= FRAMES) {
            long before = writer.sequence();
            outlet.beginBatch();
            outlet.beginInput(0, 0, Math.max(1, environment.nanoTime()));
            if (describe(before, 0)) {
                int length = Math.min(record.length, plan.writers().maxPayload());
                listed.allow(plan.writers().maxRecord() - length);
                Claim claim = outlet.claim(length);
                listed.allow(0);
                end(
                        before,
                        claim != null && claim.putBytes(0, record, 0, length).commit(length) > 0);
            }
        }
        return isStored();
    }

    /** Writes the letter if there is room for it. Returns whether it is stored, which completes it. Never blocks. */
    boolean store(InboundMessage in) {
        if (written == 0 && writer.remainingCapacity() >= FRAMES) {
            write(in);
        }
        isBusy = !isStored();
        if (!isBusy) {
            listed.add(inputs.incarnation(), in.sequence());
            log.stored(in.sequence(), thrown);
        }
        return !isBusy;
    }

    private boolean isStored() {
        return !(written == 0 || writer.storedSequence() < written);
    }

    private void write(InboundMessage in) {
        long before = writer.sequence();
        outlet.beginBatch();
        outlet.beginInput(in.servicesPassed(), in.sequence(), in.frame().originNanos());
        if (describe(before, in.sequence())) {
            listed.allow(plan.writers().maxRecord() - in.frame().extensionBytes() - in.length());
            end(before, outlet.forward(in, in.frame().originNanos()));
            listed.allow(0);
        }
    }

    /** Writes the first frame; returns false if there is no room. */
    private boolean describe(long before, long sequence) {
        listed.allow(plan.writers().maxRecord());
        int most = plan.writers().maxPayload() - listed.bytes();
        if (most < LetterFormat.LEAST_PAYLOAD) {
            listed.allow(0);
            most = plan.writers().maxPayload();
        }
        Claim description = outlet.claim(most, LetterFormat.DESCRIPTION_ORIGIN);
        listed.allow(0);
        if (description == null) {
            writer.rewind(before);
            return false;
        }
        int length = LetterFormat.describe(description, plan.input(), plan.name(), sequence, attempts, thrown);
        description.type(DeadLetter.DESCRIPTION).commit(length);
        return true;
    }

    /** Commits both frames, or neither. */
    private void end(long before, boolean hasMessage) {
        if (!hasMessage) {
            writer.rewind(before);
            return;
        }
        writer.flush();
        written = writer.sequence();
    }

    /** Returns the failure that ended its writer; null while the writer works. */
    TransportException failure() {
        return writer.failure();
    }

    public void close() {
        log.close();
        writer.close();
    }
}
