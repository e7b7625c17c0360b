package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.BackPressureException;
import dev.baton.Chain;
import dev.baton.Message;
import dev.baton.RunningChain;
import dev.baton.run.Loops;
import dev.baton.spi.Connection;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.Transport.StorageUse;
import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Writers leave what is to be left free, and say what they lack. The file system is a number here. */
class DiskSpaceTest {
    private static final int MIN_FREE = 10_000_000;
    private static final ChronicleOptions OPTIONS = Topic.SMALL.with(ChronicleOptions.MIN_FREE, MIN_FREE);

    private final TemporaryDirectory directory = new TemporaryDirectory();
    private final AtomicLong freeBytes = new AtomicLong(Long.MAX_VALUE / 2);

    @AfterEach
    void remove() {
        directory.close();
    }

    @Test
    void aWriterStopsBelowTheMinimumFreeSpace() {
        try (Topic topic = open()) {
            TopicWriter writer = topic.writer();
            Topic.write(writer, "a");
            Topic.write(writer, "b");
            freeBytes.set(MIN_FREE);
            TransportException refused = writeUntilRefused(writer);
            assertThat(refused)
                    .hasMessageContaining("topic " + Topic.NAME)
                    .hasMessageContaining(directory.path().toString())
                    .hasMessageContaining("10.00 MB free")
                    .hasMessageContaining("10.00 MB to be left: min-free");
            assertThat(writer.storedSequence()).isGreaterThan(2);
        }
        freeBytes.set(MIN_FREE + (1 << 20));
        try (Topic topic = open()) {
            TopicWriter writer = topic.writer();
            long before = writer.sequence();
            Topic.write(writer, "goes on");
            assertThat(Topic.poll(topic.reader(), Integer.MAX_VALUE))
                    .hasSize((int) before + 1)
                    .endsWith("goes on");
        }
    }

    @Test
    void aTopicIsNotBegunWithLess() {
        freeBytes.set(MIN_FREE + 1_000);
        try (Topic topic = open()) {
            assertThatThrownBy(topic::writer)
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining(directory.path().toString())
                    .hasMessageContaining("0.02 MB needed");
        }
    }

    @Test
    void storageUseHasTakenAndSpareBytes() {
        freeBytes.set(MIN_FREE + 12_345);
        try (Topic topic = open()) {
            long before = topic.transport.storageUse().orElseThrow().bytes();
            freeBytes.set(Long.MAX_VALUE / 2);
            TopicWriter writer = topic.writer();
            String text = "x".repeat(1_000);
            for (int i = 0; i < 1_000; i++) {
                Topic.write(writer, text);
            }

            freeBytes.set(MIN_FREE + 12_345);
            StorageUse use = topic.transport.storageUse().orElseThrow();
            assertThat(use.freeBytes()).isEqualTo(12_345);
            assertThat(use.bytes() - before).isBetween(1_000_000L, 2_000_000L);
            freeBytes.set(MIN_FREE - 1);
            assertThat(topic.transport.storageUse().orElseThrow().freeBytes()).isZero();
        }
    }

    @Test
    void consumersNeedNoSpace() {
        try (Topic topic = open()) {
            topic.reader();
            Topic.write(topic.writer(), "a", "b");
        }
        freeBytes.set(0);
        try (Topic topic = open()) {
            TopicReader reader = topic.reader();
            assertThat(Topic.poll(reader, 3)).containsExactly("a", "b");
            reader.acknowledge(2);
        }
        try (Topic topic = open()) {
            assertThat(topic.reader().found().acknowledged()).isEqualTo(2);
        }
    }

    @Test
    void unknownFreeSpaceIsAnError() throws IOException {
        try (ChronicleTransport transport = TestTransports.inSpace(directory.path(), OPTIONS, () -> {
                    throw new IOException("gone");
                });
                Connection connection = transport.connect()) {
            transport.createTopics(List.of(Topic.NAME));
            assertThatThrownBy(() -> connection.openWriter(Topic.NAME))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("gone");
        }
    }

    @Test
    void chainsLoseAndRepeatNothingAfterwards() {
        List<String> arrived = new ArrayList<>();
        int sent = 0;
        for (int run = 0; run < 3; run++) {
            freeBytes.set(Long.MAX_VALUE / 2);
            try (ChronicleTransport transport = TestTransports.inSpace(directory.path(), OPTIONS, freeBytes::get);
                    Loops loops = Loops.manual();
                    RunningChain running = chain().on(transport)
                            .with(loops)
                            .onFailure(stopped -> {})
                            .onOutput(message -> arrived.add(text(message)))
                            .start()) {
                sent = (int) running.inlet().sequence();
                int until = sent + 300;
                while (running.failure().isEmpty()) {
                    sent = send(running, sent, until);
                    loops.turn();
                    if (arrived.size() >= until - 200) {
                        freeBytes.set(run < 2 ? 0 : freeBytes.get());
                    }
                    if (run == 2 && arrived.size() == until) {
                        break;
                    }
                }
                running.failure()
                        .ifPresent(failure -> assertThat(failure)
                                .isInstanceOf(TransportException.class)
                                .hasMessageContaining(directory.path().toString())
                                .hasMessageContaining("make room there"));
                assertThat(running.failure().isPresent()).isEqualTo(run < 2);
            }
        }
        assertThat(arrived)
                .containsExactlyElementsOf(IntStream.rangeClosed(1, arrived.size())
                        .mapToObj(DiskSpaceTest::text)
                        .toList());
        assertThat(arrived).hasSize(sent);
    }

    private static int send(RunningChain running, int sent, int until) {
        int next = sent;
        try {
            while (next < until) {
                running.inlet().send(text(next + 1).getBytes(StandardCharsets.UTF_8));
                next++;
            }
        } catch (BackPressureException | TransportException | IllegalStateException refused) {
            // later, or by the next run
        }
        return next;
    }

    private static String text(Message message) {
        byte[] bytes = new byte[message.length()];
        message.getBytes(0, bytes, 0, bytes.length);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static String text(int number) {
        return number + " ".repeat(2_000);
    }

    private static Chain chain() {
        return Chain.named("orders")
                .then("first", () -> (in, out) -> out.forward(in))
                .then("second", () -> (in, out) -> out.forward(in))
                .build();
    }

    private static TransportException writeUntilRefused(TopicWriter writer) {
        return catchThrowableOfType(TransportException.class, () -> {
            for (int i = 0; i < 2_000; i++) {
                Topic.write(writer, "x".repeat(1_000));
            }
        });
    }

    private Topic open() {
        return Topic.over(TestTransports.inSpace(directory.path(), OPTIONS, freeBytes::get));
    }
}
