package dev.baton.engine.writing;

import dev.baton.Claim;
import dev.baton.ConfigurationException;
import dev.baton.Message;
import dev.baton.MessageFields;
import dev.baton.Outlet;
import dev.baton.engine.message.InboundMessage;
import dev.baton.engine.message.OpenClaim;
import dev.baton.engine.message.RequestMark;
import dev.baton.run.Environment;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter;
import java.nio.ByteBuffer;

/**
 * The writing end of a topic for services, sources and inlets. It stamps the headers of all messages that they send; the
 * transport's writer adds the sequence. Confined to the thread of its writer.
 */
public class WriterOutlet implements Outlet, OpenClaim.End {
    private static final int TICK_HOPS = 1;
    private static final long UNLIMITED = Long.MAX_VALUE;

    private final TopicWriter writer;
    private final FrameWriter frames;
    private final RequestMark request;
    private final boolean isPlain; // messages without key, trace context and request are claimed directly
    private final int maxOutputs;
    private final Environment environment;
    private final InboundMessage input; // null if there never is one
    private final OpenClaim claim = new OpenClaim(this);

    private boolean hasFields; // whether the open claim was begun by the frames; without a claim: not plain
    private long outputsLeft = UNLIMITED; // of an input; ticks, sources and inlets have no limit
    private boolean isTurn; // messages without an origin of their own share the batch's reading of the clock
    private int hops; // services that the messages have passed; 0 for those of a source or an inlet
    private long cause;
    private long origin;
    private long sentNanos;

    /**
     * Creates an outlet that writes these frames.
     *
     * @param maxOutputs maximum number of outputs per input
     * @param input message that is being handled; null if there never is one
     */
    public WriterOutlet(FrameWriter frames, int maxOutputs, Environment environment, InboundMessage input) {
        this.writer = frames.writer();
        this.frames = frames;
        this.request = frames.request();
        this.isPlain = frames.arePlain();
        this.hasFields = !isPlain;
        this.maxOutputs = maxOutputs;
        this.environment = environment;
        this.input = input;
    }

    /** Returns the transport's writer. */
    public TopicWriter writer() {
        return writer;
    }

    public FrameWriter frames() {
        return frames;
    }

    /** Begins a batch: its commits share one reading of the clock, taken when it is first needed. */
    public void beginBatch() {
        sentNanos = 0;
    }

    /** Returns the batch's reading of the clock; 0 before it was needed. */
    public long sentNanos() {
        return sentNanos;
    }

    /** Begins the outputs of an input. */
    public void beginInput(int outputHops, long sequence, long originNanos) {
        outputsLeft = maxOutputs;
        hops = outputHops;
        cause = sequence;
        origin = originNanos;
    }

    /**
     * Begins the outputs of a service's tick, or of its {@code onClosing}, at the given time.
     *
     * @param tickCause cause that encodes this, and the last input before it
     */
    public void beginServiceTick(long tickCause, long nanos) {
        outputsLeft = UNLIMITED;
        hops = TICK_HOPS;
        cause = tickCause;
        origin = nanos;
    }

    /** Begins a turn of a source. The origin of its messages is the time of the first claim. */
    public void beginTurn() {
        beginBatch();
        beginSource();
        isTurn = true;
    }

    /** Begins the messages of an inlet, whose origin is the time of the claim. */
    public void beginSource() {
        outputsLeft = UNLIMITED;
        hops = 0;
        cause = 0;
        origin = Message.UNKNOWN_TIME;
    }

    /** Sets the cause of the following messages, until the next call of a {@code begin} method. */
    public void causedBy(long sourceCause) {
        cause = sourceCause;
    }

    /** Ends a callback, which has to have committed or aborted its claims. */
    public void end() {
        if (claim.isOpen()) {
            claim.abort();
            throw new ConfigurationException("the callback returned with an open claim; commit or abort it");
        }
    }

    @Override
    public int remainingCapacity() {
        return (int) Math.min(outputsLeft, room());
    }

    /** Returns the room of the topic for further messages. */
    int room() {
        return frames.remainingCapacity();
    }

    @Override
    public long sequence() {
        return writer.sequence();
    }

    @Override
    public ByteBuffer inputKey() {
        return input == null ? null : input.keyIfHandled();
    }

    @Override
    public Claim claim(int maxLength) {
        return claim(maxLength, origin());
    }

    @Override
    public Claim claim(int maxLength, ByteBuffer key) {
        return claim(maxLength, origin(), key, null);
    }

    @Override
    public Claim claim(int maxLength, MessageFields fields) {
        long originNanos = fields.originNanos() == Message.UNKNOWN_TIME ? origin() : fields.originNanos();
        Claim begun = claim(maxLength, originNanos, fields.key(), fields.trace());
        return begun == null ? null : begun.type(fields.type());
    }

    /** Begins a message without key and trace context. */
    public Claim claim(int maxLength, long originNanos) {
        checkOutputs();
        Frame frame = isPlain && !request.isSet() ? writer.claim(maxLength) : withFields(maxLength, null, null);
        return open(frame, maxLength, originNanos);
    }

    /** Begins a message; key and trace context may be null. */
    public Claim claim(int maxLength, long originNanos, ByteBuffer key, ByteBuffer trace) {
        if (key == null && trace == null) {
            return claim(maxLength, originNanos);
        }
        checkOutputs();
        return open(withFields(maxLength, key, trace), maxLength, originNanos);
    }

    /**
     * {@inheritDoc}
     *
     * <p>The default methods would do the same, but the JIT of JDK 17 inlines at most 15 calls within each other. With two calls more, copies
     * and stamps of frames are calls in most JVMs, and a chain of five services that forward one message at a time takes 1.12 times as
     * long (DisruptorChain, EPYC family 26 model 2).
     */
    @Override
    public boolean forward(Message in) {
        return forward(in, origin());
    }

    /** Sends the payload, the type and the key of a message with this origin. Returns false if there is no room. */
    public boolean forward(Message in, long originNanos) {
        if (isPlain && !request.isSet() && in instanceof InboundMessage inbound && inbound.isPlain()) {
            return forwardPlain(inbound, originNanos);
        }
        return forwardByClaim(in, originNanos);
    }

    /**
     * Forwards a message without fields in a frame without fields. No caller gets a claim, so none is opened: a chain of five services
     * that forward takes 0.93 to 0.96 of the time (one to 50 messages at a time over the Disruptor, EPYC family 26 model 2).
     */
    boolean forwardPlain(InboundMessage in, long originNanos) {
        checkOutputs();
        int length = in.length();
        Frame frame = writer.claim(length);
        if (frame == null) {
            checkMayBeRefused();
            return false;
        }
        try {
            frame.putPayload(in.frame(), length);
        } catch (Throwable unreadable) { // mapped memory of the input whose storage has failed
            writer.abort();
            throw unreadable;
        }
        commit(frame, length, in.type(), originNanos);
        return true;
    }

    /** Forwards any message through a claim. */
    final boolean forwardByClaim(Message in, long originNanos) {
        int length = in.length();
        Claim begun = claim(length, originNanos, in.key(), null);
        if (begun == null) {
            return false;
        }
        begun.type(in.type()).putPayload(in).commit(length);
        return true;
    }

    private Frame withFields(int maxLength, ByteBuffer key, ByteBuffer trace) {
        Frame frame = frames.claim(maxLength, key, trace);
        hasFields |= frame != null;
        return frame;
    }

    /** Returns whether the input has led to no output so far. */
    public boolean hasNoOutput() {
        return outputsLeft == maxOutputs;
    }

    /**
     * Sends a reply in place of the outputs of an input that is a request, for which there is room.
     *
     * @param kind kind of reply, as of {@link RequestMark}
     * @param text payload
     */
    public void reply(int kind, byte[] text) {
        outputsLeft = 1; // the service has sent nothing, or its outputs were withdrawn
        request.kind(kind);
        claim(text.length).putBytes(0, text, 0, text.length).commit(text.length);
    }

    private long origin() {
        if (hops != 0) {
            return origin;
        }
        return isTurn ? batchNanos() : environment.nanoTime();
    }

    private long batchNanos() {
        if (sentNanos == 0) {
            sentNanos = environment.nanoTime();
        }
        return sentNanos;
    }

    final void checkOutputs() {
        if (outputsLeft == 0) {
            throw new ConfigurationException(
                    writer instanceof NoOutput
                            ? NoOutput.REFUSAL
                            : "maxOutputs is " + maxOutputs + " and used up; raise it in the service");
        }
    }

    final Claim open(Frame frame, int maxLength, long originNanos) {
        if (frame == null) {
            checkMayBeRefused();
            return null;
        }
        return claim.open(frame, maxLength, originNanos);
    }

    /** Throws if there was room for all outputs of the input: a service that relies on that would lose this one. */
    private void checkMayBeRefused() {
        if (outputsLeft <= Integer.MAX_VALUE) { // limited; what is unlimited counts down from far above
            throw new IllegalStateException("the transport refused a claim for which it had room");
        }
    }

    @Override
    public long commit(Frame frame, int length, int type, long originNanos) {
        frame.stamp(hops, type, cause, originNanos, batchNanos()); // not stamp(...): a level less to inline
        outputsLeft--;
        if (!hasFields) {
            return writer.commit(length);
        }
        hasFields = !isPlain;
        return frames.commit(frame, length);
    }

    /** Stamps the header of a message that counts as an output. */
    final void stamp(Frame frame, int type, long originNanos) {
        frame.stamp(hops, type, cause, originNanos, batchNanos());
        outputsLeft--;
    }

    @Override
    public void abort() {
        hasFields = !isPlain;
        writer.abort();
    }

    public void checkNoOpenClaim() {
        if (claim.isOpen()) {
            throw new IllegalStateException("commit or abort the open claim first");
        }
    }

    /** Aborts an open claim, if there is one. */
    public void abortOpenClaim() {
        claim.abort();
    }

    /** Withdraws the messages of a callback that has thrown: an open claim, and those after this sequence. */
    public void rollBack(long before) {
        claim.abort();
        frames.rollBack(before);
    }

    /**
     * Ends an open claim without releasing its space, which the writer releases when it closes. May also be called by other
     * threads.
     */
    public void dropOpenClaim() {
        claim.drop();
    }
}
