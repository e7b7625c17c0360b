package dev.baton.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FrameTest {
    private final ByteBuffer memory = ByteBuffer.allocate(128).order(ByteOrder.LITTLE_ENDIAN);
    private final Frame frame = new Frame();

    @Test
    void everyKindOfValueSurvives() {
        frame.wrap(memory, 8, 40);
        frame.putByte(0, (byte) -1);
        frame.putShort(1, Short.MIN_VALUE);
        frame.putInt(3, Integer.MAX_VALUE);
        frame.putLong(7, Long.MAX_VALUE);
        frame.putDouble(15, Math.PI);
        frame.putBytes(23, new byte[] {9, 8, 7, 6}, 1, 2);
        byte[] read = new byte[3];
        frame.getBytes(23, read, 1, 2);
        assertThat(frame.getByte(0)).isEqualTo((byte) -1);
        assertThat(frame.getShort(1)).isEqualTo(Short.MIN_VALUE);
        assertThat(frame.getInt(3)).isEqualTo(Integer.MAX_VALUE);
        assertThat(frame.getLong(7)).isEqualTo(Long.MAX_VALUE);
        assertThat(frame.getDouble(15)).isEqualTo(Math.PI);
        assertThat(read).containsExactly(0, 8, 7);
    }

    @Test
    void payloadAccessIsBounded() {
        frame.wrap(memory, 0, 8);
        assertThatThrownBy(() -> frame.getLong(1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> frame.getByte(-1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> frame.putInt(5, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> frame.putBytes(0, new byte[9], 0, 9)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void frameIsLittleEndianWithinItsBuffer() {
        assertThatThrownBy(() -> frame.wrap(memory, 81, 8)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> frame.wrap(memory, 0, -1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> frame.wrap(memory, 0, Integer.MAX_VALUE))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> frame.wrap(ByteBuffer.allocate(64), 0, 8)).hasMessageContaining("little endian");
    }

    @Test
    void longestPayloadDoesNotFitIntoShortBuffers() {
        ByteBuffer tiny = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
        assertThatThrownBy(() -> frame.wrap(tiny, 0, Integer.MAX_VALUE)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void checksumsDisturbNoNeighbouringFrames() throws Exception {
        ByteBuffer shared = ByteBuffer.allocateDirect(2 * 128).order(ByteOrder.LITTLE_ENDIAN);
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            Future<?> elsewhere = other.submit(() -> sealAndUnseal(shared, 0));
            sealAndUnseal(shared, 128);
            elsewhere.get(30, TimeUnit.SECONDS);
        } finally {
            other.shutdownNow();
        }
        assertThat(shared.position()).isZero();
        assertThat(shared.limit()).isEqualTo(2 * 128);
    }

    private static void sealAndUnseal(ByteBuffer shared, int offset) {
        Frame written = new Frame();
        Frame read = new Frame();
        for (int i = 0; i < 200_000; i++) {
            written.wrap(shared, offset, 8 + Frame.CHECKSUM_BYTES).reserveChecksum();
            written.stamp(1, 2, i, i, i);
            written.putLong(0, i);
            written.seal(8);
            assertThat(read.wrap(shared, offset, 8 + Frame.CHECKSUM_BYTES).validate())
                    .isNull();
        }
    }
}
