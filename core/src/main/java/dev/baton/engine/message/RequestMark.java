package dev.baton.engine.message;

import dev.baton.spi.Extension;
import dev.baton.spi.Frame;

/**
 * The field {@link Extension#REQUEST} of the frames that one writer sends: the request that they belong to, while one is set.
 * Confined to the thread of the writer.
 */
public final class RequestMark {
    /** The kind of a frame with a message. */
    public static final int MESSAGE = 0;

    /** The kind of a reply in place of an output that a service did not send. */
    public static final int EMPTY = 1;

    /** The kind of a reply in place of the output of a service that gave up; its payload is the cause as UTF-8. */
    public static final int FAILED = 2;

    /** The bytes of the field, which reduce the longest payload. */
    public static final int BYTES = Extension.bytes(Extension.REQUEST_BYTES);

    private static final int NUMBER = 8;
    private static final int KIND = 16;

    private boolean isSet;
    private long asker;
    private long number;
    private int kind;

    /** Returns the position of the field in a frame that is not plain, or {@link Extension#NONE}. */
    public static int find(Frame frame) {
        return frame.field(Extension.REQUEST);
    }

    /** Returns the id of the asker; the more significant half if the request has an id of a client. */
    public static long asker(Frame frame, int at) {
        return frame.getFieldLong(at);
    }

    /** Returns the number of the asker's request, or the less significant half of its id. */
    public static long number(Frame frame, int at) {
        return frame.getFieldLong(at + NUMBER);
    }

    /** Returns the kind of the frame. */
    public static int kind(Frame frame, int at) {
        return frame.memory().get(frame.fieldOffset(at, Extension.REQUEST_BYTES) + KIND);
    }

    /** Sets the request of the following frames, which are messages. */
    public void set(long askerId, long requestNumber) {
        isSet = true;
        asker = askerId;
        number = requestNumber;
        kind = MESSAGE;
    }

    /** Sets the kind of the following frames of this request. */
    public void kind(int ofFrames) {
        kind = ofFrames;
    }

    /** Ends the request: the following frames have no such field. */
    public void clear() {
        isSet = false;
    }

    /** Returns whether frames have the field now. */
    public boolean isSet() {
        return isSet;
    }

    /** Adds the field to a claim. */
    public void add(Frame claim) {
        int at = claim.addField(Extension.REQUEST, Extension.REQUEST_BYTES);
        int offset = claim.fieldOffset(at, Extension.REQUEST_BYTES);
        claim.memory().putLong(offset, asker).putLong(offset + NUMBER, number).put(offset + KIND, (byte) kind);
    }
}
