package dev.baton.engine.letters;

import dev.baton.engine.writing.FrameField;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;

/**
 * The field {@link Extension#REDRIVEN}, which identifies the dead letter from which a frame is sent again. Confined to its
 * thread.
 */
public final class RedriveMark implements FrameField {
    /** The bytes of the mark, which reduce the longest payload. */
    public static final int BYTES = Extension.bytes(Extension.REDRIVEN_BYTES);

    private final long identity; // identity of the dead-letter topic
    private long letter; // sequence of its message in the dead-letter topic

    public RedriveMark(long identity) {
        this.identity = identity;
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

    @Override
    public int bytes() {
        return BYTES;
    }

    @Override
    public void add(Frame claim) {
        int at = claim.addField(Extension.REDRIVEN, Extension.REDRIVEN_BYTES);
        claim.putFieldLong(at, identity);
        claim.putFieldLong(at + Long.BYTES, letter);
    }
}
