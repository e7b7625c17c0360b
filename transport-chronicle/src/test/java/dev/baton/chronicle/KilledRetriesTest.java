package dev.baton.chronicle;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.Chain;
import dev.baton.ErrorPolicy;
import dev.baton.RunningChain;
import dev.baton.run.Loops;
import dev.baton.spi.Connection;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.TopicWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The outputs of a service with retries per key whose process was killed while messages were set aside. */
@Tag("slow")
class KilledRetriesTest {
    private static final int KILLS = 3;
    private static final int KEYS = 8;

    private final TemporaryDirectory directory = new TemporaryDirectory();

    @AfterEach
    void remove() {
        directory.close();
    }

    @Test
    void killedRetriesRepeatAndDropNothing() throws InterruptedException {
        for (int i = 0; i < KILLS; i++) {
            try (QueueProcess child = QueueProcess.start(
                    RetriesUntilKilled.class, directory.path().toString())) {
                String line = child.line();
                while (line != null && line.contains(" WARN ")) { // of a lock that the killed process has left
                    line = child.line();
                }
                assertThat(line).isEqualTo(RetriesUntilKilled.RETRYING);
                child.kill();
            }
        }
        try (ChronicleTransport transport = ChronicleTransport.in(directory.path(), Topic.SMALL)) {
            long written = newest(transport, "source");
            try (Loops loops = Loops.cooperative(1);
                    RunningChain running = chain(0).on(transport).with(loops).start()) {
                await().atMost(30, SECONDS).until(() -> newest(transport, "retried-1") >= written);
                assertThat(running.close(Duration.ofSeconds(30))).isTrue();
            }
            assertThat(newest(transport, "retried-1")).as("outputs").isEqualTo(written);
            assertThat(newest(transport, chain(0).retryTopic(0, "half"))).isGreaterThan(KILLS);
            audit(transport, written);
        }
    }

    private static long newest(ChronicleTransport transport, String topic) {
        try (TopicInspector inspector = transport.inspect(topic)) {
            return inspector.newestSequence();
        }
    }

    private static void audit(ChronicleTransport transport, long written) {
        long[] newest = new long[KEYS];
        long[] count = {0};
        try (Loops loops = Loops.cooperative(1);
                RunningChain tap = Chain.tap("audit", "retried-1")
                        .on(transport)
                        .with(loops)
                        .onOutput(in -> {
                            long value = in.getLong(0);
                            assertThat(value).as("order of a key").isGreaterThan(newest[(int) (value % KEYS)]);
                            newest[(int) (value % KEYS)] = value;
                            count[0]++;
                        })
                        .start()) {
            assertThat(tap.close(Duration.ofSeconds(30)))
                    .as(tap.failure().toString())
                    .isTrue();
        }
        assertThat(count[0]).isEqualTo(written);
    }

    /** Returns a chain whose service fails at a share of the messages of one key. */
    private static Chain chain(int percent) {
        return Chain.named("retried")
                .from("source", in -> true)
                .then(
                        "half",
                        () -> (in, out) -> {
                            boolean mayFail = in.getLong(0) % KEYS == 1;
                            if (mayFail && ThreadLocalRandom.current().nextInt(100) < percent) {
                                throw new IllegalStateException("not yet");
                            }
                            out.forward(in);
                        },
                        ErrorPolicy.retry(1_000)
                                .backoff(Duration.ofNanos(1_000), Duration.ofMillis(2))
                                .perKey())
                .build();
    }

    static final class RetriesUntilKilled {
        static final String RETRYING = "retrying";
        static final int FRAMES = 3_000;

        private RetriesUntilKilled() {}

        public static void main(String[] arguments) {
            ChronicleTransport transport = ChronicleTransport.in(Path.of(arguments[0]), Topic.SMALL);
            transport.createTopics(List.of("source"));
            Loops loops = Loops.cooperative(1);
            chain(50).on(transport).with(loops).start();
            Connection connection = transport.connect();
            TopicWriter writer = connection.openWriter("source");
            long first = writer.sequence();
            while (true) {
                if (writer.remainingCapacity() > 0) {
                    long value = writer.sequence() + 1;
                    Frame frame = writer.claim(Extension.bytes(1) + Long.BYTES);
                    int key = frame.fieldOffset(frame.addField(Extension.KEY, 1), 1);
                    frame.memory().put(key, (byte) (value % KEYS));
                    frame.putLong(0, value);
                    frame.stamp(0, 0, 0, 0, 0);
                    writer.commit(frame.extensionBytes() + Long.BYTES);
                    writer.flush();
                }
                if (writer.sequence() == first + FRAMES + 1) {
                    System.out.println(RETRYING);
                }
            }
        }
    }
}
