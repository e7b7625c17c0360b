package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Chain;
import dev.baton.Deployment;
import dev.baton.RunningChain;
import dev.baton.run.Loops;
import dev.baton.spi.Frame;
import dev.baton.spi.errors.DamagedTopicException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The contract on checksums: frames with a checksum cross the transport like others, and an altered one stops its chain. */
public abstract class ChecksumTck extends TransportTck {
    /** The time limit for thousands of frames over two topics in a row. */
    private static final int WAITS = 3;

    /** Called by the test of a transport. */
    protected ChecksumTck() {}

    @Test
    void payloadsArriveWithoutTheChecksumOfTheirFrames() throws Exception {
        int longest = transport().maxPayload() - Frame.CHECKSUM_BYTES;
        List<byte[]> sent = new ArrayList<>();
        for (int length : new int[] {0, 1, 3, 4, 5, 64, longest - 1, longest}) {
            byte[] payload = new byte[length];
            new Random(length).nextBytes(payload);
            sent.add(payload);
        }
        String name = fixture().newTopic();
        List<byte[]> received = run(name, true, sent);
        assertThat(received).hasSize(sent.size());
        for (int i = 0; i < sent.size(); i++) {
            assertThat(received.get(i)).isEqualTo(sent.get(i));
        }
        if (isDurable()) {
            List<Integer> flags = new ArrayList<>();
            probe(name + "-1").read(sent.size()).frames().forEach(frame -> flags.add(frame.flags()));
            assertThat(flags).allMatch(each -> (each & Frame.CHECKED) == Frame.CHECKED);
        }
    }

    @Test
    void aFrameKeepsItsChecksumOnItsWay() {
        TopicProbe topic = openTopic();
        Frame frame = topic.claim(8 + Frame.CHECKSUM_BYTES).reserveChecksum();
        frame.stamp(0, 7, 0, 1, 2);
        frame.sequence(1);
        frame.putLong(0, 42);
        frame.seal(8);
        topic.writer().commit(8 + Frame.CHECKSUM_BYTES);
        topic.writer().flush();

        assertThat(topic.read(1).frames())
                .singleElement()
                .satisfies(arrived -> assertThat(arrived.flags() & Frame.CHECKED)
                        .as("flags of a frame with a checksum")
                        .isEqualTo(Frame.CHECKED));
    }

    @Test
    void framesAreCheckedWhileOthersAreWritten() throws Exception {
        List<byte[]> sent = Collections.nCopies(5_000, new byte[64]);
        assertThat(run(fixture().newTopic(), true, sent)).hasSize(sent.size());
    }

    @Test
    void payloadWithoutRoomForTheChecksumIsRefused() {
        int tooLong = transport().maxPayload() - Frame.CHECKSUM_BYTES + 1;
        try (Loops loops = Loops.cooperative(1);
                RunningChain running =
                        deployment(fixture().newTopic(), true).with(loops).start()) {
            assertThatThrownBy(() -> running.inlet().send(new byte[tooLong]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(tooLong + " bytes")
                    .hasMessageContaining("0 to " + (tooLong - 1));
            assertThat(running.close(limit())).isTrue();
        }
    }

    @Test
    void aTopicMayHoldFramesWithAndWithout() throws Exception {
        String name = fixture().newTopic();
        List<byte[]> first = List.of(new byte[] {1}, new byte[] {2});
        List<byte[]> second = List.of(new byte[] {3}, new byte[] {4});
        assertThat(run(name, false, first)).hasSize(2);
        assertThat(run(name, true, second)).hasSize(2);
        assertThat(run(name, false, first)).hasSize(2);
    }

    @Test
    void alteredFrameStopsTheChainAndIsNamed() throws Exception {
        assertStopsAtTheSecondOfThree(frame -> frame.putByte(2, (byte) (frame.getByte(2) ^ 0x10)), "checksum 0x");
    }

    /** An alteration of a frame after its checksum was computed. */
    private interface Alteration {
        void of(Frame frame);
    }

    private void assertStopsAtTheSecondOfThree(Alteration alteration, String expected) throws Exception {
        String name = fixture().newTopic();
        transport().createTopics(List.of(name + "-0"));
        TopicProbe topic = probe(name + "-0");
        List<Integer> served = Collections.synchronizedList(new ArrayList<>());
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        Chain chain = Chain.named(name)
                .then("s1", () -> (in, out) -> served.add(in.getInt(0)))
                .build();
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = chain.on(transport())
                        .with(loops)
                        .onFailure(failure::complete)
                        .start()) {
            for (int i = 1; i <= 3; i++) {
                Frame frame = topic.claim(8 + Frame.CHECKSUM_BYTES).reserveChecksum();
                frame.stamp(0, 7, 0, 1, 2);
                frame.sequence(i);
                frame.putInt(0, i);
                frame.putInt(4, 0);
                frame.seal(8);
                if (i == 2) {
                    alteration.of(frame);
                }
                topic.writer().commit(8 + Frame.CHECKSUM_BYTES);
            }
            topic.writer().flush();
            turns().until("the failure", "a frame whose checksum does not fit stops the chain", failure::isDone);
            assertThat(failure.get(limit().toNanos(), TimeUnit.NANOSECONDS))
                    .isInstanceOf(DamagedTopicException.class)
                    .hasMessageContaining("topic " + name + "-0")
                    .hasMessageContaining("position ")
                    .hasMessageContaining("sequence 2")
                    .hasMessageContaining(expected);
            assertThat(running.failure()).isPresent();
        }
        assertThat(served).as("neither the altered frame nor what follows it").containsExactly(1);
    }

    private Duration limit() {
        return fixture().longestWait().multipliedBy(WAITS);
    }

    private Deployment deployment(String name, boolean isChecked) {
        return Chain.named(name)
                .then("s1", () -> (in, out) -> out.forward(in))
                .then("s2", () -> (in, out) -> out.forward(in))
                .build()
                .on(transport())
                .checksums(isChecked);
    }

    private List<byte[]> run(String name, boolean isChecked, List<byte[]> payloads) throws Exception {
        List<byte[]> received = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch arrived = new CountDownLatch(payloads.size());
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = deployment(name, isChecked)
                        .with(loops)
                        .onOutput(in -> {
                            byte[] payload = new byte[in.length()];
                            in.getBytes(0, payload, 0, payload.length);
                            received.add(payload);
                            arrived.countDown();
                        })
                        .start()) {
            for (byte[] payload : payloads) {
                running.inlet().send(payload);
            }
            assertThat(arrived.await(limit().toNanos(), TimeUnit.NANOSECONDS))
                    .as("failure %s", running.failure())
                    .isTrue();
        }
        return received;
    }
}
