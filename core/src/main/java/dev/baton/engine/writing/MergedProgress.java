package dev.baton.engine.writing;

import dev.baton.spi.Frame;
import dev.baton.spi.InputRef;
import dev.baton.spi.errors.TransportException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The progress of a merge in each of its inputs, in the layout of the field {@link dev.baton.spi.Extension#MERGED}.
 *
 * <pre>
 *  0        index of the input that the frame comes from, 1 byte
 *  1 + 24 i sequence of the newest message of input i up to this frame, 0 for none
 *  9 + 24 i identity of that input's topic
 * 17 + 24 i incarnation that wrote that message
 * </pre>
 *
 * <p>Confined to its loop.
 */
public final class MergedProgress {
    /** The maximum number of inputs in a field. */
    public static final int MAX_INPUTS = 10;

    /** The bytes for each input. */
    public static final int EACH = 24;

    private static final int FIRST = 1;
    private static final int TOPIC = 8;
    private static final int INCARNATION = 16;

    private final byte[] bytes;
    private final ByteBuffer view;
    private final byte[] before = new byte[EACH]; // values of the newest frame's input before that frame

    MergedProgress(int inputs) {
        bytes = new byte[bytes(inputs)];
        view = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Returns the number of bytes of the field. */
    public static int bytes(int inputs) {
        return FIRST + inputs * EACH;
    }

    /** Returns the number of bytes of this field. */
    int length() {
        return bytes.length;
    }

    /** Recovers the progress from the newest frame. */
    void recover(String topic, byte[] newest) {
        if (newest.length != bytes.length) {
            throw new TransportException("the newest frame of topic '" + topic + "' names "
                    + (newest.length - FIRST) / EACH + " inputs, the merge has " + (bytes.length - FIRST) / EACH);
        }
        System.arraycopy(newest, 0, bytes, 0, bytes.length);
    }

    long sequence(int input) {
        return view.getLong(at(input));
    }

    /** Returns the topic and the writer of the newest message of an input. */
    InputRef input(int input) {
        return new InputRef(view.getLong(at(input) + TOPIC), view.getLong(at(input) + INCARNATION));
    }

    /** Sets the input of the next frame and the sequence of its message. */
    void set(int input, long sequence, InputRef where) {
        bytes[0] = (byte) input;
        System.arraycopy(bytes, at(input), before, 0, EACH);
        view.putLong(at(input), sequence);
        view.putLong(at(input) + TOPIC, where.topic());
        view.putLong(at(input) + INCARNATION, where.incarnation());
    }

    /** Restores the values before the last {@link #set}. */
    void undo() {
        System.arraycopy(before, 0, bytes, at(bytes[0]), EACH);
    }

    /** Writes the field's value into a claim. */
    void write(Frame claim, int field) {
        claim.putFieldBytes(field, bytes, 0, bytes.length);
    }

    /** Returns the index of the input of a frame; -1 if the field contains no valid index. */
    public static int inputOf(Frame frame, int field) {
        int index = frame.fieldLength(field) == 0 ? -1 : frame.memory().get(frame.fieldOffset(field, 1)) & 0xFF;
        return index < (frame.fieldLength(field) - FIRST) / EACH ? index : -1;
    }

    private static int at(int input) {
        return FIRST + input * EACH;
    }
}
