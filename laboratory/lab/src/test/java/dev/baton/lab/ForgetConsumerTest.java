package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Chain;
import dev.baton.Merge;
import dev.baton.RunningChain;
import dev.baton.chronicle.ChronicleOptions;
import dev.baton.chronicle.ChronicleTransport;
import dev.baton.run.Loops;
import dev.baton.spi.Connection;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code baton forget-consumer}, and what {@code verify} and {@code dead-letters} make of composed chains. */
class ForgetConsumerTest {
    @TempDir
    private Path temporary;

    private Path topics;
    private FakeLaboratory laboratory;

    @BeforeEach
    void runAComposition() {
        laboratory = FakeLaboratory.withRealTransports(Void.class);
        topics = temporary.resolve("topics");
        Chain orders = Chain.named("orders")
                .then("pass", () -> (in, out) -> out.forward(in))
                .build();
        Chain rejects = Chain.named("rejects")
                .from("orders-1", in -> in.sequence() % 2 == 0)
                .then("notify", () -> (in, out) -> out.forward(in))
                .build();
        Merge trail = Merge.named("trail").from("orders-1").from("rejects-1").build();
        try (ChronicleTransport transport = open();
                Loops loops = Loops.cooperative(1);
                RunningChain running =
                        orders.on(transport).with(loops).onOutput(in -> {}).start();
                RunningChain branch = rejects.on(transport).with(loops).start();
                RunningChain merged = trail.on(transport).with(loops).start();
                RunningChain tap = Chain.tap("audit", trail.topic())
                        .on(transport)
                        .with(loops)
                        .onOutput(in -> {})
                        .start()) {
            for (int i = 0; i < 10; i++) {
                running.inlet().send(new byte[8]);
            }
            Duration limit = Duration.ofSeconds(20);
            assertThat(running.close(limit)).isTrue();
            assertThat(branch.close(limit)).isTrue();
            assertThat(merged.close(limit)).isTrue();
            assertThat(tap.close(limit)).isTrue();
        }
    }

    @Test
    void aConsumerIsForgottenOnce() {
        assertThat(forget("--dry-run", "trail-merged", "audit")).isZero();
        assertThat(laboratory.out())
                .contains("would forget consumer 'audit' of topic 'trail-merged', which had acknowledged 15 of 15");
        assertThat(forget("trail-merged", "audit")).isZero();
        assertThat(laboratory.out())
                .contains("forgot consumer 'audit' of topic 'trail-merged', which had acknowledged 15 of 15 messages");
        assertThat(forget("trail-merged", "audit")).isEqualTo(1);
        assertThat(laboratory.complaints())
                .containsExactly("baton: topic 'trail-merged' has no consumer 'audit'; it has none");
    }

    @Test
    void existingConsumersAreListed() {
        assertThat(forget("orders-1", "someone")).isEqualTo(1);
        assertThat(laboratory.complaints())
                .containsExactly("baton: topic 'orders-1' has no consumer 'someone'; it has rejects--notify,"
                        + " sink, trail.merge");
    }

    @Test
    void consumerInUseIsKeptAndNamed() {
        try (ChronicleTransport transport = open();
                Connection connection = transport.connect();
                TopicReader reader = connection.openReader("orders-1", "trail.merge")) {
            assertThat(reader.found().acknowledged()).isEqualTo(10);
            assertThat(forget("orders-1", "trail.merge")).isEqualTo(3);
        }
        assertThat(laboratory.complaints())
                .singleElement()
                .satisfies(text ->
                        assertThat(text).contains("orders-1", "has a live reader for consumer trail.merge already"));
    }

    @Test
    void missingTopicAndConsumerHaveDistinctCodes() {
        assertThat(forget("no-such-topic", "audit")).isEqualTo(3);
        assertThat(laboratory.complaints())
                .singleElement()
                .satisfies(text -> assertThat(text).contains("no-such-topic"));
        assertThat(forget("orders-1")).isEqualTo(2);
        assertThat(laboratory.run("forget-consumer", "orders-1", "audit", "--transport", "disruptor"))
                .isEqualTo(2);
        assertThat(laboratory.err()).contains("--transport disruptor is not durable; use Transport.forgetConsumer");
    }

    @Test
    void verifyAccountsForEachInputOfAMerge() {
        assertThat(laboratory.run("verify", topics.toString())).isZero();
        assertThat(laboratory.out())
                .contains("trail-merged", "4 topics, 40 frames")
                .contains("clean");
        try (ChronicleTransport transport = open();
                Connection connection = transport.connect();
                TopicWriter writer = connection.openWriter("trail-merged")) {
            byte[] repeated = writer.found().field(Extension.MERGED);
            Frame claim = writer.claim(128);
            int before = claim.extensionBytes();
            claim.putFieldBytes(claim.addField(Extension.MERGED, repeated.length), repeated, 0, repeated.length);
            claim.stamp(1, 0, writer.found().cause(), 0, 0);
            writer.commit(claim.extensionBytes() - before);
        }
        assertThat(laboratory.run("verify", topics.toString())).isEqualTo(1);
        assertThat(laboratory.out()).contains("sequence 16: its field has", ", its own, the frame before has");
    }

    private int forget(String... arguments) {
        List<String> line = new ArrayList<>(List.of("forget-consumer"));
        line.addAll(List.of(arguments));
        line.addAll(List.of("--transport", "chronicle", "-o", "dir=" + topics));
        return laboratory.run(line.toArray(String[]::new));
    }

    private ChronicleTransport open() {
        return ChronicleTransport.in(topics, ChronicleOptions.defaults().with(ChronicleOptions.BLOCK_SIZE, 64 << 10));
    }
}
