package dev.baton.spi;

/**
 * The end of a topic, as its writer found it when it was opened. Immutable; the frame is confined to the writer's thread.
 *
 * @param newest copy on the heap of the newest frame's header and extension, which does not change; null if the topic has no
 *     frame that can be read
 * @param isWhole whether the topic holds all frames of the flush that the newest frame belongs to. It depends on the writer
 *     that stored that frame. False if the transport does not know it: the input of that frame is then answered again, and
 *     none is lost
 * @param writer writer of the newest frame; null for none, or if it is not known
 * @param input input to which the cause of the newest frame refers, from {@link TopicWriter#answers}; {@link
 *     InputRef#UNKNOWN} for none, or if the transport does not know it
 */
public record TopicEnd(Frame newest, boolean isWhole, Incarnation writer, InputRef input) {
    /** The end of a topic without frames. */
    public static final TopicEnd EMPTY = new TopicEnd(null, false, null, InputRef.UNKNOWN);

    /**
     * {@return the end of a topic behind a frame}
     *
     * @param newest newest frame, in any memory, of which header and extension are copied; null for none
     * @param isWhole whether its flush is stored completely
     * @param writer writer of the frame; null if it is not known
     * @param input input to which its cause refers
     */
    public static TopicEnd at(Frame newest, boolean isWhole, Incarnation writer, InputRef input) {
        return newest == null ? EMPTY : new TopicEnd(newest.copyOfHead(), isWhole, writer, input);
    }

    /**
     * {@return this end for one of several inputs that a topic answers}
     *
     * @param cause cause of the newest frame that answers that input; 0 for none
     * @param answered that input
     */
    public TopicEnd of(long cause, InputRef answered) {
        if (newest == null) {
            return this;
        }
        Frame frame = newest.copyOfHead();
        frame.cause(cause);
        return new TopicEnd(frame, isWhole, writer, answered);
    }

    /** {@return the cause of the newest frame; 0 for none} */
    public long cause() {
        return newest == null ? 0 : newest.cause();
    }

    /** {@return the origin of the newest frame; 0 for none} */
    public long originNanos() {
        return newest == null ? 0 : newest.originNanos();
    }

    /**
     * {@return a copy of a field of the newest frame; null if there is no frame, or if it has no such field} A merge cannot be
     * reopened over a transport that does not keep {@link Extension#MERGED}; without {@link Extension#TICK}, outputs of a tick
     * that found no room before a crash are lost if the service holds inputs.
     *
     * @param id id of the field, from 1
     */
    public byte[] field(int id) {
        return newest == null ? null : Extension.copy(newest, id);
    }
}
