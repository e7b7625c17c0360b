package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.codec.TypedService;
import dev.baton.fixtures.HostileTransport;
import dev.baton.run.Loops;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Frames of random and of altered bytes: read within their memory or refused, never believed. How many, and from which
 * seed: {@code -Dbaton.fuzz.inputs=1000000 -Dbaton.fuzz.seed=1}.
 */
@Tag("fuzz")
class FrameFuzzTest {
    private static final long INPUTS = Long.getLong("baton.fuzz.inputs", 50_000);
    private static final long SEED = Long.getLong("baton.fuzz.seed", 1);
    private static final int MEMORY = 160;

    @Test
    void alteredFramesAreRefused() {
        Random random = new Random(SEED);
        for (long input = 0; input < INPUTS; input++) {
            ByteBuffer memory = memory(random);
            int payload = random.nextInt(60);
            int offset = random.nextInt(8);
            int key = random.nextBoolean() ? -1 : random.nextInt(20);
            int bytes = write(memory, offset, payload, key, true, random);
            byte[] written = memory.array().clone();
            alter(memory, offset, Frame.HEADER_BYTES + bytes, random);
            boolean isSame = java.util.Arrays.equals(written, memory.array());

            Frame frame = new Frame().wrap(memory, offset, bytes);
            String defect = frame.validate();
            if (defect == null && !frame.isChecked()) {
                // four bits of one byte have to flip to come here, and then nothing can tell
                assertThat(Integer.bitCount((written[offset + 1] ^ memory.get(offset + 1)) & 0xFF))
                        .isGreaterThanOrEqualTo(4);
            } else {
                assertThat(defect == null).as("seed %d, input %d", SEED, input).isEqualTo(isSame);
            }
        }
    }

    @Test
    void alteredExtensionIsReadWithinFrameOrRefused() {
        Random random = new Random(SEED + 4);
        Frame frame = new Frame();
        for (long input = 0; input < INPUTS; input++) {
            ByteBuffer memory = memory(random);
            int offset = random.nextInt(8);
            int bytes = write(memory, offset, random.nextInt(20), random.nextInt(40), random.nextBoolean(), random);
            alter(memory, offset + Frame.HEADER_BYTES, bytes, random);
            alter(memory, offset, 2, random);
            int seen = random.nextInt(4) == 0 ? random.nextInt(bytes + 1) : bytes;
            ByteBuffer exact = memory.slice(offset, Frame.HEADER_BYTES + seen).order(ByteOrder.LITTLE_ENDIAN);

            frame.wrap(exact, 0, seen);
            readFields(frame, seen);
            String defect = frame.validate();
            readFields(frame, seen);
            assertThat(frame.extensionBytes() + frame.length()).isBetween(0, seen);
            assertThat(frame.extensionBytes()).isBetween(0, Extension.MAX_BYTES);
            assertThat(frame.validate()).as("seed %d, input %d", SEED, input).isEqualTo(defect);
            if (frame.length() > 0) {
                frame.getByte(frame.length() - 1);
            }
        }
    }

    private static void readFields(Frame frame, int behind) {
        for (int id = -1; id < 257; id++) {
            int at = frame.field(id);
            if (at != Extension.NONE) {
                int length = frame.fieldLength(at);
                assertThat(at).isBetween(Frame.HEADER_BYTES + 4, Frame.HEADER_BYTES + behind - length);
                frame.getFieldBytes(at, new byte[length], 0, length);
                if (id == Extension.WRITER || id == Extension.WALL_CLOCK) {
                    frame.getFieldLong(at);
                }
            }
        }
    }

    /** Writes a frame, with an extension unless {@code key} is negative; bytes behind its header. */
    private static int write(ByteBuffer memory, int offset, int payload, int key, boolean isChecked, Random random) {
        int checksum = isChecked ? Frame.CHECKSUM_BYTES : 0;
        int extension = key < 0 ? 0 : Extension.bytes(key, 8);
        Frame frame = new Frame().wrap(memory, offset, extension + payload + checksum);
        if (isChecked) {
            frame.reserveChecksum();
        }
        if (key >= 0) {
            frame.addField(Extension.KEY, key);
            frame.putFieldLong(frame.addField(Extension.WRITER, 8), random.nextLong());
        }
        frame.stamp(random.nextInt(65_536), random.nextInt(), random.nextLong(), random.nextLong(), 7);
        frame.sequence(random.nextLong());
        if (isChecked) {
            frame.seal(payload);
        }
        return extension + payload + checksum;
    }

    @Test
    void nothingIsReadOutsideTheFramesMemory() {
        Random random = new Random(SEED + 1);
        Frame frame = new Frame();
        for (long input = 0; input < INPUTS; input++) {
            ByteBuffer memory = memory(random);
            int length = random.nextInt(10) == 0 ? random.nextInt() : random.nextInt(MEMORY);
            int offset = random.nextInt(10) == 0 ? random.nextInt() : random.nextInt(MEMORY);
            boolean fits = length >= 0 && offset >= 0 && (long) offset + Frame.HEADER_BYTES + length <= MEMORY;
            try {
                frame.wrap(memory, offset, length);
                assertThat(fits).isTrue();
                readFields(frame, length);
                frame.validate();
                frame.getLong(random.nextInt(MEMORY) - 8);
            } catch (IndexOutOfBoundsException refused) {
                // that is the answer to a place outside
            }
            assertThat(memory.position()).isZero();
            assertThat(memory.limit()).isEqualTo(MEMORY);
        }
    }

    @Test
    void chainDeliversNoAlteredFrame() {
        Random random = new Random(SEED + 2);
        for (long input = 0; input < Math.max(100, INPUTS / 100); input++) {
            HostileTransport transport = new HostileTransport();
            List<Long> served = new ArrayList<>();
            try (Loops loops = Loops.manual();
                    RunningChain running = Chain.named("c")
                            .then("one", adding(served))
                            .build()
                            .on(transport)
                            .checksums(true)
                            .with(loops)
                            .onFailure(cause -> {})
                            .start()) {
                for (long value = 1; value <= 3; value++) {
                    running.inlet().send(new long[] {value}, LongCodec.INSTANCE);
                }
                int damaged = random.nextInt(3);
                byte[] bytes = transport.topic("c-0").get(damaged);
                byte[] before = bytes.clone();
                alter(ByteBuffer.wrap(bytes), 0, bytes.length, random);
                boolean isSame = java.util.Arrays.equals(before, bytes);
                for (int turn = 0; turn < 8; turn++) {
                    loops.turn();
                }
                if (!isSame && bytes[1] != 0) {
                    assertThat(running.failure())
                            .as("seed %d, input %d", SEED, input)
                            .isPresent();
                    assertThat(running.failure().orElseThrow().getMessage()).contains("topic c-0");
                    assertThat(served).hasSize(damaged);
                }
            }
        }
    }

    @Test
    void codecOverRandomBytesStopsItsChainOnly() {
        Random random = new Random(SEED + 3);
        for (long input = 0; input < Math.max(100, INPUTS / 100); input++) {
            HostileTransport transport = new HostileTransport();
            List<Long> served = new ArrayList<>();
            byte[] payload = new byte[random.nextInt(24)];
            random.nextBytes(payload);
            try (Loops loops = Loops.manual();
                    RunningChain running = Chain.named("c")
                            .then("one", adding(served))
                            .build()
                            .on(transport)
                            .with(loops)
                            .onFailure(cause -> {})
                            .start()) {
                running.inlet().send(payload);
                loops.turn();
                assertThat(running.failure().isPresent()).isEqualTo(payload.length < Long.BYTES);
                assertThat(served).hasSize(payload.length < Long.BYTES ? 0 : 1);
                running.failure()
                        .ifPresent(failure -> assertThat(failure)
                                .isInstanceOf(ServiceFailure.class)
                                .hasMessageContaining("one"));
            }
        }
    }

    private static ByteBuffer memory(Random random) {
        byte[] bytes = new byte[MEMORY];
        random.nextBytes(bytes);
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static void alter(ByteBuffer memory, int from, int length, Random random) {
        for (int times = random.nextInt(4); times > 0; times--) {
            int at = from + random.nextInt(length);
            byte altered =
                    random.nextBoolean() ? (byte) (memory.get(at) ^ 1 << random.nextInt(8)) : (byte) random.nextInt();
            memory.put(at, altered);
        }
    }

    private static Supplier<Service> adding(List<Long> served) {
        return TypedService.of(LongCodec.INSTANCE, LongCodec.INSTANCE, (in, out) -> {
            served.add(in[0]);
            return false;
        });
    }

    private enum LongCodec implements Codec<long[]> {
        INSTANCE;

        @Override
        public long[] newInstance() {
            return new long[1];
        }

        @Override
        public int maxLength(long[] value) {
            return Long.BYTES;
        }

        @Override
        public int encode(long[] value, Claim into) {
            into.putLong(0, value[0]);
            return Long.BYTES;
        }

        @Override
        public void decode(Message from, long[] into) {
            into[0] = from.getLong(0);
        }
    }
}
