package dev.baton.engine.writing;

import dev.baton.engine.message.InboundMessage;
import dev.baton.engine.message.RequestMark;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicEnd;
import dev.baton.spi.TopicWriter;
import java.nio.ByteBuffer;

/**
 * Writes the frames of one topic: adds the fields that each frame carries beside header and payload, and passes the frame to the
 * transport's writer.
 *
 * <p>A claim takes the bytes of all fields at once. The fields are added in a fixed order: progress of a merge, round of a
 * tick, wall clock or mark of a redrive, request, trace context, key. They are completed at the commit, when the header is stamped.
 * The checksum follows the payload. It covers the sequence, which the transport assigns at commit, so the expected sequence
 * is stored in the frame before. For the transport all of this is payload. Fields that the transport itself adds in its
 * claim are counted by the transport.
 *
 * <p>Messages without fields and checksum are claimed directly from {@link #writer} if {@link #arePlain}; sequences, flush,
 * failure and close are always those of the transport's writer. Confined to the thread of the writer.
 */
public final class FrameWriter {
    /** The bytes of a trace context, which reduce the longest payload. */
    static final int TRACE_BYTES = Extension.bytes(Extension.TRACE_BYTES);

    private final TopicWriter writer;
    private final int longest; // longest payload that the transport carries
    private final boolean isChecked;
    private final InboundMessage traced; // input whose trace context is copied; null if frames are not traced
    private final MergeShare merged; // null unless this topic is the output of a merge
    private final TickRound round; // null unless the service holds inputs
    private final FrameField[] fields;
    private final RequestMark request = new RequestMark();
    private int extensionAtClaim; // bytes that the transport itself added and counts

    /** Creates the frames of a writer that carry these fields and no checksum. */
    public FrameWriter(TopicWriter writer, int longest, FrameField... fields) {
        this(writer, longest, false, null, null, null, fields);
    }

    FrameWriter(
            TopicWriter writer,
            int longest,
            boolean isChecked,
            InboundMessage traced,
            MergeShare merged,
            TickRound round,
            FrameField... fields) {
        this.writer = writer;
        this.longest = longest;
        this.isChecked = isChecked;
        this.traced = traced;
        this.merged = merged;
        this.round = round;
        this.fields = fields;
    }

    /** Returns the transport's writer. */
    public TopicWriter writer() {
        return writer;
    }

    /** Returns the request that the frames belong to; {@link RequestMark#isSet} is false outside of requests. */
    public RequestMark request() {
        return request;
    }

    /** Returns the round of the service's ticks; null unless the service holds inputs. */
    public TickRound round() {
        return round;
    }

    /** Returns whether a message without key, trace context and request may be claimed directly from the transport's writer. */
    boolean arePlain() {
        return fields.length == 0 && traced == null && !isChecked;
    }

    /** Returns the room for frames, as {@link TopicWriter#remainingCapacity()}; for the input of a merge it is a share. */
    public int remainingCapacity() {
        int room = writer.remainingCapacity();
        if (merged != null) {
            room = merged.of(room);
        }
        if (round != null) {
            round.sawRoom(room);
        }
        return room;
    }

    /** Returns the room for frames of this payload, as {@link TopicWriter#remainingCapacity(int)}. */
    public int remainingCapacity(int maxLength) {
        return writer.remainingCapacity(maxLength + added());
    }

    /** Returns the bytes of the next frame's checksum and fields, other than key and trace context. */
    private int added() {
        int added = (isChecked ? Frame.CHECKSUM_BYTES : 0) + (request.isSet() ? RequestMark.BYTES : 0);
        for (FrameField field : fields) {
            added += field.bytes();
        }
        return added;
    }

    /** Returns the bytes that a key and a trace context take, each null for none; throws if one has a wrong length. */
    public static int bytes(ByteBuffer key, ByteBuffer trace) {
        if (key != null && key.remaining() > Extension.MAX_FIELD_BYTES) {
            throw new IllegalArgumentException(
                    "a key of " + key.remaining() + " bytes; 0 to " + Extension.MAX_FIELD_BYTES + " are allowed");
        }
        if (trace != null && trace.remaining() != Extension.TRACE_BYTES) {
            throw new IllegalArgumentException(
                    "a trace context of " + trace.remaining() + " bytes; it has " + Extension.TRACE_BYTES);
        }
        return (key == null ? 0 : Extension.bytes(key.remaining())) + (trace == null ? 0 : TRACE_BYTES);
    }

    /** Begins a frame without a key and a trace context of its own. */
    public Frame claim(int maxLength) {
        return claim(maxLength, null, null);
    }

    /**
     * Begins a frame.
     *
     * @param maxLength maximum length of the payload
     * @param key copied; null for none
     * @param trace copied; null for that of the input if frames are traced, and otherwise for none
     * @return frame whose payload begins after its fields; null if there is no room
     */
    Frame claim(int maxLength, ByteBuffer key, ByteBuffer trace) {
        int copied = copiedTrace(trace);
        int added = added(maxLength, key, trace, copied);
        Frame frame = writer.claim(maxLength + added);
        if (frame == null) {
            if (round != null) {
                round.sawRoom(0);
            }
            return null;
        }
        if (isChecked) {
            frame.reserveChecksum();
        }
        extensionAtClaim = frame.extensionBytes();
        for (FrameField field : fields) {
            field.add(frame);
        }
        if (request.isSet()) {
            request.add(frame);
        }
        if (copied != Extension.NONE) {
            Frame from = traced.frame();
            int source = from.fieldOffset(copied, Extension.TRACE_BYTES);
            put(frame, Extension.TRACE, from.memory(), source, Extension.TRACE_BYTES);
        } else if (trace != null) {
            put(frame, Extension.TRACE, trace, trace.position(), Extension.TRACE_BYTES);
        }
        if (key != null) {
            put(frame, Extension.KEY, key, key.position(), key.remaining());
        }
        return frame;
    }

    /** Throws as {@link #claim(int, ByteBuffer, ByteBuffer)} does if the frame would be too long. */
    void check(int maxLength, ByteBuffer key, ByteBuffer trace) {
        added(maxLength, key, trace, copiedTrace(trace));
    }

    private int copiedTrace(ByteBuffer trace) {
        return trace == null && traced != null ? traced.traceIfHandled() : Extension.NONE;
    }

    /** Returns the bytes that are added to a payload; throws if the frame is too long. */
    private int added(int maxLength, ByteBuffer key, ByteBuffer trace, int copied) {
        int added = added() + bytes(key, trace) + (copied == Extension.NONE ? 0 : TRACE_BYTES);
        if (maxLength < 0 || maxLength > longest - added) {
            throw new IllegalArgumentException("claim of " + maxLength + " bytes; 0 to " + (longest - added)
                    + " are allowed, as the fields and the checksum of the frame take " + added);
        }
        return added;
    }

    private static void put(Frame frame, int id, ByteBuffer source, int offset, int length) {
        int at = frame.addField(id, length);
        frame.memory().put(frame.fieldOffset(at, length), source, offset, length);
    }

    /**
     * Ends the open claim, whose header is stamped.
     *
     * @param length number of payload bytes used
     * @return sequence of the frame
     */
    public long commit(Frame frame, int length) {
        for (FrameField field : fields) {
            field.complete(frame);
        }
        int used = frame.extensionBytes() - extensionAtClaim + length;
        return isChecked ? commitChecked(frame, length, used) : writer.commit(used);
    }

    private long commitChecked(Frame frame, int length, int used) {
        long due = writer.sequence() + 1;
        frame.sequence(due);
        frame.seal(length);
        long given = writer.commit(used + Frame.CHECKSUM_BYTES);
        if (given != due) {
            throw new IllegalStateException("the transport assigned sequence " + given + " to a frame instead of " + due
                    + ", for which its checksum was made; run this topic without checksums");
        }
        return given;
    }

    /** Withdraws the frames of a callback that has thrown: those after this sequence. */
    void rollBack(long before) {
        if (merged != null && before < writer.sequence()) {
            merged.rollBack();
        }
        if (round != null) {
            round.rollBack();
        }
        writer.rewind(before);
    }

    /**
     * Returns the end of the topic, as {@link TopicWriter#found}, regardless of redriven frames; for a merge with the newest
     * cause of this input.
     */
    public TopicEnd found() {
        return merged == null ? RedriveMark.own(writer.found()) : merged.found();
    }

    /** Sets the input that the following frames answer, as {@link TopicWriter#answers}. */
    public void answers(InputRef input) {
        if (merged == null) {
            writer.answers(input);
        } else {
            merged.answers(input);
        }
    }
}
