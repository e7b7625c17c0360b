package dev.baton.engine.state;

import dev.baton.Decoder;
import dev.baton.Serde;
import dev.baton.engine.message.Encoding;
import dev.baton.engine.message.InboundMessage;
import dev.baton.engine.message.OpenClaim;
import dev.baton.spi.Frame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Encodes values with the codecs of messages, and decodes them, in memory of its own. A decoder sees the version of the state
 * as the type of the message. Confined to its loop.
 */
final class ValueBytes {
    private static final OpenClaim.End NOWHERE = new OpenClaim.End() {
        @Override
        public long commit(Frame frame, int length, int type, long originNanos) {
            throw new IllegalStateException("a codec must not commit the claim that it fills");
        }

        @Override
        public void abort() {}
    };

    private final OpenClaim claim = new OpenClaim(NOWHERE);
    private final InboundMessage message;
    private final Frame written = new Frame();
    private final Frame read = new Frame();
    private ByteBuffer writing = ByteBuffer.allocate(0);
    private ByteBuffer reading = ByteBuffer.allocate(0);

    ValueBytes(String topic) {
        message = new InboundMessage(topic);
    }

    /** Returns memory for a frame with a number of bytes: the given one if it is large enough. */
    private static ByteBuffer atLeast(int bytes, ByteBuffer memory) {
        int needed = Math.addExact(Frame.HEADER_BYTES, bytes);
        return memory.capacity() >= needed
                ? memory
                : ByteBuffer.allocate(needed).order(ByteOrder.LITTLE_ENDIAN);
    }

    <T> byte[] encode(Serde<T> codec, T value) {
        int maxLength = Encoding.maxLength(codec, value);
        writing = atLeast(maxLength, writing);
        claim.open(written.wrap(writing, 0, maxLength), maxLength, 0);
        int length = Encoding.encode(codec, value, claim);
        claim.drop();
        return Arrays.copyOfRange(writing.array(), Frame.HEADER_BYTES, Frame.HEADER_BYTES + length);
    }

    <T> T decode(Decoder<T> decoder, byte[] value, int version) {
        reading = atLeast(value.length, reading);
        read.wrap(reading, 0, value.length).stamp(0, version, 0, 0, 0);
        reading.put(Frame.HEADER_BYTES, value);
        return decoder.decode(message.of(read, read.head()));
    }
}
