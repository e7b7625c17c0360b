package dev.baton.operations.verify;

import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The causes of a merged topic, one account for each input: they increase within each, and for the other inputs every frame repeats the
 * causes of the frames before it. Confined to one thread.
 */
final class MergedCauses {
    private static final int FIRST = 1;
    private static final int TOPIC = 8;
    private static final int INCARNATION = 16;
    private static final int EACH = 24;

    private ByteBuffer before; // the value of the frame before; null: none

    /**
     * Checks the next frame.
     *
     * @param at index of its field
     * @return the fault, null for none
     */
    String next(Frame frame, int at) {
        byte[] bytes = new byte[frame.fieldLength(at)];
        frame.getFieldBytes(at, bytes, 0, bytes.length);
        ByteBuffer now = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int inputs = (bytes.length - FIRST) / EACH;
        int input = bytes.length == 0 ? -1 : bytes[0] & 0xFF;
        if (bytes.length == 0 || FIRST + inputs * EACH != bytes.length || input >= inputs) {
            return "its field of " + bytes.length + " bytes names no input of a merge";
        }
        ByteBuffer former = before == null || before.capacity() != bytes.length ? null : before;
        before = now;
        if (now.getLong(at(input)) != frame.cause()) {
            return "its cause is " + frame.cause() + ", its field has " + now.getLong(at(input)) + " of input " + input;
        }
        return former == null ? null : compare(former, now, inputs, input);
    }

    private static String compare(ByteBuffer former, ByteBuffer now, int inputs, int input) {
        for (int i = 0; i < inputs; i++) {
            long was = former.getLong(at(i));
            long is = now.getLong(at(i));
            if (i == input ? is <= was && !isOther(former, now, at(i)) : is != was) {
                return "its field has " + is + " of input " + i + (i == input ? ", its own" : "")
                        + ", the frame before has " + was;
            }
        }
        return null;
    }

    /** {@return whether an input was replaced, or has a newer writer, so that its sequences may begin again} */
    private static boolean isOther(ByteBuffer former, ByteBuffer now, int at) {
        return former.getLong(at + TOPIC) != now.getLong(at + TOPIC)
                || Incarnation.count(now.getLong(at + INCARNATION))
                        > Incarnation.count(former.getLong(at + INCARNATION));
    }

    private static int at(int input) {
        return FIRST + input * EACH;
    }
}
