package dev.baton.tck.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.Chain;
import dev.baton.Claim;
import dev.baton.Deployment;
import dev.baton.Inlet;
import dev.baton.Message;
import dev.baton.MessageFields;
import dev.baton.Outlet;
import dev.baton.RunningChain;
import dev.baton.Service;
import dev.baton.ValueCodec;
import dev.baton.partitions.Partitions;
import dev.baton.run.Idle;
import dev.baton.run.Loops;
import dev.baton.spi.Extension;
import dev.baton.spi.Guarantee;
import dev.baton.tck.Turns;
import dev.baton.tck.harness.AllocationMeter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The contract on messages: their payload as a buffer, key, topic and partition. */
public abstract class MessageTck extends WholeChainTck {
    private static final int ALLOCATION_KEY = 12;
    private static final int TOGETHER = 16; // messages in flight while allocations are measured

    /** An upper bound of the bytes of a key, a checksum and a date in these tests. */
    private static final int BESIDE_THE_PAYLOAD = 64;

    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(30);
    private static final Duration TURNING = Duration.ofSeconds(60);
    private static final long ROOM_NANOS = 20_000;

    private static final ValueCodec<String> MESSAGES = ValueCodec.strings(3);

    private final List<String> received = new CopyOnWriteArrayList<>();

    /** Called by the test of a transport. */
    protected MessageTck() {}

    /** A service that reads through the view of its input, writes through that of its claim, and keeps the key. */
    private static final class Copy implements Service {
        @Override
        public void onMessage(Message in, Outlet out) {
            ByteBuffer from = in.payload();
            Claim claim = out.claim(from.remaining(), in.key());
            ByteBuffer to = claim.payload();
            int start = to.position();
            to.put(start, from, from.position(), from.remaining());
            claim.type(in.type()).commit(from.remaining());
        }
    }

    @ParameterizedTest
    @CsvSource({"false, false", "true, false", "false, true", "true, true"})
    void payloadsAndKeysCrossTheChainUnaltered(boolean checksums, boolean wallClock) {
        String name = fixture.newTopic();
        Chain chain = Chain.named(name).then("copy", Copy::new).build();
        Random random = new Random(7);
        int longest = Math.min(600, transport.maxPayload() - BESIDE_THE_PAYLOAD);
        byte[] bytes = new byte[longest];
        random.nextBytes(bytes);
        try (Loops loops = Loops.cooperative(1)) {
            RunningChain running = chain.on(transport)
                    .with(loops)
                    .checksums(checksums)
                    .wallClock(wallClock)
                    .onOutput(in -> received.add(description(in)))
                    .start();
            Inlet inlet = running.inlet();
            int[] lengths = {0, 1, 7, 8, longest};
            for (int length : lengths) {
                inlet.send(ByteBuffer.wrap(bytes, 0, length), new MessageFields().type(length));
                send(inlet, bytes, length, "account-" + length);
            }
            assertThat(running.close(CLOSE_WITHIN))
                    .as("failure %s", running.failure())
                    .isTrue();
            assertThat(received).hasSize(2 * lengths.length);
            for (int i = 0; i < lengths.length; i++) {
                String rest = " in " + name + "-1 of -1, type " + lengths[i] + ": "
                        + ByteBuffer.wrap(bytes, 0, lengths[i]).hashCode();
                assertThat(received.get(2 * i)).isEqualTo("null" + rest);
                assertThat(received.get(2 * i + 1)).isEqualTo("account-" + lengths[i] + rest);
            }
        }
    }

    @Test
    void keyOf255BytesCountsAgainstThePayload() {
        int longest = transport.maxPayload();
        int keyLength = Math.min(Extension.MAX_FIELD_BYTES, longest - BESIDE_THE_PAYLOAD);
        ByteBuffer key = ByteBuffer.allocate(keyLength);
        int left = longest - Extension.bytes(keyLength);
        try (Loops loops = Loops.cooperative(1)) {
            RunningChain running = Chain.named(fixture.newTopic())
                    .build()
                    .on(transport)
                    .with(loops)
                    .onOutput(in -> received.add(in.length() + "/" + in.key().remaining()))
                    .start();
            Inlet inlet = running.inlet();
            assertThatThrownBy(() -> inlet.tryClaim(8, new MessageFields().key(ByteBuffer.allocate(256))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("a key of 256 bytes; 0 to 255 are allowed");
            assertThatThrownBy(() -> inlet.tryClaim(left + 1, new MessageFields().key(key)))
                    .isInstanceOf(IllegalArgumentException.class);
            inlet.tryClaim(left, new MessageFields().key(key)).commit(left);
            inlet.tryClaim(0, new MessageFields().key(ByteBuffer.allocate(0))).commit(0);
            assertThat(running.close(CLOSE_WITHIN))
                    .as("failure %s", running.failure())
                    .isTrue();
        }
        assertThat(received).containsExactly(left + "/" + keyLength, "0/0");
    }

    @Test
    void aKeySurvivesTheProcess() {
        assumeTrue(transport.guarantees().contains(Guarantee.DURABLE), "this transport is not durable");
        Chain chain = Chain.named(fixture.newTopic()).build();
        try (Loops loops = Loops.cooperative(1);
                RunningChain sender = chain.on(transport).with(loops).start()) {
            send(sender.inlet(), new byte[4], 4, "account-17");
        }
        transport.close();
        transport = fixture.reopen();
        try (Loops loops = Loops.cooperative(1)) {
            Deployment reading = chain.on(transport).with(loops).onOutput(in -> received.add(text(in.key())));
            try (RunningChain reader = reading.start()) {
                new Turns(fixture.longestWait())
                        .until("the message", "every message is delivered", () -> !received.isEmpty());
                assertThat(reader.failure()).isEmpty();
            }
        }
        assertThat(received).containsExactly("account-17");
    }

    @Test
    void aMessageSaysWhichPartitionItCameThrough() {
        String name = fixture.newTopic();
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = Chain.named(name)
                        .build()
                        .on(transport)
                        .with(loops)
                        .onOutput(MESSAGES, (text, in) -> received.add(description(in)))
                        .partitions(3)
                        .start()) {
            ByteBuffer key = bytes("account-17");
            int partition = Partitions.of(3).partitionOf("account-17");
            running.inlet(partition).send("some text", MESSAGES, new MessageFields().key(key));
            new Turns(fixture.longestWait())
                    .until("the message", "every message is delivered", () -> !received.isEmpty());
            assertThat(received)
                    .containsExactly("account-17 in " + name + "-0@" + partition + " of " + partition + ", type 3: "
                            + bytes("some text").hashCode());
        }
    }

    @Test
    @Tag("allocation")
    void viewsAndKeysAllocateNothingOnceWarm() {
        assumeTrue(fixture.allocatesNothing(), "this transport does not claim it");
        AtomicInteger count = new AtomicInteger();
        byte[] payload = new byte[8];
        MessageFields fields = new MessageFields().key(ByteBuffer.allocateDirect(ALLOCATION_KEY));
        try (Loops loops = Loops.manual().idle(Idle.spin());
                RunningChain running = Chain.named(fixture.newTopic())
                        .then("copy", Copy::new)
                        .build()
                        .on(transport)
                        .with(loops)
                        .onOutput(in -> count.set(count.get() + in.key().remaining()))
                        .start()) {
            Inlet inlet = running.inlet();
            AllocationMeter.assertNothingAllocated(
                    messages -> {
                        for (int left = messages; left > 0; left -= TOGETHER) {
                            int together =
                                    Math.min(left, TOGETHER); // a durable transport takes its time for each round trip
                            int due = count.get() + together * ALLOCATION_KEY;
                            for (int i = 0; i < together; i++) {
                                Claim claim = claimed(inlet, payload.length, fields, loops);
                                claim.payload().put(payload);
                                claim.commit(payload.length);
                            }
                            long deadline = System.nanoTime() + TURNING.toNanos();
                            while (count.get() != due) {
                                loops.turn();
                                if (System.nanoTime() - deadline > 0) {
                                    throw new AssertionError("a message did not arrive");
                                }
                            }
                        }
                    },
                    2);
            assertThat(running.failure()).isEmpty();
        }
    }

    /** Returns a claim, at once or when the transport has room for it. */
    private static Claim claimed(Inlet inlet, int length, MessageFields fields, Loops loops) {
        long deadline = System.nanoTime() + TURNING.toNanos();
        Claim claim = inlet.tryClaim(length, fields);
        while (claim == null) {
            loops.turn();
            LockSupport.parkNanos(ROOM_NANOS);
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("there is no room");
            }
            claim = inlet.tryClaim(length, fields);
        }
        return claim;
    }

    private static void send(Inlet inlet, byte[] bytes, int length, String key) {
        Claim claim = inlet.tryClaim(length, new MessageFields().key(bytes(key)));
        ByteBuffer view = claim.payload();
        assertThat(view.remaining()).isEqualTo(length);
        assertThat(view.order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
        view.put(bytes, 0, length);
        claim.type(length).commit(length);
    }

    private static String description(Message in) {
        return (in.key() == null ? "null" : text(in.key())) + " in " + in.topic() + " of " + in.partition() + ", type "
                + in.type() + ": " + in.payload().hashCode();
    }

    private static String text(ByteBuffer view) {
        return StandardCharsets.UTF_8.decode(view).toString();
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A codec of texts of type 3. */
}
