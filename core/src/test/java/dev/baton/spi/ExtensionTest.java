package dev.baton.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import javax.management.ObjectName;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExtensionTest {
    private static final int OFFSET = 3;
    private static final int BLOCK = OFFSET + Frame.HEADER_BYTES;

    private final ByteBuffer memory = ByteBuffer.allocate(2_000).order(ByteOrder.LITTLE_ENDIAN);
    private final Frame frame = new Frame();

    @BeforeEach
    void memoryHasBeenUsedBefore() {
        Arrays.fill(memory.array(), (byte) 0xA5);
    }

    @Test
    void aFieldMovesThePayloadBehindItself() {
        frame.wrap(memory, OFFSET, 8 + Extension.bytes(8));
        frame.putFieldLong(frame.addField(Extension.WRITER, 8), 3);

        assertThat(frame.extensionBytes()).isEqualTo(16);
        assertThat(frame.length()).isEqualTo(8);
        frame.putLong(0, 77);
        assertThat(memory.getLong(BLOCK + 16)).isEqualTo(77);
        assertThatThrownBy(() -> frame.putByte(8, (byte) 1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void furtherFieldsFillPaddingBeforeBlockGrows() {
        frame.wrap(memory, OFFSET, 100);
        frame.addField(Extension.KEY, 0);
        assertThat(frame.extensionBytes()).isEqualTo(8);
        frame.addField(99, 2);
        assertThat(frame.extensionBytes()).isEqualTo(8);
        frame.addField(Extension.WRITER, 8);
        assertThat(frame.extensionBytes()).isEqualTo(24).isEqualTo(Extension.bytes(0, 2, 8));
        assertThat(frame.length()).isEqualTo(100 - 24);
        assertThat(frame.field(Extension.KEY)).isEqualTo(Frame.HEADER_BYTES + 4);
        assertThat(frame.field(99)).isEqualTo(Frame.HEADER_BYTES + 6);
        assertThat(frame.field(Extension.WRITER)).isEqualTo(Frame.HEADER_BYTES + 10);
    }

    @Test
    void extensionGrowsWithinTheClaimOnly() {
        for (int first = 0; first < 256; first++) {
            for (int second = 0; second < 256; second++) {
                int both = Extension.bytes(first, second);
                assertThat(both - Extension.bytes(first)).isLessThanOrEqualTo(Extension.bytes(second));
            }
        }
        assertThat(Extension.bytes()).isZero();
    }

    @Test
    void fieldsOfAllLengthsRoundTrip() {
        for (int length = 0; length <= Extension.MAX_FIELD_BYTES; length++) {
            frame.wrap(memory, OFFSET, Extension.bytes(length, 8) + 1);
            byte[] key = new byte[length];
            Arrays.fill(key, (byte) length);
            frame.putFieldBytes(frame.addField(Extension.KEY, length), key, 0, length);
            frame.putFieldLong(frame.addField(Extension.WALL_CLOCK, 8), length);
            frame.putByte(0, (byte) 1);
            frame.stamp(1, 2, 3, 4, 5);

            Frame read = new Frame().wrap(memory, OFFSET, Extension.bytes(length, 8) + 1);
            assertThat(read.validate()).isNull();
            assertThat(read.length()).isEqualTo(1);
            byte[] value = new byte[length];
            assertThat(read.fieldLength(read.field(Extension.KEY))).isEqualTo(length);
            read.getFieldBytes(read.field(Extension.KEY), value, 0, length);
            assertThat(value).isEqualTo(key);
            assertThat(read.getFieldLong(read.field(Extension.WALL_CLOCK))).isEqualTo(length);
        }
    }

    @Test
    void stampKeepsExtensionAndNextWrapForgetsIt() {
        frame.wrap(memory, OFFSET, 100);
        frame.stamp(1, 2, 3, 4, 5);
        frame.addField(Extension.WRITER, 8);
        assertThat(frame.flags()).isEqualTo(Frame.EXTENDED);
        frame.stamp(7, 2, 3, 4, 5);
        assertThat(frame.flags()).isEqualTo(Frame.EXTENDED);
        assertThat(frame.servicesPassed()).isEqualTo(7);

        frame.wrap(memory, OFFSET, 100);
        frame.stamp(1, 2, 3, 4, 5);
        assertThat(frame.isPlain()).isTrue();
        assertThat(frame.extensionBytes()).isZero();
        assertThat(frame.length()).isEqualTo(100);
        assertThat(frame.field(Extension.WRITER)).isEqualTo(Extension.NONE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void checksumIsReservedBeforeOrAfterAField(boolean isFirst) {
        int bytes = 8 + Extension.bytes(8, 10) + Frame.CHECKSUM_BYTES;
        frame.wrap(memory, OFFSET, bytes);
        if (isFirst) {
            frame.reserveChecksum();
        }
        frame.putFieldLong(frame.addField(Extension.WRITER, 8), 3);
        frame.addField(Extension.KEY, 10);
        if (!isFirst) {
            frame.reserveChecksum();
        }
        assertThat(frame.length()).isEqualTo(8);
        frame.putLong(0, 77);
        frame.stamp(1, 2, 3, 4, 5);
        frame.seal(8);

        Frame read = new Frame().wrap(memory, OFFSET, bytes);
        for (int time = 0; time < 2; time++) {
            assertThat(read.validate()).isNull();
            assertThat(read.flags()).isEqualTo(Frame.CHECKED | Frame.EXTENDED);
            assertThat(read.length()).isEqualTo(8);
            assertThat(read.getLong(0)).isEqualTo(77);
            assertThat(read.getFieldLong(read.field(Extension.WRITER))).isEqualTo(3);
        }
    }

    @Test
    void aPayloadIsCopiedWithoutItsExtension() {
        frame.wrap(memory, OFFSET, 8 + Extension.bytes(8));
        frame.addField(Extension.WRITER, 8);
        frame.putLong(0, 77);
        Frame copy = new Frame().wrap(memory, 1_000, 8);
        copy.putPayload(frame, 8);
        assertThat(copy.getLong(0)).isEqualTo(77);
    }

    @Test
    void refusedFieldIsNamedAndChangesNothing() {
        frame.wrap(memory, OFFSET, 20);
        assertThatThrownBy(() -> frame.addField(0, 1)).hasMessage("field id 0; 1 to 255 are allowed");
        assertThatThrownBy(() -> frame.addField(256, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> frame.addField(Extension.KEY, 256)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> frame.addField(Extension.KEY, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> frame.addField(Extension.WRITER, 4)).hasMessage("field 1 of 4 bytes; it has 8");
        assertThatThrownBy(() -> frame.addField(Extension.INPUT, 16))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessageContaining("field 2 takes 24 bytes more, the claim has 20 bytes");
        assertThat(frame.extensionBytes()).isZero();
        assertThat(frame.length()).isEqualTo(20);

        frame.addField(Extension.WRITER, 8);
        assertThatThrownBy(() -> frame.addField(Extension.WRITER, 8)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> frame.putFieldLong(Frame.HEADER_BYTES + 9, 1))
                .as("the payload is not written as a field")
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void anExtensionIsNoLongerThanItsLimit() {
        frame.wrap(memory, OFFSET, 1_500);
        for (int id = 10; id < 13; id++) {
            frame.addField(id, 255);
        }
        frame.addField(13, 1_024 - 2 - 3 * 257 - 2);
        assertThat(frame.extensionBytes()).isEqualTo(Extension.MAX_BYTES);
        frame.stamp(1, 2, 3, 4, 5);
        assertThat(frame.validate()).isNull();
        assertThat(frame.extensionBytes()).isEqualTo(Extension.MAX_BYTES);
        assertThatThrownBy(() -> frame.addField(14, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Extension.bytes(255, 255, 255, 255)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aMalformedExtensionIsNamed() {
        assertThat(defect(0, 100)).contains("an extension of 0 bytes; 8 to 100 bytes, a multiple of 8");
        assertThat(defect(12, 100)).contains("an extension of 12 bytes");
        assertThat(defect(1_032, 1_900)).contains("an extension of 1032 bytes; 8 to 1024 bytes");
        assertThat(defect(104, 100)).contains("an extension of 104 bytes; 8 to 100");
        assertThat(defect(0xFFF8, 100)).contains("an extension of 65528 bytes");
        assertThat(defect(8, 7)).contains("7 bytes are too few");
        assertThat(defect(8, 0)).contains("0 bytes are too few");
        assertThat(defect(16, 100, 99, 13)).contains("field 99 at byte 2 of an extension of 16 bytes reaches beyond");
        assertThat(defect(8, 100, 99, 3, 0, 0, 0, 99))
                .contains("field 99 at byte 7")
                .contains("reaches beyond");
        assertThat(defect(8, 100, 1, 4)).contains("field 1 of 4 bytes; it has 8");
        assertThat(defect(16, 100, 99, 12)).isNull();
        assertThat(defect(8, 8, 0, 255, 255, 255, 255, 255)).as("padding").isNull();
    }

    @Test
    void malformedExtensionHasNoFieldsBeyondItsDamage() {
        defect(16, 100, 99, 0, 7, 255);
        assertThat(frame.field(99)).isEqualTo(Frame.HEADER_BYTES + 4);
        assertThat(frame.field(7)).isEqualTo(Extension.NONE);
        defect(8, 100, 1, 4);
        assertThat(frame.field(1)).isEqualTo(Extension.NONE);
        defect(8, 100, 0, 1);
        assertThat(frame.field(0)).isEqualTo(Extension.NONE);
        assertThat(frame.field(-1)).isEqualTo(Extension.NONE);
        defect(8, 2, 99, 1);
        assertThat(frame.field(99)).isEqualTo(Extension.NONE);
        assertThatThrownBy(() -> frame.fieldLength(Extension.NONE)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> frame.getFieldLong(Integer.MIN_VALUE)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void frameHasRoomForExtensionAndChecksum() {
        for (int bytes = 0; bytes < 12; bytes++) {
            memory.put(OFFSET, (byte) 1).put(OFFSET + 1, (byte) 0xFF);
            frame.wrap(memory, OFFSET, bytes);
            assertThat(frame.validate()).as("%d bytes", bytes).isNotNull();
            assertThat(frame.field(Extension.WRITER)).isEqualTo(Extension.NONE);
        }
    }

    @Test
    void fieldsAreWrittenAndReadWithoutAllocating() throws Exception {
        exchange(20_000);
        long before = allocatedBytes();
        exchange(20_000);
        assertThat(allocatedBytes() - before).isLessThan(20_000);
    }

    private static long allocatedBytes() throws Exception {
        return (long) ManagementFactory.getPlatformMBeanServer()
                .getAttribute(new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME), "CurrentThreadAllocatedBytes");
    }

    private void exchange(int times) {
        for (int i = 0; i < times; i++) {
            frame.wrap(memory, OFFSET, 100).reserveChecksum();
            frame.putFieldLong(frame.addField(Extension.WRITER, 8), i);
            frame.putFieldLong(frame.addField(Extension.WALL_CLOCK, 8), i);
            frame.stamp(1, 2, 3, 4, 5);
            frame.seal(frame.length());
            frame.wrap(memory, OFFSET, 100);
            if (frame.getFieldLong(frame.field(Extension.WRITER)) != i || frame.validate() != null) {
                throw new AssertionError("exchange " + i);
            }
        }
    }

    private String defect(int bytes, int behind, int... fields) {
        memory.put(OFFSET, (byte) 1).put(OFFSET + 1, (byte) Frame.EXTENDED);
        memory.putShort(BLOCK, (short) bytes).putLong(BLOCK + 2, 0);
        for (int i = 0; i < fields.length; i++) {
            memory.put(BLOCK + 2 + i, (byte) fields[i]);
        }
        return frame.wrap(memory, OFFSET, behind).validate();
    }
}
