package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.codec.TypedService;
import dev.baton.run.Loops;
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
    void whatIsNotTheFrameThatWasWrittenIsRefused() {
        Random random = new Random(SEED);
        for (long input = 0; input < INPUTS; input++) {
            ByteBuffer memory = memory(random);
            int payload = random.nextInt(60);
            int offset = random.nextInt(8);
            Frame frame = new Frame()
                    .wrap(memory, offset, payload + Frame.CHECKSUM_BYTES)
                    .reserveChecksum();
            frame.stamp(random.nextInt(65_536), random.nextInt(), random.nextLong(), random.nextLong(), 7);
            frame.sequence(random.nextLong());
            frame.seal(payload);
            byte[] written = memory.array().clone();
            alter(memory, offset, Frame.HEADER_BYTES + payload + Frame.CHECKSUM_BYTES, random);
            boolean isSame = java.util.Arrays.equals(written, memory.array());

            frame.wrap(memory, offset, payload + Frame.CHECKSUM_BYTES);
            if (frame.isPlain()) {
                // four bits of one byte have to flip to come here, and then nothing can tell
                assertThat(Integer.bitCount(written[offset + 1] ^ memory.get(offset + 1)))
                        .isEqualTo(4);
            } else {
                assertThat(frame.unseal() == null)
                        .as("seed %d, input %d", SEED, input)
                        .isEqualTo(isSame);
            }
        }
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
                frame.unseal();
                frame.getLong(random.nextInt(MEMORY) - 8);
            } catch (IndexOutOfBoundsException refused) {
                // that is the answer to a place outside
            }
            assertThat(memory.position()).isZero();
            assertThat(memory.limit()).isEqualTo(MEMORY);
        }
    }

    @Test
    void aChainOverAlteredFramesServesNoneThatWasAltered() {
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
                int spoilt = random.nextInt(3);
                byte[] bytes = transport.topic("c-0").get(spoilt);
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
                    assertThat(served).hasSize(spoilt);
                }
            }
        }
    }

    @Test
    void aCodecThatMeetsRandomBytesStopsItsChainAndNothingElse() {
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
