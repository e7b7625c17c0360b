package dev.baton.operations.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.Chain;
import dev.baton.ErrorPolicy;
import dev.baton.MessageFields;
import dev.baton.RunningChain;
import dev.baton.chronicle.ChronicleProvider;
import dev.baton.run.Loops;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Topics of dead letters whose causes do not increase. */
@Timeout(60)
class LettersOutOfOrderTest {
    /** A letter has two frames. */
    private static final int FRAMES = 4;

    @TempDir
    private Path directory;

    /** The first message is retried while the second one becomes a dead letter at once. */
    @Test
    void letterAfterRetriesIsNoDamage() {
        Chain chain = Chain.named("shop")
                .then(
                        "price",
                        () -> (in, out) -> {
                            throw in.sequence() == 1
                                    ? new IllegalStateException("no answer")
                                    : new IllegalArgumentException("no price");
                        },
                        ErrorPolicy.deadLetter()
                                .on(
                                        IllegalStateException.class,
                                        ErrorPolicy.retry(2)
                                                .after(Duration.ofMillis(100))
                                                .perKey()
                                                .thenDeadLetter()))
                .build();
        try (Transport transport = new ChronicleProvider().open(Map.of("dir", directory.toString()))) {
            try (Loops loops = Loops.cooperative(1);
                    RunningChain running = chain.on(transport).with(loops).start()) {
                for (byte key = 1; key <= 2; key++) {
                    running.inlet()
                            .send(ByteBuffer.allocate(8), new MessageFields().key(ByteBuffer.wrap(new byte[] {key})));
                }
                await().until(() -> newest(transport, "shop-0.dead-letters") == FRAMES);
            }
            List<TopicCheck> checks = new Audit(transport, (check, end) -> {}, () -> false).of(transport.topics());
            assertThat(checks).extracting(TopicCheck::topic).contains("shop-0.dead-letters");
            assertThat(checks)
                    .allSatisfy(each -> assertThat(each.isClean())
                            .as(each.topic() + " " + each.told())
                            .isTrue());
        }
    }

    private static long newest(Transport transport, String topic) {
        try (TopicInspector inspector = transport.inspect(topic)) {
            return inspector.newestSequence();
        }
    }
}
