package dev.baton.engine.letters;

import dev.baton.engine.writing.WriterInFront;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter;

/**
 * A writer whose frames say which dead letter they are sent again from: {@link Extension#REDRIVEN}. To the writer behind it
 * the mark is the beginning of the payload. Confined to its thread.
 */
public final class RedriveMark extends WriterInFront {
    /** What the mark takes of the longest payload. */
    public static final int BYTES = Extension.bytes(Extension.REDRIVEN_BYTES);

    private final long identity; // of the dead-letter topic
    private long letter; // sequence of its message there
    private int added;

    public RedriveMark(TopicWriter writer, long identity) {
        super(writer);
        this.identity = identity;
    }

    /** What is sent from here on is sent again from this letter. */
    public void of(long sequence) {
        letter = sequence;
    }

    /** The letter of this topic that a frame was sent again from; 0: of none. */
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
