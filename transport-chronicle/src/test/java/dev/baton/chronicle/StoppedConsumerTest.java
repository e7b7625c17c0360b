package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A consumer in another process that is stopped in the middle: the writer is refused at the backlog, and no sooner. */
@Tag("slow")
@EnabledOnOs(value = OS.LINUX, disabledReason = "a process is stopped by SIGSTOP")
class StoppedConsumerTest {
    private static final int BACKLOG = 2_000;
    private static final ChronicleOptions OPTIONS = Topic.SMALL.with(ChronicleOptions.BACKLOG, BACKLOG);
    private static final long PATIENCE_NANOS = 20_000_000_000L;

    private final TemporaryDirectory directory = new TemporaryDirectory();

    @AfterEach
    void remove() {
        directory.close();
    }

    @Test
    void stoppedConsumersBoundTheWriterAndLoseNothing() throws IOException, InterruptedException {
        try (Topic topic = Topic.in(directory.path(), OPTIONS);
                QueueProcess child =
                        QueueProcess.start(Consumes.class, directory.path().toString())) {
            assertThat(child.line()).isEqualTo(Consumes.READY);
            TopicWriter writer = topic.writer();
            write(writer, 10);
            awaitAcknowledged(topic, 10);

            signal("-STOP", child);
            awaitStopped(child);
            long sent = writeUntilRefused(writer);
            // it may have read some before the signal took effect
            assertThat(sent).isEqualTo(acknowledged(topic) + BACKLOG).isBetween(10L + BACKLOG, 10L + 2 * BACKLOG);
            assertThat(writer.remainingCapacity()).isZero();
            assertThat(writer.claim(1)).isNull();

            signal("-CONT", child);
            awaitAcknowledged(topic, sent);
            write(writer, 5_000);
            awaitAcknowledged(topic, sent + 5_000);
            write(writer, 1, Consumes.END);
            assertThat(child.line()).isEqualTo(sent + 5_000 + " in order");
            assertThat(child.exitCode()).isZero();
        }
    }

    private static void write(TopicWriter writer, int count) {
        write(writer, count, "frame");
    }

    private static void write(TopicWriter writer, int count, String text) {
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            while (writer.remainingCapacity() == 0 && System.nanoTime() - start < PATIENCE_NANOS) {
                LockSupport.parkNanos(100_000);
            }
            Topic.write(writer, text);
        }
    }

    private static long writeUntilRefused(TopicWriter writer) {
        while (writer.remainingCapacity() > 0 && writer.sequence() < 10 * BACKLOG) {
            Topic.write(writer, "frame");
        }
        return writer.sequence();
    }

    private static void awaitAcknowledged(Topic topic, long sequence) {
        long start = System.nanoTime();
        while (acknowledged(topic) < sequence && System.nanoTime() - start < PATIENCE_NANOS) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(acknowledged(topic)).isEqualTo(sequence);
    }

    private static long acknowledged(Topic topic) {
        try (var inspector = topic.transport.inspect(Topic.NAME)) {
            return inspector.acknowledged().getOrDefault(Topic.CONSUMER, 0L);
        }
    }

    private static void signal(String name, QueueProcess child) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", name, Long.toString(child.pid())).start();
        assertThat(kill.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(kill.exitValue()).isZero();
    }

    /** The signal is delivered before {@code kill} returns; each thread stops when it runs next. */
    private static void awaitStopped(QueueProcess child) throws IOException {
        long start = System.nanoTime();
        while (!isStopped(child.pid()) && System.nanoTime() - start < PATIENCE_NANOS) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(isStopped(child.pid())).isTrue();
    }

    private static boolean isStopped(long pid) throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            for (Path thread : threads.toList()) {
                String stat = Files.readString(thread.resolve("stat"));
                if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
                    return false;
                }
            }
            return true;
        }
    }

    /** Reads until it is told the end, one after the other. */
    static final class Consumes {
        static final String READY = "ready";
        static final String END = "end";

        private Consumes() {}

        public static void main(String[] arguments) {
            try (Topic topic = Topic.in(Path.of(arguments[0]), OPTIONS)) {
                TopicReader reader = topic.reader();
                System.out.println(READY);
                long count = 0;
                while (true) {
                    for (String text : Topic.poll(reader, 10)) {
                        if (text.equals(END)) {
                            System.out.println(count + " in order");
                            return;
                        }
                        count++;
                    }
                    reader.acknowledge(count);
                    LockSupport.parkNanos(50_000);
                }
            }
        }
    }
}
