package dev.baton.engine.cycle;

import dev.baton.ErrorPolicy;
import dev.baton.engine.chain.ChainState;
import dev.baton.engine.chain.Failures;
import dev.baton.engine.message.InboundMessage;
import dev.baton.engine.plan.PartPlan;
import dev.baton.engine.writing.FrameWriter;
import dev.baton.engine.writing.MergedProgress;
import dev.baton.engine.writing.RedriveMark;
import dev.baton.engine.writing.WriterOutlet;
import dev.baton.run.Environment;
import dev.baton.spi.Cause;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.TransportException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * The retry topic of a service: inputs that are set aside until their retries end ({@link ErrorPolicy#perKey}). It is a journal,
 * which the service alone writes and reads.
 *
 * <ul>
 *   <li>An input that is set aside is a copy of its message, and its cause is the sequence of the input.
 *   <li>A <i>batch</i> lists inputs that were handled again, with the sequence of the output topic after each of them. It is stored
 *       before these outputs are flushed. A start compares the sequences with the end of the output, and so detects which inputs
 *       of the newest batch are answered. If some are not, it writes a <i>correction</i>, which replaces that
 *       batch. Every later message or batch confirms a batch.
 *   <li>A <i>mark</i> has no inputs. A start whose reader does not know its position writes one, because frames before that
 *       position may be gone: when the mark is read, everything before it is.
 * </ul>
 *
 * <p>One topic is written at a time: a frame is added here only when all outputs are stored, and outputs follow only when that frame
 * is stored. So each frame here states that all inputs up to its cause are answered, by outputs or by frames of this topic. A
 * restart takes the larger of that cause and the newest cause in the output ({@link
 * dev.baton.engine.recovery.ProcessedInputs}), and drops no input and repeats none, although the newest output may belong to an
 * older input. Causes of batches are marked as those of ticks, which distinguishes them from messages.
 *
 * <p>The inputs of a key are handled in their order. A copy of each remains in memory. The topic is acknowledged up to the oldest
 * input that is set aside. Confined to its loop.
 */
public final class RetryTopic implements InputOwner.Later, FrameHandler {
    private static final int BATCH = 0;
    private static final int CORRECTION = 1;
    private static final int MARK = 2;
    private static final int AT_INPUTS = 8;
    private static final int EACH = 16;
    private static final int MOST_IN_BATCH = 64;
    private static final int POLLED = 64;
    private static final int MOST_READ = 1 << 16;

    /** The time for which the topic may have no room for a retry that is due. */
    private static final long FULL_NANOS = 10_000_000_000L;

    private static final int[] COPIED = {Extension.WALL_CLOCK, Extension.REQUEST, Extension.TRACE, Extension.KEY};
    private static final ByteBuffer NO_KEY = ByteBuffer.allocate(0);

    /** The open ends of the topic. */
    public record Ends(TopicWriter writer, TopicReader reader) {}

    /** An input that is set aside. */
    private static final class Aside {
        final long number; // sequence in this topic
        final Frame frame;
        final boolean isOfThisBoot; // whether its stamps are comparable with this host's clock
        final long wallOffset; // between the wall clock and the clock of its stamps
        final long author; // id of the incarnation that wrote the input; 0 if it is not known
        ByteBuffer key;
        int failures;
        long dueAt;
        long outputs; // sequence of its last output, or of the one before it

        Aside(long number, Frame frame, boolean isOfThisBoot, long wallOffset, long author) {
            this.number = number;
            this.frame = frame;
            this.isOfThisBoot = isOfThisBoot;
            this.wallOffset = wallOffset;
            this.author = author;
        }
    }

    private final PartPlan plan;
    private final ChainState state;
    private final ServiceCalls calls;
    private final FailedCalls failed;
    private final WriterOutlet outlet;
    private final InboundMessage message;
    private final PartContext context;
    private final Environment environment;
    private final LongSupplier lastInput;
    private final TopicWriter writer;
    private final TopicReader reader;
    private final FrameWriter frames;
    private final long writerOffset; // between the wall clock and the clock of its frames
    private final int most;
    private final int mostInBatch;
    private final long lastAtOpen;
    private final long outputsAtOpen;
    private final TreeMap<Long, Aside> open = new TreeMap<>(); // by number
    private final Map<ByteBuffer, Deque<Aside>> keys = new HashMap<>(); // the first of each key is due next
    private final PriorityQueue<Aside> due =
            new PriorityQueue<>((one, other) -> Long.signum(one.dueAt - other.dueAt)); // the first of each key
    private final Deque<long[]> read = new ArrayDeque<>(); // number and position of frames that are not acknowledged
    private final List<Aside> batch = new ArrayList<>(); // handled; complete when their outputs are stored
    private Frame newest; // record read at the start that no later frame confirms; null for none
    private boolean isCorrecting;
    private boolean isLoaded;
    private boolean needsMark; // to detect that all earlier frames were read
    private long readUpTo;
    private long before; // sequence of the output before the batch
    private long recorded; // number of the batch or correction that is not stored; 0 for none
    private boolean isFlushed; // the outputs of the batch
    private boolean isWaiting; // for the storage of outputs, so that an input that is due can be handled
    private Aside lettered; // its dead letter is being stored; null for none
    private InputRef inputs; // of the service, while a letter is stored
    private long aside; // sequence of the input that is to be set aside; 0 for none
    private int asideFailures;
    private long asidePause; // before its first retry
    private long asideNumber; // its number once it is written; 0 before
    private boolean isInputNext; // a batch was completed since an input was set aside
    private long fullSince; // when there was no room for the first time; 0 if there is some

    RetryTopic(
            ChainState state,
            Ends ends,
            ServiceCalls calls,
            FailedCalls failed,
            WriterOutlet outlet,
            PartContext context,
            LongSupplier lastInput) {
        this.plan = failed.plan();
        this.state = state;
        this.calls = calls;
        this.failed = failed;
        this.outlet = outlet;
        this.message = failed.message();
        this.context = context;
        this.environment = state.environment();
        this.lastInput = lastInput;
        this.writer = ends.writer();
        this.reader = ends.reader();
        this.frames = plan.writers().ofRecords(writer);
        Incarnation own = writer.incarnation();
        this.writerOffset = own == null ? context.inputOffset() : own.wallOffsetNanos();
        this.most = plan.errors().mostSetAside();
        this.mostInBatch = Math.max(1, Math.min(MOST_IN_BATCH, (plan.writers().maxPayload() - AT_INPUTS) / EACH));
        this.lastAtOpen = writer.sequence();
        this.outputsAtOpen = RedriveMark.ownOutputs(outlet.writer());
        long acknowledged = reader.found().acknowledged();
        this.needsMark = acknowledged == TopicReader.UNKNOWN;
        this.readUpTo = Math.max(0, acknowledged);
    }

    @Override
    public int unfinished() {
        return open.size();
    }

    /** Returns whether no input is set aside or about to be, so that inputs are handled as usual. */
    boolean isEmpty() {
        return open.isEmpty() && aside == 0;
    }

    /** Returns whether the next input has to be set aside, and the maximum number of inputs is set aside. */
    boolean isFull() {
        return aside != 0 && asideNumber == 0 && !hasRoom();
    }

    /** Returns whether a further input can be set aside: there has to be room for a batch of each, in a topic that is a ring. */
    private boolean hasRoom() {
        return open.size() < most && writer.remainingCapacity() >= Math.min(open.size() + 2, writer.capacity());
    }

    /** Returns whether a frame of this topic has to be stored before the service sends outputs. */
    boolean isWriting() {
        return !isLoaded || isCorrecting || recorded != 0 || asideNumber != 0;
    }

    /** Returns whether the next input has to wait until inputs that are due are handled. */
    @Override
    public boolean isTurn() {
        return !isLoaded || isCorrecting || recorded != 0 || isWaiting || lettered != null;
    }

    /** Returns whether it needs a turn before the next input or {@link #dueAt}. */
    boolean isAtWork() {
        return isWriting() || isTurn() || !batch.isEmpty() || mayRead() || mayAcknowledge();
    }

    private boolean mayRead() {
        return readUpTo < writer.sequence() && (read.size() < MOST_READ || !isLoaded);
    }

    private boolean mayAcknowledge() {
        return !read.isEmpty() && isAnswered(read.peek()[0]);
    }

    /** Returns whether a closing chain may stop: inputs that are set aside are kept by the topic if it is durable. */
    boolean mayClose() {
        return !isTurn() && batch.isEmpty() && (plan.topics().retries().isKept() || open.isEmpty());
    }

    @Override
    public long dueAt() {
        return due.isEmpty() ? Long.MAX_VALUE : due.peek().dueAt;
    }

    /** Sets the topic and the writer of the inputs to which the following causes refer. */
    void answers(InputRef input) {
        writer.answers(input);
    }

    /** Sets aside an input that has failed: {@link #store} is called for it until it returns true. */
    void begin(long sequence, int failures, Throwable thrown) {
        aside = sequence;
        asideFailures = failures;
        asidePause = thrown == null ? 0 : pauseNanos(thrown, failures, sequence);
    }

    /** Returns whether the current input has to be set aside, because it failed or because its key has such an input. */
    boolean takes(Frame frame, InboundMessage in) {
        if (aside == 0 && !keys.isEmpty() && !RequestCalls.isReply(frame)) {
            ByteBuffer key = in.key();
            if (keys.containsKey(key == null ? NO_KEY : key)) {
                begin(frame.sequence(), 0, null);
            }
        }
        return aside != 0;
    }

    /** Writes the current input if that is possible now. Returns whether it is stored, and thus consumed. */
    boolean store(InboundMessage in) {
        if (asideNumber == 0) {
            if (!hasRoom() || !mayWrite()) {
                return false;
            }
            asideNumber = write(in);
        }
        if (writer.storedSequence() < asideNumber) {
            return false;
        }
        Aside added = new Aside(
                asideNumber, InboundMessage.copy(in.frame()), in.isOfThisBoot(), context.inputOffset(), author());
        added.failures = asideFailures;
        open(added, environment.nanoTime() + asidePause);
        asideNumber = 0;
        aside = 0;
        isInputNext = false;
        return true;
    }

    private boolean mayWrite() {
        TopicWriter outputs = outlet.writer();
        return outputs.storedSequence() >= outputs.sequence() && writer.remainingCapacity() > 0;
    }

    private long write(InboundMessage in) {
        Frame from = in.frame();
        int fields = copiedBytes(from);
        byte[] merged = Extension.copy(from, Extension.MERGED);
        int asideBytes = 2 * Long.BYTES + (merged == null ? 0 : merged.length);
        if (asideBytes > Extension.MAX_FIELD_BYTES) {
            asideBytes -= Long.BYTES;
        }
        boolean hasRoom = fields + Extension.bytes(asideBytes) + from.length()
                <= plan.writers().maxRecord(); // otherwise a restart loses the cause and the author
        Frame claim = claim(fields + (hasRoom ? Extension.bytes(asideBytes) : 0) + from.length());
        copyFields(from, claim);
        if (hasRoom) {
            int at = claim.addField(Extension.ASIDE, asideBytes);
            int authorBytes = authorBytes(asideBytes);
            claim.putFieldLong(at, from.cause());
            if (authorBytes > 0) {
                claim.putFieldLong(at + Long.BYTES, author());
            }
            if (merged != null) {
                claim.putFieldBytes(at + Long.BYTES + authorBytes, merged, 0, merged.length);
            }
        }
        claim.putPayload(from, from.length());
        claim.stamp(
                in.servicesPassed(),
                in.type(),
                from.sequence(),
                in.originNanos(),
                from.sentNanos()
                        + context.inputOffset()
                        - writerOffset); // which its retry takes as its time, also after a restart
        return commit(claim, from.length());
    }

    /**
     * Returns the bytes of the author in a field of this length, 8 or none. There is no room beside the progress of a merge of ten inputs,
     * which takes a byte and {@link MergedProgress#EACH} for each of them.
     */
    private static int authorBytes(int asideBytes) {
        return (asideBytes - Long.BYTES) % MergedProgress.EACH > 1 ? Long.BYTES : 0;
    }

    private static int copiedBytes(Frame from) {
        int fields = 0;
        for (int id : COPIED) {
            int at = from.field(id);
            fields += at == Extension.NONE ? 0 : Extension.bytes(from.fieldLength(at));
        }
        return fields;
    }

    private static void copyFields(Frame from, Frame claim) {
        for (int id : COPIED) {
            int at = from.field(id);
            if (at != Extension.NONE) {
                int length = from.fieldLength(at);
                int to = claim.fieldOffset(claim.addField(id, length), length);
                claim.memory().put(to, from.memory(), from.fieldOffset(at, length), length);
            }
        }
    }

    /** Returns a copy on the heap of a message that was set aside, as it was in the input. */
    private static Frame restored(Frame from) {
        byte[] aside = Extension.copy(from, Extension.ASIDE);
        long cause = aside == null ? 0 : from.getFieldLong(from.field(Extension.ASIDE));
        int mergedAt = aside == null ? 0 : Long.BYTES + authorBytes(aside.length);
        int merged = aside == null ? 0 : aside.length - mergedAt;
        Frame copy = InboundMessage.copy(from);
        if (merged > 0) {
            int most = copiedBytes(from) + Extension.bytes(merged) + from.length();
            ByteBuffer memory = ByteBuffer.allocate(Frame.HEADER_BYTES + most).order(ByteOrder.LITTLE_ENDIAN);
            copy = new Frame().wrap(memory, 0, most);
            copyFields(from, copy);
            copy.putFieldBytes(copy.addField(Extension.MERGED, merged), aside, mergedAt, merged);
            copy.putPayload(from, from.length());
            copy.wrap(memory, 0, copy.extensionBytes() + from.length()).validate();
        }
        copy.sequence(Cause.input(from.cause()));
        copy.stamp(from.servicesPassed(), from.type(), cause, from.originNanos(), from.sentNanos());
        return copy;
    }

    private Frame claim(int length) {
        Frame claim = frames.claim(length);
        if (claim == null) {
            throw new IllegalStateException("the transport refused a claim for which it had room");
        }
        return claim;
    }

    private long commit(Frame claim, int length) {
        long number = frames.commit(claim, length);
        writer.flush();
        return number;
    }

    private void open(Aside added, long dueAt) {
        added.key = keyOf(message.of(added.frame, added.frame.head()));
        open.put(added.number, added);
        Deque<Aside> ofKey = keys.computeIfAbsent(added.key, key -> new ArrayDeque<>());
        ofKey.add(added);
        if (ofKey.size() == 1) {
            scheduleAt(dueAt, added);
        }
    }

    private void scheduleAt(long at, Aside first) {
        first.dueAt = at;
        due.add(first);
    }

    private static ByteBuffer keyOf(InboundMessage in) {
        ByteBuffer key = in.key();
        return key == null ? NO_KEY : ByteBuffer.allocate(key.remaining()).put(0, key, key.position(), key.remaining());
    }

    private long pauseNanos(Throwable thrown, int failures, long sequence) {
        return plan.errors().of(thrown).pauseNanos(failures, plan.input().hashCode() + sequence);
    }

    /** Handles inputs that are due. Their outputs are flushed by the caller if this returns more than 0. */
    @Override
    public int turn(TopicWriter outputs, int maxOutputs, BatchTime time) {
        readBack();
        checkRoom();
        if (isCorrecting && recorded == 0 && mayWrite()) {
            recorded = record(CORRECTION);
        }
        if (recorded != 0) {
            return tryEndRecord() ? 1 : 0;
        }
        if (!isLoaded || isCorrecting || asideNumber != 0) {
            return 0;
        }
        if (isFlushed && outputs.storedSequence() >= batch.get(batch.size() - 1).outputs) {
            batch.forEach(each -> open.remove(each.number));
            batch.clear();
            isFlushed = false;
        }
        boolean isLettered = lettered != null;
        boolean isInputLettered = !isLettered && calls.isWritingLetter(); // the topic of letters writes one at a time
        isWaiting = isLettered || !isInputLettered && isDue() && !(isInputNext && aside != 0 && !isFull());
        if (!isWaiting || !batch.isEmpty() || !mayWrite() || isLettered && !hasLetter()) {
            return 0;
        }
        handle(outputs, maxOutputs, time);
        return recorded != 0 && tryEndRecord() ? 1 : 0;
    }

    /**
     * Checks that inputs that are set aside leave room for the record that marks some of them as handled.
     *
     * @throws TransportException if there was none for ten seconds, which stops the chain
     */
    private void checkRoom() {
        boolean isFull = isLoaded
                && (isCorrecting || isDue())
                && writer.remainingCapacity() == 0
                && writer.storedSequence() >= writer.sequence();
        if (!isFull) {
            fullSince = 0;
        } else if (fullSince == 0) {
            fullSince = environment.nanoTime();
        } else if (environment.nanoTime() - fullSince >= FULL_NANOS) {
            throw new TransportException("topic '" + plan.topics().retries().topic() + "' is full: " + open.size()
                    + " messages that are set aside occupy it, so that no retry can be recorded; start the chain again"
                    + " with more room for the topic");
        }
    }

    private boolean isDue() {
        return !due.isEmpty() && environment.nanoTime() - due.peek().dueAt >= 0;
    }

    private boolean hasLetter() {
        boolean isOfThisBoot = message.isOfThisBoot();
        message.isOfThisBoot(lettered.isOfThisBoot);
        message.of(lettered.frame, lettered.frame.head());
        boolean hasLetter = !failed.letters().isBusy() || failed.hasStoredLetter();
        message.isOfThisBoot(isOfThisBoot);
        return hasLetter;
    }

    /** Returns the incarnation that wrote the current input; 0 if it is not known, or no letter needs it. */
    private long author() {
        return failed.letters() == null ? 0 : failed.letters().inputs().incarnation();
    }

    /** Begins to await the letter of an input, which may have another writer than the current input of the service. */
    private void awaitLetter(Aside input) {
        lettered = input;
        inputs = failed.letters().inputs();
        if (input.author != 0 && input.author != inputs.incarnation()) {
            failed.letters().answers(new InputRef(inputs.topic(), input.author));
        }
    }

    private void letterStored() {
        lettered = null;
        if (failed.letters().inputs() != inputs) {
            failed.letters().answers(inputs);
        }
    }

    private boolean hasStoredLetter(Aside input) {
        return failed.letters() != null
                && failed.letters().hasStored(input.author == 0 ? author() : input.author, input.frame.sequence());
    }

    private void handle(TopicWriter outputs, int maxOutputs, BatchTime time) {
        before = outputs.sequence();
        boolean isOfThisBoot = message.isOfThisBoot();
        long wallOffset = context.inputOffset();
        outlet.beginBatch();
        int handled = 0;
        long begun = environment.nanoTime();
        do {
            if (outputs.remainingCapacity() < Math.max(1, maxOutputs)) {
                break;
            }
            Aside next = lettered == null ? due.poll() : lettered;
            message.isOfThisBoot(next.isOfThisBoot);
            context.inputOffset(next.wallOffset);
            if (tryHandle(next)) {
                next.outputs = outputs.sequence();
                batch.add(next);
                next(next);
            }
            handled++;
            time.callEnded();
        } while (batch.size() < mostInBatch
                && handled < plan.turns().limit()
                && lettered == null
                && !failed.hasStopped()
                && isDue()
                && (plan.loop().isManual() || environment.nanoTime() - begun < BatchTime.MOST_NANOS));
        message.isOfThisBoot(isOfThisBoot);
        context.inputOffset(wallOffset);
        isWaiting = handled == 0;
        if (!batch.isEmpty()) {
            recorded = record(BATCH);
        }
    }

    /** Handles an input again. Returns whether it is answered or given up. */
    private boolean tryHandle(Aside input) {
        Frame frame = input.frame;
        long cause = Cause.late(frame.sequence());
        if (input == lettered) {
            calls.giveUp(frame, cause, failed.letters().thrown());
            letterStored();
            return true;
        }
        if (hasStoredLetter(input)) {
            calls.giveUp(frame, cause, null);
            return true;
        }
        Throwable thrown = calls.deliverAgain(frame, cause);
        if (thrown == null) {
            return true;
        }
        return switch (failed.after(thrown, ++input.failures)) {
            case AGAIN -> {
                long pause = pauseNanos(thrown, input.failures, frame.sequence());
                scheduleAt(environment.nanoTime() + pause, input);
                yield false;
            }
            case LETTER -> {
                awaitLetter(input);
                yield false;
            }
            case SKIPPED -> {
                calls.giveUp(frame, cause, thrown);
                yield true;
            }
            case STOPPED -> false;
        };
    }

    /** Makes the input that follows in the same key due. */
    private void next(Aside handled) {
        Deque<Aside> ofKey = keys.get(handled.key);
        ofKey.remove();
        if (ofKey.isEmpty()) {
            keys.remove(handled.key);
        } else {
            scheduleAt(environment.nanoTime(), ofKey.peek());
        }
    }

    private long record(int kind) {
        int length = AT_INPUTS + EACH * batch.size();
        Frame claim = claim(length);
        claim.putLong(0, kind);
        for (int i = 0; i < batch.size(); i++) {
            claim.putLong(AT_INPUTS + EACH * i, batch.get(i).number);
            claim.putLong(AT_INPUTS + EACH * i + Long.BYTES, batch.get(i).outputs);
        }
        long now = environment.nanoTime();
        claim.stamp(0, 0, Cause.ofTick(Math.max(0, lastInput.getAsLong())), now, now);
        return commit(claim, length);
    }

    /** Ends the record if it is stored, so that the outputs of its batch can be flushed. Returns whether that is so. */
    private boolean tryEndRecord() {
        if (writer.storedSequence() < recorded) {
            return false;
        }
        recorded = 0;
        isCorrecting = false;
        isFlushed = !batch.isEmpty();
        isInputNext = true;
        return true;
    }

    /** Reads what the topic held at the start, and later the positions of the frames that were added. */
    private void readBack() {
        while (mayAcknowledge()) {
            long position = read.remove()[1];
            if (!mayAcknowledge()) {
                reader.acknowledge(position);
            }
        }
        if (!isLoaded && readUpTo >= lastAtOpen) {
            loaded();
        }
        if (mayRead()) {
            reader.poll(this, POLLED);
        }
        if (!isLoaded && needsMark && mayWrite()) {
            record(MARK);
            needsMark = false;
        }
    }

    private boolean isAnswered(long number) {
        return isLoaded && !open.containsKey(number) && (asideNumber == 0 || number < asideNumber);
    }

    @Override
    public void onWriter(Incarnation author) {}

    @Override
    public Verdict onFrame(Frame frame, long position) {
        String defect = frame.isPlain() ? null : frame.validate();
        if (defect != null) {
            throw new DamagedTopicException(
                    "topic '" + plan.topics().retries().topic() + "', sequence " + frame.sequence() + ": " + defect,
                    false);
        }
        readUpTo = frame.sequence();
        read.add(new long[] {readUpTo, position});
        if (!isLoaded) {
            load(frame);
        }
        return Verdict.DONE;
    }

    private void load(Frame frame) {
        boolean isMessage = !Cause.isOfTick(frame.cause());
        if (!isMessage && frame.getLong(0) == MARK) {
            return;
        }
        if (newest != null && (isMessage || frame.getLong(0) == BATCH)) {
            remove(newest, Long.MAX_VALUE);
        }
        Frame copy = isMessage ? restored(frame) : InboundMessage.copy(frame);
        newest = isMessage ? null : copy;
        if (isMessage) {
            Incarnation author = reader.writer();
            boolean isOfThisBoot = author == null || author.isOfThisBoot();
            long wallOffset = author == null ? context.inputOffset() : author.wallOffsetNanos();
            int at = frame.field(Extension.ASIDE);
            boolean hasAuthor = at != Extension.NONE && authorBytes(frame.fieldLength(at)) > 0;
            long writtenBy = hasAuthor ? frame.getFieldLong(at + Long.BYTES) : 0;
            open.put(readUpTo, new Aside(readUpTo, copy, isOfThisBoot, wallOffset, writtenBy));
        }
    }

    /** Removes the inputs of a batch that are answered by outputs up to a sequence, and returns them. */
    private List<Aside> remove(Frame of, long outputs) {
        List<Aside> answered = new ArrayList<>();
        for (int at = AT_INPUTS; at < of.length(); at += EACH) {
            if (of.getLong(at + Long.BYTES) <= outputs) {
                Aside found = open.remove(of.getLong(at)); // null if it was acknowledged, and not read
                answered.add(found == null ? new Aside(of.getLong(at), of, true, 0, 0) : found);
            }
        }
        return answered;
    }

    private void loaded() {
        isLoaded = true;
        if (newest != null) {
            List<Aside> answered = remove(newest, outputsAtOpen);
            isCorrecting = EACH * answered.size() < newest.length() - AT_INPUTS;
            if (isCorrecting) {
                batch.addAll(answered);
            }
        }
        List<Aside> all = List.copyOf(open.values());
        open.clear();
        all.forEach(each -> open(each, environment.nanoTime()));
        batch.forEach(each -> open.put(each.number, each));
    }

    /** Returns the failure that ended its writer or reader; null while both work. */
    TransportException failure() {
        TransportException ended = writer.failure();
        return ended == null ? reader.failure() : ended;
    }

    boolean tryClose() {
        return state.isAbandoned() || reader.tryClose();
    }

    /** Withdraws the outputs of a batch that is not stored, and closes both ends. */
    void close() {
        TopicWriter outputs = outlet.writer();
        if (!batch.isEmpty() && !isFlushed && !isCorrecting && outputs.failure() == null) {
            calls.rollBack(before);
        }
        Failures.inOrder(state.isAbandoned() ? reader::abandon : reader::close, writer::close);
    }
}
