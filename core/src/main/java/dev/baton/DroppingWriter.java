package dev.baton;

import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A topic's writer that drops frames, because they are stored already. Confined to its thread. */
final class DroppingWriter extends WriterInFront {
    private final Frame frame = new Frame();

    DroppingWriter(TopicWriter writer) {
        super(writer);
    }

    @Override
    public Frame claim(int maxLength) {
        ByteBuffer memory = ByteBuffer.allocate(Frame.HEADER_BYTES + maxLength).order(ByteOrder.LITTLE_ENDIAN);
        return frame.wrap(memory, 0, maxLength);
    }

    @Override
    public long commit(int length) {
        return writer.sequence();
    }

    @Override
    public void abort() {
        // nothing was claimed
    }
}
