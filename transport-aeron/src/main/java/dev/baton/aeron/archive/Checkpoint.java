package dev.baton.aeron.archive;

import dev.baton.aeron.log.FragmentChecksum;
import dev.baton.aeron.log.FragmentLayout;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.TransportException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * A checkpoint: the state from which a topic can be read or written on. It is a fragment of its own before the frames to which it
 * applies: where a writer begins, where a term with frames begins, and where frames answer another input. With it a reader that
 * begins at a term has the writer and the input of each frame.
 *
 * <pre>
 * little endian
 *  0  -1                   4  no length of a frame: a checkpoint
 *  4  {@value #FORMAT}                    4  of this layout
 *  8  sequence             8  of the newest frame before it, 0 for none
 * 16  input                16 that the frames behind it answer: identity, incarnation
 * 32  input                16 that the newest frame before it answers
 * 48  complete             4  1: the newest frame before it was the last one of its flush
 * 52  frame                4  bytes of that frame, 0 for none
 * 56  writer               4  bytes of the text of the {@link Incarnation} that writes what is behind it
 * 60  predecessor          4  bytes of the text of the one that wrote the newest frame before it, 0 for none
 * 64  writer's id          8
 * 72  frame (header and extension), writer, predecessor
 *     checksum             4  CRC32C of the bytes before
 * </pre>
 *
 * <p>Immutable, thread-safe.
 */
record Checkpoint(
        long sequence,
        InputRef input,
        InputRef newestInput,
        boolean isComplete,
        byte[] newestFrame,
        Incarnation writer,
        Incarnation predecessor) {
    /** The value in place of a frame's length. */
    static final int MARK = -1;

    private static final int FORMAT = 3; // in the place of a frame's flags, whose checksums are hardly ever this small
    private static final int FORMATS = 1_000;
    private static final int FORMAT_AT = 4;
    private static final int SEQUENCE_AT = 8;
    private static final int INPUT_AT = 16;
    private static final int NEWEST_INPUT_AT = 32;
    private static final int COMPLETE_AT = 48;
    private static final int LENGTHS_AT = 52;
    private static final int WRITER_AT = 64;
    private static final int TEXTS_AT = 72;
    private static final int CHECKSUM_BYTES = Integer.BYTES;

    /** Returns whether a fragment is a checkpoint, rather than frames with a damaged length. */
    static boolean isAt(ByteBuffer memory, int fragment) {
        int format = memory.getInt(fragment + FORMAT_AT);
        return memory.getInt(fragment) == MARK && format > FragmentLayout.LAST_OF_FLUSH && format < FORMATS;
    }

    /** Returns the sequence of the newest frame before the checkpoint in a fragment. */
    static long sequence(ByteBuffer memory, int fragment) {
        return memory.getLong(fragment + SEQUENCE_AT);
    }

    /** Returns the id of the writer behind the checkpoint in a fragment. */
    static long writerId(ByteBuffer memory, int fragment) {
        return memory.getLong(fragment + WRITER_AT);
    }

    /** Returns the length of the longest checkpoint of a writer. */
    static int maxBytes(Incarnation writer, Incarnation predecessor) {
        return TEXTS_AT
                + Frame.HEADER_BYTES
                + Extension.MAX_BYTES
                + Frame.CHECKSUM_BYTES
                + bytes(writer).length
                + Math.max(bytes(writer).length, bytes(predecessor).length)
                + CHECKSUM_BYTES;
    }

    /** Encodes the checkpoint as a fragment. */
    ByteBuffer encode() {
        byte[] wrote = bytes(writer);
        byte[] before = bytes(predecessor);
        int checksumAt = TEXTS_AT + newestFrame.length + wrote.length + before.length;
        ByteBuffer memory =
                ByteBuffer.allocateDirect(checksumAt + CHECKSUM_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        memory.putInt(MARK).putInt(FORMAT).putLong(sequence);
        put(memory, input);
        put(memory, newestInput);
        memory.putInt(isComplete ? 1 : 0)
                .putInt(newestFrame.length)
                .putInt(wrote.length)
                .putInt(before.length);
        memory.putLong(writer.id()).put(newestFrame).put(wrote).put(before);
        return memory.putInt(new FragmentChecksum().of(memory, 0, checksumAt));
    }

    private static void put(ByteBuffer memory, InputRef input) {
        memory.putLong(input.topic()).putLong(input.incarnation());
    }

    private static byte[] bytes(Incarnation incarnation) {
        return incarnation == null ? new byte[0] : incarnation.text().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Decodes the checkpoint in a fragment.
     *
     * @param topic for the error
     * @throws TransportException when it was written by another version of Baton
     * @throws DamagedTopicException when the fragment is damaged
     */
    static Checkpoint decode(String topic, ByteBuffer memory, int fragment, int length) {
        int format = memory.getInt(fragment + FORMAT_AT);
        if (format != FORMAT) {
            throw new TransportException("topic '" + topic + "' was written in format " + format
                    + ", this version of Baton reads format " + FORMAT);
        }
        int frame = memory.getInt(fragment + LENGTHS_AT);
        int wrote = memory.getInt(fragment + LENGTHS_AT + 4);
        int before = memory.getInt(fragment + LENGTHS_AT + 8);
        int checksumAt = length - CHECKSUM_BYTES;
        if (frame < 0
                || wrote < 0
                || before < 0
                || (long) TEXTS_AT + frame + wrote + before != checksumAt
                || new FragmentChecksum().of(memory, fragment, fragment + checksumAt)
                        != memory.getInt(fragment + checksumAt)) {
            throw damaged(topic, sequence(memory, fragment));
        }
        byte[] frameBytes = new byte[frame];
        memory.get(fragment + TEXTS_AT, frameBytes);
        Incarnation writer = incarnation(memory, fragment + TEXTS_AT + frame, wrote);
        if (writer == null) {
            throw damaged(topic, sequence(memory, fragment));
        }
        return new Checkpoint(
                sequence(memory, fragment),
                input(memory, fragment + INPUT_AT),
                input(memory, fragment + NEWEST_INPUT_AT),
                memory.getInt(fragment + COMPLETE_AT) == 1,
                frameBytes,
                writer,
                incarnation(memory, fragment + TEXTS_AT + frame + wrote, before));
    }

    private static DamagedTopicException damaged(String topic, long sequence) {
        return new DamagedTopicException(
                "topic '" + topic + "' has a damaged checkpoint, by which it follows sequence " + sequence
                        + "; restore the recordings of the Archive, or delete the topic",
                true);
    }

    private static InputRef input(ByteBuffer memory, int at) {
        return new InputRef(memory.getLong(at), memory.getLong(at + Long.BYTES));
    }

    private static Incarnation incarnation(ByteBuffer memory, int at, int length) {
        byte[] text = new byte[length];
        memory.get(at, text);
        return Incarnation.parse(new String(text, StandardCharsets.UTF_8));
    }

    /** Returns the number of bytes of a frame that a checkpoint keeps. */
    static int keptBytes(ByteBuffer memory, int frame, int payload) {
        boolean isPlain = Frame.isPlain(memory.getLong(frame));
        return Frame.HEADER_BYTES + (isPlain ? 0 : Math.min(payload, Extension.MAX_BYTES + Frame.CHECKSUM_BYTES));
    }
}
