package dev.baton.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChecksumTest {
    private static final int OFFSET = 3;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 12, 200})
    void everyBitThatFlipsIsFound(int payload) {
        ByteBuffer memory = sealed(payload);
        int bytes = Frame.HEADER_BYTES + payload + Frame.CHECKSUM_BYTES;
        for (int bit = 0; bit < bytes * Byte.SIZE; bit++) {
            flip(memory, bit);
            Frame frame = view(memory, OFFSET, payload + Frame.CHECKSUM_BYTES);
            assertThat(frame.isPlain()).as("bit %d", bit).isFalse();
            assertThat(frame.validate()).as("bit %d", bit).isNotNull();
            flip(memory, bit);
        }
        assertThat(view(memory, OFFSET, payload + Frame.CHECKSUM_BYTES).validate())
                .as("as it was")
                .isNull();
    }

    @Test
    void threeFlippedBitsYieldNoOtherKnownFlags() {
        for (int known : new int[] {0, Frame.CHECKED, Frame.EXTENDED, Frame.CHECKED | Frame.EXTENDED}) {
            for (int flags = 0; flags < 256; flags++) {
                ByteBuffer memory = sealed(8);
                memory.put(OFFSET + 1, (byte) flags);
                Frame frame = view(memory, OFFSET, 12);
                if (flags != known && Integer.bitCount(flags ^ known) <= 3) {
                    assertThat(frame.isPlain()).isFalse();
                    assertThat(frame.isChecked()).isFalse();
                    assertThat(frame.validate()).contains("flags 0x");
                }
            }
        }
    }

    @Test
    void truncatedAndExtendedFramesAreDetected() {
        ByteBuffer memory = sealed(40);
        for (int length = 0; length < 60; length++) {
            String defect = view(memory, OFFSET, length).validate();
            if (length == 40 + Frame.CHECKSUM_BYTES) {
                assertThat(defect).isNull();
            } else {
                assertThat(defect).as("%d bytes", length).isNotNull();
            }
        }
    }

    @Test
    void frameWithoutChecksumIsLeftAsItIs() {
        ByteBuffer memory = ByteBuffer.allocate(80).order(ByteOrder.LITTLE_ENDIAN);
        Frame frame = new Frame().wrap(memory, 0, 8);
        frame.stamp(1, 2, 3, 4, 5);

        assertThat(frame.isPlain()).isTrue();
        assertThat(frame.validate()).isNull();
        assertThat(frame.length()).isEqualTo(8);
        memory.put(0, (byte) 9);
        assertThat(frame.validate()).contains("frame version 9");
    }

    @Test
    void checksumIsOutsideTheWritablePayload() {
        Frame frame = new Frame()
                .wrap(ByteBuffer.allocate(80).order(ByteOrder.LITTLE_ENDIAN), 0, 8 + Frame.CHECKSUM_BYTES)
                .reserveChecksum();
        assertThat(frame.length()).isEqualTo(8);
        assertThatThrownBy(() -> frame.putInt(6, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> frame.seal(9)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> frame.wrap(ByteBuffer.allocate(80).order(ByteOrder.LITTLE_ENDIAN), 0, 3)
                        .reserveChecksum())
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void buffersPositionAndLimitStayWhereTheyWere() {
        ByteBuffer memory = sealed(8);
        memory.limit(90).position(70);
        assertThat(view(memory, OFFSET, 12).validate()).isNull();
        assertThat(memory.position()).isEqualTo(70);
        assertThat(memory.limit()).isEqualTo(90);
    }

    @Test
    void memoryOffTheHeapHasTheSameChecksum() {
        ByteBuffer direct = ByteBuffer.allocateDirect(400);
        direct.put(0, bytesOf(sealed(12), 16));
        assertThat(view(direct, 0, 16).validate()).isNull();
    }

    private static ByteBuffer sealed(int payload) {
        ByteBuffer memory = ByteBuffer.allocate(400).order(ByteOrder.LITTLE_ENDIAN);
        Frame frame =
                new Frame().wrap(memory, OFFSET, payload + Frame.CHECKSUM_BYTES).reserveChecksum();
        frame.stamp(5, -7, 42, 1_000_000_007L, -1);
        frame.sequence(0x0102030405060708L);
        if (payload >= 12) {
            frame.putLong(0, Long.MIN_VALUE);
            frame.putInt(8, 77);
        }
        frame.seal(payload);
        return memory;
    }

    private static Frame view(ByteBuffer memory, int offset, int length) {
        return new Frame().wrap(memory.order(ByteOrder.LITTLE_ENDIAN), offset, length);
    }

    private static byte[] bytesOf(ByteBuffer memory, int payload) {
        byte[] bytes = new byte[Frame.HEADER_BYTES + payload];
        memory.get(OFFSET, bytes);
        return bytes;
    }

    private static void flip(ByteBuffer memory, int bit) {
        int at = OFFSET + bit / Byte.SIZE;
        memory.put(at, (byte) (memory.get(at) ^ 1 << bit % Byte.SIZE));
    }
}
