package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes that may not write files as long as a topic's. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "limits are read from /proc")
@Tag("slow")
class MaxFileSizeTest {
    private final TemporaryDirectory directory = new TemporaryDirectory();
    private final TemporaryDirectory temporary = new TemporaryDirectory();

    @AfterEach
    void remove() {
        directory.close();
        temporary.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {150, 600, 1_000})
    void theLimitIsReportedAndFramesAreComplete(int kilobytes) throws InterruptedException {
        long stored;
        try (QueueProcess child = QueueProcess.startWithFilesOf(
                kilobytes, temporary.path(), WritesAll.class, directory.path().toString())) {
            assertThat(child.line())
                    .startsWith("topic " + Topic.NAME + " cannot be written in " + directory.path())
                    .contains("the file size limit of this process (ulimit -f) is ", " MB are needed", "raise it");
            stored = Long.parseLong(child.line());
            assertThat(child.exitCode()).isZero();
        }

        assertThat(stored).isLessThan(kilobytes);
        try (Topic topic = Topic.in(directory.path())) {
            TopicWriter writer = topic.writer();
            assertThat(writer.sequence()).isEqualTo(stored);
            Topic.write(writer, "next");
            List<String> texts = new ArrayList<>(
                    LongStream.rangeClosed(1, stored).mapToObj(WritesAll::text).toList());
            texts.add("next");
            assertThat(Topic.poll(topic.reader(), Integer.MAX_VALUE)).isEqualTo(texts);
        }
    }

    @Test
    void theLimitIsReportedForTheNativeLibrary() throws InterruptedException {
        try (QueueProcess child = QueueProcess.startWithFilesOf(
                50, temporary.path(), WritesAll.class, directory.path().toString())) {
            assertThat(child.line())
                    .contains("native library", "was not loaded")
                    .contains("the file size limit of this process (ulimit -f) is 0.05 MB");
        }
    }

    /** Writes until it is refused. */
    static final class WritesAll {
        private WritesAll() {}

        static String text(long number) {
            return number + " ".repeat(1_000);
        }

        public static void main(String[] arguments) {
            long stored = 0;
            try (Topic topic = Topic.in(Path.of(arguments[0]))) {
                TopicWriter writer = topic.writer();
                while (true) {
                    Topic.write(writer, text(writer.sequence() + 1));
                    stored = writer.storedSequence();
                }
            } catch (TransportException refused) {
                System.out.println(refused.getMessage());
                System.out.println(stored);
            }
        }
    }
}
