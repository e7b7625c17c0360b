package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.baton.chronicle.platform.RuntimeRequirements;
import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.options.Durability;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What topics cost: allocation, descriptors, threads. */
class FootprintTest {
    private static final int MESSAGES = 200_000;

    /** As bytes they are under one per poll: what the JVM itself allocates now and then does not count. */
    private static final int IDLE_POLLS = 10_000;

    private final TemporaryDirectory directory = new TemporaryDirectory();
    private final FrameHandler handler = this::onFrame;
    private long position;

    @AfterEach
    void remove() {
        directory.close();
    }

    @Test
    void messagesAllocateOnlyAConstantPerBlock() {
        ChronicleOptions options = ChronicleOptions.defaults().with(ChronicleOptions.BLOCK_SIZE, 1 << 20);
        try (Topic topic = Topic.in(directory.path(), options)) {
            TopicWriter writer = topic.writer();
            TopicReader reader = topic.reader();
            carry(writer, reader, MESSAGES);

            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long before = threads.getCurrentThreadAllocatedBytes();
            carry(writer, reader, MESSAGES);
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;

            // 80 bytes each; Chronicle makes a few objects for each block that it maps
            long blocks = MESSAGES * 80L / options.get(ChronicleOptions.BLOCK_SIZE) + 1;
            assertThat(allocated).as("bytes for %d blocks", blocks).isLessThan(blocks * 2_000);
        }
    }

    @Test
    void anIdlePollAllocatesNothing() {
        try (Topic topic = Topic.in(directory.path())) {
            TopicReader reader = topic.reader();
            TopicWriter writer = topic.writer();
            for (String state : List.of("never written", "written")) {
                assertThat(allocatedByIdlePolls(reader)).as(state).isLessThan(IDLE_POLLS);
                carry(writer, reader, 1);
            }
            writer.close();
            assertThat(allocatedByIdlePolls(reader)).as("without a writer").isLessThan(IDLE_POLLS);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"PROCESS", "HOST"})
    void descriptorsDoNotGrowWithConnections(Durability durability) throws IOException {
        int topics = 20;
        List<String> names = new ArrayList<>();
        for (int i = 0; i < topics; i++) {
            names.add("topic-" + i);
        }
        ChronicleOptions options = ChronicleOptions.defaults().with(ChronicleOptions.DURABILITY, durability);
        try (ChronicleTransport transport = ChronicleTransport.in(directory.path(), options);
                Connection one = transport.connect();
                Connection two = transport.connect()) {
            transport.createTopics(names);
            for (String name : names) {
                TopicWriter writer = one.openWriter(name);
                carry(writer, one.openReader(name, "a"), 1);
                carry(writer, two.openReader(name, "b"), 1);
            }
            double descriptors = new ChronicleProvider()
                    .topicFootprint(Map.of("durability", ChronicleOptions.DURABILITY.typed(durability)))
                    .descriptors();
            if (Files.exists(Path.of("/proc/self/fd"))) {
                assertThat(OpenFiles.descriptorsBelow(directory.path())).hasSize((int) descriptors * topics + 1);
            }
        }
        assertThat(OpenFiles.below(directory.path())).isEmpty();
    }

    @Test
    void repeatedOpeningAndClosingLeavesNothing() {
        try (Topic topic = Topic.in(directory.path())) {
            for (int i = 0; i < 50; i++) {
                try (TopicWriter writer = topic.writer();
                        TopicReader reader = topic.reader()) {
                    carry(writer, reader, 3);
                }
                assertThat(OpenFiles.below(directory.path().resolve(Topic.NAME)))
                        .isEmpty();
            }
        }
    }

    @Test
    void refusedWritersLeaveNothingOpen() throws IOException {
        try (Topic topic = Topic.in(directory.path())) {
            Topic.write(topic.writer(), "kept");
        }
        byte[] older = Files.readAllBytes(directory.queueFiles().get(0));
        try (Topic topic = Topic.in(directory.path())) {
            Topic.write(topic.writer(), "lost");
        }
        Files.write(directory.queueFiles().get(0), older);
        try (Topic topic = Topic.in(directory.path())) {
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(topic::writer).hasMessageContaining("ends at sequence 1");
            }
            assertThat(OpenFiles.below(directory.path().resolve(Topic.NAME))).isEmpty();
        }
    }

    @Test
    @Tag("slow")
    void chronicleStartsNoThreadAndWritesNothingHome() throws InterruptedException, IOException {
        Path home = Files.createDirectory(directory.path().resolve("home"));
        List<String> flags =
                new ArrayList<>(RuntimeRequirements.jvmFlags(Runtime.version().feature()));
        flags.add("-Duser.home=" + home);
        try (QueueProcess child = QueueProcess.start(
                flags, Threads.class, directory.path().resolve("topics").toString())) {
            assertThat(child.line()).isEqualTo("[]");
            assertThat(child.exitCode()).isZero();
        }
        assertThat(home).isEmptyDirectory();
    }

    private long allocatedByIdlePolls(TopicReader reader) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        poll(reader);
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < IDLE_POLLS; i++) {
            poll(reader);
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    private int poll(TopicReader reader) {
        return reader.poll(handler, 16);
    }

    /** Bursts of one to sixteen messages, each flushed, read and acknowledged. */
    private void carry(TopicWriter writer, TopicReader reader, int messages) {
        for (int sent = 0; sent < messages; ) {
            for (int burst = Math.min(messages - sent, 1 + sent % 16); burst > 0; burst--) {
                Frame frame = writer.claim(32);
                frame.putLong(0, sent);
                frame.stamp(1, 2, 3, 4, 5);
                writer.commit(32);
                sent++;
            }
            writer.flush();
            while (poll(reader) > 0) {
                reader.acknowledge(position);
            }
        }
    }

    private Verdict onFrame(Frame frame, long at) {
        position = at;
        return Verdict.DONE;
    }

    /** Uses a topic and prints the threads that are there now and were not before. */
    static final class Threads {
        private Threads() {}

        public static void main(String[] arguments) {
            List<String> before = names();
            try (Topic topic = Topic.in(Path.of(arguments[0]))) {
                Topic.write(topic.writer(), "a");
                Topic.poll(topic.reader(), 1);
                List<String> started = new ArrayList<>(names());
                started.removeAll(before);
                // the JVM's own, started when first needed
                started.removeIf(name -> name.equals("Common-Cleaner") || name.startsWith("process reaper"));
                System.out.println(started);
            }
        }

        private static List<String> names() {
            return Thread.getAllStackTraces().keySet().stream()
                    .map(Thread::getName)
                    .sorted()
                    .toList();
        }
    }
}
