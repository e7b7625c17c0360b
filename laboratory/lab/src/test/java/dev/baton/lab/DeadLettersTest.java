package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Chain;
import dev.baton.ErrorPolicy;
import dev.baton.RunningChain;
import dev.baton.chronicle.ChronicleOptions;
import dev.baton.chronicle.ChronicleTransport;
import dev.baton.run.Loops;
import dev.baton.spi.Connection;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code baton dead-letters} over topics of Chronicle that a chain has left. */
@Tag("slow")
class DeadLettersTest {
    @TempDir
    private Path temporary;

    private Path topics;
    private FakeLaboratory laboratory;

    @BeforeEach
    void runAChain() {
        laboratory = FakeLaboratory.withRealTransports(Void.class);
        topics = temporary.resolve("topics");
        Chain chain = Chain.named("orders")
                .then(
                        "price",
                        () -> (in, out) -> {
                            if (in.sequence() % 2 == 0) {
                                throw new IllegalArgumentException("no price\u001b[31m\nfor " + in.sequence());
                            }
                            out.forward(in);
                        },
                        ErrorPolicy.retry(1).thenDeadLetter())
                .then("book", () -> (in, out) -> out.forward(in))
                .build();
        try (ChronicleTransport transport = ChronicleTransport.in(
                        topics, ChronicleOptions.defaults().with(ChronicleOptions.BLOCK_SIZE, 64 << 10));
                Loops loops = Loops.cooperative(1);
                RunningChain running =
                        chain.on(transport).with(loops).onOutput(in -> {}).start()) {
            for (int i = 1; i <= 4; i++) {
                running.inlet().send(new byte[] {(byte) i, 0x5a});
            }
            assertThat(running.close(Duration.ofSeconds(20))).isTrue();
        }
    }

    @Test
    void lettersAreListedWithReasonsAndSanitized() {
        assertThat(laboratory.run("dead-letters", topics.toString())).isZero();
        assertThat(laboratory.out())
                .contains("orders-0 2  price, 2 attempts, type 0, 2 B")
                .contains("java.lang.IllegalArgumentException: no price [31m for 2")
                .contains("orders-0 4  price")
                .contains("1 dead-letter topic, 2 letters")
                .doesNotContain("\u001b", "5a");
    }

    @Test
    void payloadsArePrintedOnRequest() {
        assertThat(laboratory.run("dead-letters", "--payloads", topics.toString()))
                .isZero();
        assertThat(laboratory.out()).contains("02 5a", "04 5a");
    }

    @Test
    void topicWithoutLettersIsReported() {
        assertThat(laboratory.run("dead-letters", topics.resolve("orders-1").toString()))
                .isZero();
        assertThat(laboratory.out()).contains("0 dead-letter topics, 0 letters");
    }

    @Test
    void aDirectoryWithoutTopicsIsAUsageError() {
        assertThat(laboratory.run("dead-letters", temporary.toString())).isEqualTo(2);
        assertThat(laboratory.err()).contains("contains no topic");
    }

    @Test
    void lettersAreSentAgainOnceAndStayListed() {
        assertThat(laboratory.run("dead-letters", "redrive", topics.toString())).isZero();
        assertThat(laboratory.out())
                .contains("orders-0 2  price, sent again as 5")
                .contains("orders-0 4  price, sent again as 6")
                .contains("1 dead-letter topic, 2 messages sent again");
        assertThat(laboratory.run("dead-letters", "redrive", topics.toString())).isZero();
        assertThat(laboratory.out()).contains("1 dead-letter topic, 0 messages sent again");
        assertThat(laboratory.run("dead-letters", topics.toString())).isZero();
        assertThat(laboratory.out()).contains("1 dead-letter topic, 2 letters");
        assertThat(laboratory.run("verify", topics.toString())).isZero();
    }

    @Test
    void lettersOfTapsAreListedNotRedriven() {
        try (ChronicleTransport transport = ChronicleTransport.in(
                        topics, ChronicleOptions.defaults().with(ChronicleOptions.BLOCK_SIZE, 64 << 10));
                Loops loops = Loops.cooperative(1);
                RunningChain tap = Chain.tap("audit", "orders-0")
                        .on(transport)
                        .with(loops)
                        .onError(ErrorPolicy.deadLetter())
                        .onOutput(in -> {
                            throw new IllegalStateException("no audit");
                        })
                        .start()) {
            assertThat(tap.close(Duration.ofSeconds(20))).isTrue();
        }
        assertThat(laboratory.run("dead-letters", topics.toString())).isZero();
        assertThat(laboratory.out()).contains("orders-0 1  sink", "no audit", "2 dead-letter topics, 6 letters");
        assertThat(laboratory.run("dead-letters", "redrive", topics.toString())).isEqualTo(2);
        assertThat(laboratory.out()).contains("orders-0 4  price, sent again as 6", "2 messages sent again");
        assertThat(laboratory.err()).contains("orders-0---audit.dead-letters", "a consumer beside the chain");
    }

    @Test
    void topicWithLiveWriterIsRefused() {
        try (ChronicleTransport transport = ChronicleTransport.in(
                        topics, ChronicleOptions.defaults().with(ChronicleOptions.BLOCK_SIZE, 64 << 10));
                Connection connection = transport.connect()) {
            connection.openWriter("orders-0", "price > book");
            assertThat(laboratory.run("dead-letters", "redrive", topics.toString()))
                    .isEqualTo(3);
            assertThat(laboratory.err()).contains("orders-0");
        }
    }

    @Test
    void withoutATopicBothAreUsageErrors() {
        assertThat(laboratory.run("dead-letters")).isEqualTo(2);
        assertThat(laboratory.err()).contains("no topic is named");
        assertThat(laboratory.run("dead-letters", "redrive")).isEqualTo(2);
        assertThat(laboratory.run("dead-letters", "redrive", "--help")).isZero();
        assertThat(laboratory.out()).contains("Stop the writer of that topic first");
    }

    @Test
    void verifyReadsDeadLetterTopicsLikeOthers() {
        assertThat(laboratory.run("verify", topics.toString())).isZero();
        assertThat(laboratory.out()).contains("orders-0.dead-letters", "4 topics", "clean");
    }
}
