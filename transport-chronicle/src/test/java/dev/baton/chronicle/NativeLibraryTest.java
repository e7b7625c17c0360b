package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The native library that Chronicle loads once in a JVM, which fails for ever if an interrupted thread loads it. */
@Tag("slow")
@Timeout(60)
class NativeLibraryTest {
    private final TemporaryDirectory directory = new TemporaryDirectory();

    @AfterEach
    void remove() {
        directory.close();
    }

    @Test
    void interruptedThreadOpensFirstTransport() {
        try (QueueProcess child = QueueProcess.startWith(
                List.of(), InterruptedFirst.class, directory.path().toString())) {
            assertThat(child.line()).isEqualTo("interrupted: true, read [frame]");
        }
    }

    static final class InterruptedFirst {
        private InterruptedFirst() {}

        public static void main(String[] arguments) {
            Path path = Path.of(arguments[0]);
            Thread.currentThread().interrupt();
            ChronicleTransport.in(path.resolve("first")).close();
            boolean isInterrupted = Thread.interrupted();
            try (Topic topic = Topic.in(path.resolve("second"))) {
                Topic.write(topic.writer(), "frame");
                System.out.println("interrupted: " + isInterrupted + ", read " + Topic.poll(topic.reader(), 10));
            }
        }
    }
}
