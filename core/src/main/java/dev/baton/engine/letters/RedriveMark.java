package dev.baton.engine.letters;

import dev.baton.engine.writing.WriterInFront;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter;

/**
 * A writer that marks its frames with the dead letter from which they are sent again: {@link Extension#REDRIVEN}. For the
 * next writer the mark is the beginning of the payload. Confined to its thread.
 */
public final class RedriveMark extends WriterInFront {
    /** The bytes of the mark, which reduce the longest payload. */
    public static final int BYTES = Extension.bytes(Extension.REDRIVEN_BYTES);

    private final long identity; // identity of the dead-letter topic
    private long letter; // sequence of its message in the dead-letter topic
    private int added;

    public RedriveMark(TopicWriter writer, long identity) {
        super(writer);
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
    public Frame claim(int maxLength) {
        Frame frame = writer.claim(Math.addExact(maxLength, BYTES));
        if (frame != null) {
            int before = frame.extensionBytes();
            int at = frame.addField(Extension.REDRIVEN, Extension.REDRIVEN_BYTES);
            frame.putFieldLong(at, identity);
            frame.putFieldLong(at + Long.BYTES, letter);
            added = frame.extensionBytes() - before;
        }
        return frame;
    }

    @Override
    public long commit(int length) {
        return writer.commit(length + added);
    }
}
