package dev.baton.lab.study.window;

import dev.baton.Claim;
import dev.baton.Message;

/**
 * The format of the job's messages. The type of an event is 0, and its payload its key and its value. The type of every other message is
 * its step: a watermark has no payload and means that every event of that step was sent; the payload of a result is a key and its total.
 * The origin is an event's slot, otherwise the end of the step. Stateless, thread-safe.
 */
final class Wire {
    static final int EVENT = 0;
    static final int EVENT_BYTES = 2 * Integer.BYTES;
    static final int RESULT_BYTES = Long.BYTES + Integer.BYTES;

    private static final int VALUE_AT = Integer.BYTES;
    private static final int RESULT_KEY_AT = Long.BYTES;

    private Wire() {}

    static void commitEvent(Claim claim, int key, int value) {
        claim.putInt(0, key).putInt(VALUE_AT, value).commit(EVENT_BYTES);
    }

    static int eventKey(Message event) {
        return event.getInt(0);
    }

    static int eventValue(Message event) {
        return event.getInt(VALUE_AT);
    }

    static void commitResult(Claim claim, int step, int key, long total) {
        claim.type(step).putLong(0, total).putInt(RESULT_KEY_AT, key).commit(RESULT_BYTES);
    }

    static int resultKey(Message result) {
        return result.getInt(RESULT_KEY_AT);
    }

    static long resultTotal(Message result) {
        return result.getLong(0);
    }
}
