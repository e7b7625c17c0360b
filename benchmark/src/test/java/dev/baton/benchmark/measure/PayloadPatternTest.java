package dev.baton.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadPatternTest {
    private record Buffer(ByteBuffer bytes) implements PayloadPattern.Target, PayloadPattern.Origin {
        @Override
        public void putLong(int index, long value) {
            bytes.putLong(index, value);
        }

        @Override
        public void putByte(int index, byte value) {
            bytes.put(index, value);
        }

        @Override
        public long getLong(int index) {
            return bytes.getLong(index);
        }

        @Override
        public byte getByte(int index) {
            return bytes.get(index);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8, 9, 16, 23, 100})
    void anyAlteredByteIsSeen(int length) {
        PayloadPattern pattern = new PayloadPattern(length, 3);
        Buffer buffer = new Buffer(ByteBuffer.allocate(length));
        pattern.write(12, buffer);

        assertThat(pattern.matches(12, buffer)).isTrue();
        for (int i = 0; i < length; i++) {
            byte right = buffer.getByte(i);
            buffer.putByte(i, (byte) (right ^ 0x10));
            assertThat(pattern.matches(12, buffer)).isFalse();
            buffer.putByte(i, right);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 16, 23})
    void thePayloadOfAnotherMessageOrInstanceIsSeen(int length) {
        PayloadPattern pattern = new PayloadPattern(length, 3);
        Buffer buffer = new Buffer(ByteBuffer.allocate(length));
        pattern.write(12, buffer);

        assertThat(pattern.matches(13, buffer)).isFalse();
        assertThat(new PayloadPattern(length, 4).matches(12, buffer)).isFalse();
    }
}
