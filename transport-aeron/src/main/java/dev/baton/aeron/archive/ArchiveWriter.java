package dev.baton.aeron.archive;

import dev.baton.aeron.AeronOptions;
import dev.baton.aeron.ArchiveOptions;
import dev.baton.aeron.log.BatchWriter;
import dev.baton.aeron.log.FragmentChecksum;
import dev.baton.aeron.log.FragmentLayout;
import dev.baton.aeron.log.PendingFragments;
import dev.baton.aeron.log.StagedBatch;
import dev.baton.aeron.log.StagingPool;
import dev.baton.aeron.recording.ArchiveSession;
import dev.baton.aeron.recording.Copy;
import dev.baton.aeron.recording.RecordedPublication;
import dev.baton.aeron.recording.RecordingDescriptor;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.SequenceRanges;
import io.aeron.Counter;
import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.agrona.BitUtil;
import org.agrona.CloseHelper;

/**
 * The writer of a topic, into a publication that the Archive records. With a standby a frame is stored when that has recorded it, too.
 *
 * <p>It writes a {@link Checkpoint} before the frames where it begins, where a term begins, and where frames answer another
 * input. The capacity leaves room for a checkpoint and for the rest of a term in which a frame does not fit. Confined to the
 * thread that opened it.
 */
final class ArchiveWriter extends BatchWriter {
    private static final long NO_TERM = -1;
    private static final long WINDOW_PAUSE_NANOS = 200_000;
    /** The time that a close waits for the copy. */
    private static final long CLOSE_NANOS = 2_000_000_000;

    private static final int ATTEMPTS = 100; // none is needed, as a batch fits into the window

    private final ArchiveSession session;
    private final RecordedPublication recorded;
    private final Copy copy;
    private final RecordedEnd end;
    private final LogEnd atOpen;
    private final FragmentChecksum checksum = new FragmentChecksum();
    private final Consumer<ArchiveWriter> onClose;
    private final PendingFragments unrecorded = new PendingFragments();
    private final Counter newest;
    private final int checkpointBytes; // of the log, for the longest one
    private final int termLength;
    private final byte[] newestFrame = new byte[Frame.HEADER_BYTES + Extension.MAX_BYTES + Frame.CHECKSUM_BYTES];
    private int newestFrameBytes; // of the frame flushed last, 0 for none of this writer

    private SequenceRanges<InputRef> inputs;
    private long lastOfInput =
            Long.MAX_VALUE; // sequence up to which the frames answer the input of the newest checkpoint
    private long checkpointTerm = NO_TERM; // number of the term of that checkpoint
    private ByteBuffer refused; // a checkpoint that has to be repeated; null for none
    private long stored; // sequence

    private ArchiveWriter(
            ArchiveSession session,
            RecordedPublication recorded,
            Copy copy,
            RecordedEnd end,
            Incarnation incarnation,
            LogSizes sizes,
            StagingPool pool,
            Consumer<ArchiveWriter> onClose) {
        super(
                copy.original().topic(),
                recorded.publication(),
                pool,
                session.options().get(ArchiveOptions.MAX_PAYLOAD),
                sizes.reserve(),
                sizes.capacity(),
                incarnation,
                end.found().sequence(),
                end.found().end());
        this.session = session;
        this.recorded = recorded;
        this.copy = copy;
        this.end = end;
        atOpen = end.found();
        this.onClose = onClose;
        inputs = SequenceRanges.<InputRef>none().with(0, atOpen.input());
        stored = flushed();
        termLength = publication().termBufferLength();
        checkpointBytes = sizes.checkpoint();
        for (int attempts = 0; !checkpoint(flushed(), true); ) {
            attempts = tryAgain(attempts);
        }
        newest = session.options().isRemote()
                ? null
                : NewestSequence.addCounter(session, recorded.recordingId(), topic());
        if (newest != null) {
            newest.setRelease(flushed());
        }
    }

    /**
     * Opens the writer of a topic, behind the last whole fragment if none behind it was recorded as stored. Waits for the Archive.
     *
     * @param waits whether it may wait for a writer that was killed
     * @param pool memory of the batches of the connection's writers
     */
    static ArchiveWriter open(
            ArchiveSession session,
            RecordingDescriptor recording,
            String topology,
            boolean waits,
            StagingPool pool,
            Consumer<ArchiveWriter> onClose) {
        return RecordedEnd.behindTornTail(
                session, recording, present -> openAtEnd(session, present, topology, waits, pool, onClose));
    }

    private static ArchiveWriter openAtEnd(
            ArchiveSession session,
            RecordingDescriptor recording,
            String topology,
            boolean waits,
            StagingPool pool,
            Consumer<ArchiveWriter> onClose) {
        RecordedPublication recorded =
                RecordedPublication.extend(session, recording, "topic '" + recording.topic() + "'", waits);
        RecordedEnd end = null;
        try {
            LogEnd found = LogEnd.of(session, recording, recorded.publication().position());
            Incarnation.requireSameTopology(recording.topic(), found.writer(), topology);
            Incarnation incarnation = begin(found.writer(), topology);
            Copy copy = Copy.ofWriter(session, recording);
            copy.awaitAt(session, recorded.publication().position());
            end = RecordedEnd.open(session, recording, found);
            awaitWindow(recorded.publication(), session.options().get(ArchiveOptions.TIMEOUT));
            LogSizes sizes = LogSizes.of(
                    recorded.publication(),
                    session.options().get(ArchiveOptions.MAX_PAYLOAD),
                    Checkpoint.maxBytes(incarnation, found.predecessor()),
                    recording.topic());
            return new ArchiveWriter(session, recorded, copy, end, incarnation, sizes, pool, onClose);
        } catch (RuntimeException | Error failed) { // an Error for example without direct memory
            CloseHelper.quietClose(
                    end == null ? null : end::withdraw); // the Archive may be gone, which is not the cause
            CloseHelper.quietClose(recorded::close);
            throw failed;
        }
    }

    /** Awaits the window of a publication, which the driver opens a turn after the Archive has subscribed. */
    private static void awaitWindow(ExclusivePublication publication, Duration timeout) {
        long start = System.nanoTime();
        while (publication.availableWindow() == 0 && System.nanoTime() - start < timeout.toNanos()) {
            LockSupport.parkNanos(WINDOW_PAUSE_NANOS);
        }
    }

    private static Incarnation begin(Incarnation before, String topology) {
        long count =
                Incarnation.countAfter(before == null ? 0 : Incarnation.count(before.id()), System.currentTimeMillis());
        return Incarnation.begin(
                Incarnation.id(count, ThreadLocalRandom.current().nextLong()), topology);
    }

    @Override
    public long storedSequence() {
        long sequence = failure() == null
                ? unrecorded.removeUpTo(Math.min(recorded.recorded(), copy.position()))
                : PendingFragments.NONE;
        if (sequence != PendingFragments.NONE) {
            stored = sequence;
        }
        return stored;
    }

    @Override
    public void answers(InputRef input) {
        check();
        long committed = sequence();
        InputRef before = inputs.at(committed + 1);
        inputs = inputs.with(committed + 1, input);
        if (!input.equals(before)) {
            lastOfInput = Math.min(lastOfInput, committed);
            if (committed > flushed()) {
                reserve(checkpointBytes);
            }
        }
    }

    @Override
    protected void onRewind() {
        long committed = sequence();
        if (inputs.lastOf(committed + 1) != Long.MAX_VALUE) { // frames that answered others were withdrawn
            inputs = inputs.with(committed + 1, inputs.newest());
            lastOfInput = Math.min(lastOfInput, committed);
        }
    }

    /** Requests the position of an Archive elsewhere, stores the end, and detects that the recording has ended. */
    void work(long nowNanos) {
        recorded.work(nowNanos);
        if (failure() != null) {
            return;
        }
        copy.work(nowNanos, publication().position());
        String ended = recorded.probe(nowNanos);
        boolean isRecorded = recorded.isRecorded();
        if (isRecorded && end.isDue(nowNanos)) {
            end.moveTo(storedSequence());
            end.work(nowNanos);
            isRecorded = end.isStored();
        }
        if (ended != null) {
            lost(ended);
        } else if (!isRecorded) {
            lost("the Archive does not record it any more");
        } else if (copy.isStalled(session.timeoutNanos())) {
            lost(copy.stalled(session.timeoutNanos()));
        } else if (end.stalled() != null) {
            lost("of the record of its end " + end.stalled());
        }
    }

    @Override
    protected boolean isAlive() {
        return session.isAlive();
    }

    @Override
    protected void requireUsable() {
        if (failure() == null && !isAlive()) {
            lost("media driver or Archive have ended, or have timed this process out as it was stalled for too long ("
                    + session.options() + ")");
        }
        super.requireUsable();
    }

    @Override
    protected long availableBytes() {
        return Math.min(publication().availableWindow(), copy.room(publication().position(), termLength / 2));
    }

    @Override
    protected long roomAfterFlush() {
        return availableBytes();
    }

    @Override
    protected void closeLog() {
        if (newest != null && isAlive()) {
            newest.close();
        }
        try {
            if (isAlive()) {
                recorded.awaitRecorded();
                copy.awaitFor(session, CLOSE_NANOS, publication().position());
                end.moveTo(storedSequence());
                end.close(); // before the recording of the topic: who opens that one next finds this one free
            }
        } finally {
            try {
                recorded.close();
            } finally {
                onClose.accept(this);
            }
        }
    }

    private TransportException lost(String why) {
        return fail("topic '" + topic() + "' cannot be written any more: " + why + ". Frames behind sequence " + stored
                + " may be lost; open it again");
    }

    @Override
    protected void publish(StagedBatch batch) {
        int from = 0;
        int last = 0; // offset of the frame before
        int attempts = 0;
        long sequence = flushed();
        while (from < batch.bytes()) {
            if (sequence >= lastOfInput || checkpointTerm != term()) {
                if (from > 0) {
                    keepNewest(batch, last);
                }
                if (!checkpoint(sequence, from == 0)) {
                    attempts = tryAgain(attempts);
                }
                continue;
            }
            int fragmentEnd = batch.endOfFragment(from, publication(), lastOfInput - sequence);
            checksum.seal(batch.memory(), from, fragmentEnd, fragmentEnd == batch.bytes());
            if (!write(batch.memory(), from, fragmentEnd - from)) {
                attempts = tryAgain(attempts);
                continue;
            }
            for (int at = from; at < fragmentEnd; at = batch.next(at)) {
                last = at;
                sequence++;
            }
            unrecorded.add(sequence, publication().position());
            from = fragmentEnd;
        }
        keepNewest(batch, batch.newest());
        storedSequence(); // frees the entries of recorded fragments
        if (newest != null) {
            newest.setRelease(sequence);
        }
    }

    private int tryAgain(int attempts) {
        if (attempts == ATTEMPTS) {
            throw lost("Aeron refuses a fragment that it has room for");
        }
        Thread.onSpinWait();
        return attempts + 1;
    }

    private long term() {
        return publication().position() / termLength;
    }

    private void keepNewest(StagedBatch batch, int offset) {
        ByteBuffer memory = batch.memory();
        int frame = offset + FragmentLayout.FRAME_OFFSET;
        newestFrameBytes = Checkpoint.keptBytes(memory, frame, batch.payload(offset));
        memory.get(frame, newestFrame, 0, newestFrameBytes);
    }

    /**
     * Writes a checkpoint behind the frame with a sequence; false when it has to be repeated.
     *
     * @param isFlushEnd whether that frame was the last one of its flush
     */
    private boolean checkpoint(long sequence, boolean isFlushEnd) {
        ByteBuffer bytes = refused == null ? encoded(sequence, isFlushEnd) : refused;
        if (!write(bytes, 0, bytes.capacity())) {
            refused = bytes; // encoded once, however often it is repeated
            return false;
        }
        refused = null;
        checkpointTerm = (publication().position() - 1) / termLength;
        lastOfInput = inputs.lastOf(sequence + 1);
        return true;
    }

    private ByteBuffer encoded(long sequence, boolean isFlushEnd) {
        boolean isFirst = sequence == atOpen.sequence();
        byte[] frame = isFirst ? atOpen.frameBytes() : Arrays.copyOf(newestFrame, newestFrameBytes);
        return new Checkpoint(
                        sequence,
                        inputs.at(sequence + 1),
                        isFirst ? atOpen.input() : inputs.at(sequence),
                        isFirst ? atOpen.isComplete() : isFlushEnd,
                        frame,
                        incarnation(),
                        isFirst ? atOpen.predecessor() : incarnation())
                .encode();
    }

    /** Writes a fragment; false when it has to be repeated. */
    private boolean write(ByteBuffer memory, int from, int length) {
        long result = tryWrite(memory, from, length);
        if (result > 0) {
            return true;
        }
        if (result != Publication.ADMIN_ACTION && result != Publication.BACK_PRESSURED) {
            throw lost(refusal(result));
        }
        return false;
    }

    /**
     * The bytes of a log that a writer reserves for a batch. It crosses the end of one term at most, where the rest is too short
     * for a frame or a checkpoint and the next term begins with a checkpoint, and it may begin with another checkpoint.
     * Immutable, thread-safe.
     *
     * @param checkpoint bytes of the log for the longest checkpoint
     * @param reserve bytes of the log that a batch may take beside its frames
     * @param capacity frames of the longest payload in one batch
     */
    private record LogSizes(int checkpoint, int reserve, int capacity) {
        private static final int STEPS_PER_WINDOW = 8; // a publication's limit moves in such steps

        /**
         * Computes the sizes for a publication.
         *
         * @param maxPayload longest payload of a frame
         * @param checkpointBytes of the longest checkpoint
         * @param topic for the error
         * @throws TransportException when the topic was created with terms or fragments that are too short
         */
        static LogSizes of(ExclusivePublication publication, int maxPayload, int checkpointBytes, String topic) {
            int longest = FragmentLayout.logBytes(maxPayload);
            int checkpoint =
                    BitUtil.align(DataHeaderFlyweight.HEADER_LENGTH + checkpointBytes, FrameDescriptor.FRAME_ALIGNMENT);
            int fragment = publication.maxPayloadLength();
            requireRoomFor(longest, fragment, AeronOptions.MAX_PAYLOAD + "=" + maxPayload, topic);
            requireRoomFor(checkpoint, fragment, "the name of its chain", topic);
            int reserve = 2 * checkpoint + Math.max(longest, checkpoint);
            int termLength = publication.termBufferLength();
            int window = (int) Math.min(termLength / 2, publication.availableWindow());
            int capacity = (window - 2 * (window / STEPS_PER_WINDOW) - reserve) / longest;
            if (capacity < 1) {
                throw new TransportException("topic '" + topic + "' was created with " + AeronOptions.TERM_LENGTH + "="
                        + termLength + ", too short for " + AeronOptions.MAX_PAYLOAD + "=" + maxPayload
                        + " and what a chain adds; delete it, or lower " + AeronOptions.MAX_PAYLOAD);
            }
            return new LogSizes(checkpoint, reserve, capacity);
        }

        private static void requireRoomFor(int bytes, int fragment, String what, String topic) {
            if (bytes - DataHeaderFlyweight.HEADER_LENGTH > fragment) {
                throw new TransportException("topic '" + topic + "' was created with fragments of at most " + fragment
                        + " bytes, and " + what + " needs " + bytes + "; a " + AeronOptions.MAX_PAYLOAD + " of up to "
                        + longestPayload(fragment) + " fits, or delete the topic and have it created with a longer "
                        + AeronOptions.TERM_LENGTH + " or " + AeronOptions.MAX_PAYLOAD);
            }
        }

        private static int longestPayload(int fragment) {
            int payload = fragment;
            while (payload > 0 && FragmentLayout.logBytes(payload) - DataHeaderFlyweight.HEADER_LENGTH > fragment) {
                payload--;
            }
            return payload;
        }
    }
}
