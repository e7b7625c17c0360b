package dev.baton.engine.writing;

import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicEnd;
import dev.baton.spi.TopicWriter;

/**
 * The field {@link Extension#REDRIVEN}, which identifies the dead letter from which a frame is sent again, and describes the end
 * of the topic before the redrive. The service that writes the topic computes from that end which inputs it has answered, as
 * redriven frames are not its outputs. Confined to its thread.
 */
public final class RedriveMark implements FrameField {
    private final long identity; // identity of the dead-letter topic
    private final long end; // sequence of the newest frame that is not redriven, and whether its flush is whole
    private final byte[] tick; // field of that frame; null for none
    private long letter; // sequence of its message in the dead-letter topic

    /**
     * Creates the mark of one redrive.
     *
     * @param identity identity of the dead-letter topic
     * @param writer open writer of the input topic
     */
    public RedriveMark(long identity, TopicWriter writer) {
        this.identity = identity;
        TopicEnd found = writer.found();
        this.end = ownOutputs(writer) << 1 | (own(found).isWhole() ? 1 : 0);
        this.tick = found.field(Extension.TICK);
    }

    /** Sets the letter of the following frames. */
    public void of(long sequence) {
        letter = sequence;
    }

    /** Returns the sequence of the letter of this topic from which a frame was sent again; 0 for none. */
    public static long letterOf(Frame frame, long identity) {
        int at = Frame.isPlain(frame.head()) || frame.validate() != null
                ? Extension.NONE
                : frame.field(Extension.REDRIVEN);
        return at == Extension.NONE || frame.getFieldLong(at) != identity ? 0 : frame.getFieldLong(at + Long.BYTES);
    }

    /** Returns the sequence of the newest frame of a topic, as it was found, that is not redriven; 0 for none. */
    public static long ownOutputs(TopicWriter writer) {
        return isRedriven(writer.found()) ? end(writer.found()) >>> 1 : writer.sequence();
    }

    /** Returns whether the newest frame of a topic is redriven. */
    public static boolean isRedriven(TopicEnd found) {
        return found.newest() != null && found.newest().field(Extension.REDRIVEN) != Extension.NONE;
    }

    /** Returns the end of a topic for the service that writes it: redriven frames do not complete a flush of outputs. */
    static TopicEnd own(TopicEnd found) {
        return isRedriven(found)
                ? new TopicEnd(found.newest(), (end(found) & 1) != 0, found.writer(), found.input())
                : found;
    }

    private static long end(TopicEnd found) {
        return found.newest().getFieldLong(found.newest().field(Extension.REDRIVEN) + 2 * Long.BYTES);
    }

    @Override
    public int bytes() {
        return tick == null
                ? Extension.bytes(Extension.REDRIVEN_BYTES)
                : Extension.bytes(Extension.REDRIVEN_BYTES, Extension.TICK_BYTES);
    }

    @Override
    public void add(Frame claim) {
        int at = claim.addField(Extension.REDRIVEN, Extension.REDRIVEN_BYTES);
        claim.putFieldLong(at, identity);
        claim.putFieldLong(at + Long.BYTES, letter);
        claim.putFieldLong(at + 2 * Long.BYTES, end);
        if (tick != null) {
            at = claim.addField(Extension.TICK, tick.length);
            claim.memory().put(claim.fieldOffset(at, tick.length), tick);
        }
    }
}
