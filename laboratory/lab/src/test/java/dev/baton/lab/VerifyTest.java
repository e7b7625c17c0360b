package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.Chain;
import dev.baton.Deployment.ReplacedInput;
import dev.baton.ErrorPolicy;
import dev.baton.Message;
import dev.baton.MessageFields;
import dev.baton.Outlet;
import dev.baton.RunningChain;
import dev.baton.StatefulService;
import dev.baton.chronicle.ChronicleOptions;
import dev.baton.chronicle.ChronicleTransport;
import dev.baton.operations.Operations;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.Interruption;
import dev.baton.operations.line.KnownTransports;
import dev.baton.operations.terminal.Terminal;
import dev.baton.run.Loops;
import dev.baton.state.SnapshotInput;
import dev.baton.state.SnapshotOutput;
import dev.baton.state.SnapshotPolicy;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code baton verify} over topics of Chronicle that a chain has left. */
class VerifyTest {
    private static final int MESSAGES = 200;
    private static final int PAYLOAD = 16;

    @TempDir
    private Path temporary;

    private Path topics;
    private FakeLaboratory laboratory;

    @BeforeEach
    void runAChain() {
        laboratory = FakeLaboratory.withRealTransports(Void.class);
        topics = temporary.resolve("topics");
        send(MESSAGES, ReplacedInput.REFUSE);
    }

    private void send(int messages, ReplacedInput policy) {
        Chain chain = Chain.named("five")
                .then("s1", () -> (in, out) -> out.forward(in))
                .then("s2", () -> (in, out) -> out.forward(in))
                .build();
        try (ChronicleTransport transport = ChronicleTransport.in(
                        topics, ChronicleOptions.defaults().with(ChronicleOptions.BLOCK_SIZE, 64 << 10));
                Loops loops = Loops.cooperative(1);
                RunningChain running = chain.on(transport)
                        .with(loops)
                        .checksums(true)
                        .batch(1)
                        .replacedInput(policy)
                        .onOutput(in -> {})
                        .start()) {
            for (int i = 0; i < messages; i++) {
                running.inlet().send(new byte[PAYLOAD]);
            }
            assertThat(running.close(Duration.ofSeconds(20))).isTrue();
        }
    }

    @Test
    void intactChainIsCleanAndUnchanged() throws IOException {
        Map<String, String> before = contents();
        assertThat(laboratory.run("verify", topics.toString())).isZero();
        assertThat(laboratory.out())
                .contains("five-0", "five-1", "five-2", "1 - 200", "200 correct", "acknowledged: s1 200")
                .contains("3 topics, 600 frames: clean");
        assertThat(contents()).isEqualTo(before);
    }

    @Test
    void directoryOfOneTopicIsReadable() {
        assertThat(laboratory.run("verify", topics.resolve("five-1").toString()))
                .isZero();
        assertThat(laboratory.out()).contains("1 topic, 200 frames: clean").doesNotContain("five-0");
    }

    @Test
    void readOnlyDirectoryIsReadable() throws IOException {
        Path lock = topics.resolve(".writers.lock");
        Files.deleteIfExists(lock);
        assertThat(laboratory.run("verify", topics.toString())).isZero();
        assertThat(lock).doesNotExist();
    }

    @Test
    void alteredPayloadIsFoundByChecksum() throws IOException {
        alter("five-1", 100);
        assertThat(laboratory.run("verify", topics.toString())).isEqualTo(1);
        assertThat(laboratory.out())
                .contains("1 of 200 wrong", "five-1  position 100, sequence 100: checksum 0x")
                .contains("1 not as written");
    }

    @Test
    void framesAfterLostLengthAreRead() throws IOException {
        long at = excerpt("five-1", 100);
        write(file("five-1"), at, new byte[4]);
        assertThat(laboratory.run("verify", topics.toString())).isEqualTo(1);
        assertThat(laboratory.out().replaceAll("\\s+", " ")).contains("five-1", "at " + at, "no length where");
        assertThat(laboratory.out()).as("frames behind it").contains("1 - 200");
        assertThat(laboratory.out()).as("of the next topic").contains("is missing in topic five-1");
    }

    @Test
    void truncatedFileEndsBeforeAcknowledgedFrames() throws IOException {
        Path file = file("five-2");
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, java.util.Arrays.copyOf(bytes, (int) excerpt("five-2", 100) + 10));
        assertThat(laboratory.run("verify", topics.toString())).isEqualTo(1);
        assertThat(laboratory.out().replaceAll("\\s+", " "))
                .contains("consumer sink has acknowledged sequence 200, the topic ends at 99");
    }

    @Test
    void garbageIsOneLineAndNoStackTrace() throws IOException {
        Files.write(file("five-0"), "not a queue at all, but long enough to be looked at".getBytes());
        assertThat(laboratory.run("verify", topics.toString())).isEqualTo(1);
        assertThat(laboratory.out()).contains("does not begin with the header of a queue file");
        assertThat(laboratory.err()).doesNotContain("\tat ");
    }

    @Test
    void unreadableOrMissingTopicsAreReported() {
        assertThat(laboratory.run("verify", temporary.resolve("nowhere").toString()))
                .isEqualTo(2);
        assertThat(laboratory.run("verify", "x", "--transport", "kafka")).isEqualTo(2);
        assertThat(laboratory.run("verify", "x", "--transport", "disruptor")).isEqualTo(2);
        assertThat(laboratory.run("verify")).isEqualTo(2);
        assertThat(laboratory.complaints()).hasSize(4);
        assertThat(temporary.resolve("nowhere")).doesNotExist();
    }

    @Test
    void directoryWithoutQueueIsNotClean() throws IOException {
        Path other = Files.createDirectory(temporary.resolve("other"));
        Files.createDirectories(other.resolve("bin").resolve("nested"));
        Files.writeString(other.resolve("bin").resolve("file"), "no queue");

        assertThat(laboratory.run("verify", other.toString())).isEqualTo(2);

        assertThat(laboratory.out()).isEmpty();
        assertThat(laboratory.err())
                .contains(other + " contains no topic and is not a topic")
                .doesNotContain("clean");
    }

    @Test
    void directoriesBesideTheTopicsAreNoTopics() throws IOException {
        Files.createDirectory(topics.resolve("lost+found"));
        Files.createDirectory(topics.resolve("backup"));

        assertThat(laboratory.run("verify", topics.toString())).isZero();

        assertThat(laboratory.out()).contains("3 topics, 600 frames: clean");
    }

    @Test
    void replacedInputIsReportedWithoutFinding() {
        try (ChronicleTransport transport = ChronicleTransport.in(topics)) {
            transport.deleteTopics(List.of("five-0"));
        }
        send(30, ReplacedInput.HANDLE_ALL);

        assertThat(laboratory.run("verify", topics.toString())).isZero();
        assertThat(laboratory.out().replaceAll("\\s+", " "))
                .contains(
                        "five-1 sequence 201: the input was replaced, as its topic was deleted and created again; causes"
                                + " go on at 1, those of the former input went up to 200")
                .contains("3 topics, 490 frames: clean");
    }

    @Test
    void snapshotsAreNoFinding() {
        sum(5);
        try (ChronicleTransport transport = ChronicleTransport.in(topics)) {
            transport.deleteTopics(List.of("sums-0"));
        }
        sum(2); // a snapshot of input 2 behind one of input 5

        assertThat(laboratory.run("verify", topics.resolve("sums-0.snapshots").toString()))
                .isZero();
        assertThat(laboratory.out()).contains("sums-0.snapshots", "1 topic, 6 frames: clean");
    }

    private void sum(int messages) {
        try (ChronicleTransport transport = ChronicleTransport.in(topics);
                Loops loops = Loops.cooperative(1);
                RunningChain running = Chain.named("sums")
                        .then("sum", Sum::new)
                        .build()
                        .on(transport)
                        .with(loops)
                        .snapshots(SnapshotPolicy.every(Duration.ofHours(1)))
                        .replacedInput(ReplacedInput.HANDLE_ALL)
                        .start()) {
            for (int i = 0; i < messages; i++) {
                running.inlet().send(new byte[PAYLOAD]);
            }
            assertThat(running.close(Duration.ofSeconds(60))).isTrue();
        }
    }

    /** Counts its inputs for good. */
    private static final class Sum implements StatefulService {
        private long count;

        @Override
        public void onMessage(Message in, Outlet out) {
            count++;
            out.forward(in);
        }

        @Override
        public int snapshotVersion() {
            return 1;
        }

        @Override
        public boolean saveState(SnapshotOutput out) {
            out.putLong(count);
            return true;
        }

        @Override
        public void restoreState(SnapshotInput in, int version) {
            count = in.getLong();
        }
    }

    @Test
    void restoredInputIsReportedWithoutFinding() throws IOException {
        Path kept = temporary.resolve("kept");
        copy(topics.resolve("five-0"), kept);
        send(50, ReplacedInput.REFUSE);
        try (ChronicleTransport transport = ChronicleTransport.in(topics)) {
            transport.deleteTopics(List.of("five-0"));
        }
        copy(kept, topics.resolve("five-0"));
        send(60, ReplacedInput.HANDLE_ALL);

        assertThat(laboratory.run("verify", topics.toString())).isZero();
        assertThat(laboratory.out().replaceAll("\\s+", " "))
                .contains(
                        "five-1 sequence 251: the input was replaced, as its topic was restored or cut off, and written"
                                + " further; causes go on at 201, those of the former input went up to 250")
                .contains("3 topics, 880 frames: clean");
    }

    @Test
    void unreadableHistoryLeavesDecreasingCausesAFinding() throws IOException {
        try (ChronicleTransport transport = ChronicleTransport.in(topics)) {
            transport.deleteTopics(List.of("five-0"));
        }
        send(30, ReplacedInput.HANDLE_ALL);
        Files.writeString(topics.resolve("five-1").resolve("baton.topic"), "nothing of the kind\n");

        assertThat(laboratory.run("verify", topics.toString())).isEqualTo(1);
        assertThat(laboratory.out().replaceAll("\\s+", " "))
                .contains("sequence 201: its cause is 1, the frame before had 200", "is no history of a topic");
    }

    @Test
    void perKeyRetriesMayReverseCauses() throws Exception {
        AtomicBoolean fails = new AtomicBoolean(true);
        CountDownLatch outputs = new CountDownLatch(4);
        Chain chain = Chain.named("apart")
                .then("s1", () -> (in, out) -> {
                    if (in.sequence() == 2 && fails.get()) {
                        throw new IllegalStateException("not yet");
                    }
                    fails.set(fails.get() && in.sequence() < 3);
                    out.forward(in);
                })
                .build();
        try (ChronicleTransport transport = ChronicleTransport.in(topics);
                Loops loops = Loops.cooperative(1);
                RunningChain running = chain.on(transport)
                        .with(loops)
                        .onError(ErrorPolicy.retry(60_000)
                                .after(Duration.ofMillis(1))
                                .perKey())
                        .onOutput(in -> outputs.countDown())
                        .start()) {
            for (int i = 0; i < 4; i++) {
                ByteBuffer key = ByteBuffer.allocate(1).put(0, (byte) (i % 2));
                running.inlet().send(ByteBuffer.allocate(PAYLOAD), new MessageFields().key(key));
            }
            assertThat(outputs.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(running.close(Duration.ofSeconds(20))).isTrue();
        }
        assertThat(laboratory.run("verify", topics.resolve("apart-1").toString()))
                .isZero();
        assertThat(laboratory.out()).contains("1 topic, 4 frames: clean");
    }

    @ParameterizedTest
    @ValueSource(strings = {"queue", "metadata.cq4t"})
    @Timeout(60)
    void aPipeIsRefusedInWords(String name) throws Exception {
        Path file =
                name.equals("queue") ? file("five-1") : topics.resolve("five-1").resolve(name);
        Files.delete(file);
        assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                .isZero();

        assertThat(laboratory.run("verify", topics.toString())).isEqualTo(3);
        assertThat(laboratory.complaints()).hasSize(1);
        assertThat(laboratory.complaints().get(0))
                .endsWith(": " + file.getFileName() + " is no regular file")
                .doesNotContain("Exception");
    }

    @Test
    @Timeout(60)
    void signalEndsReadingOfSparseFile() throws Exception {
        try (RandomAccessFile sparse = new RandomAccessFile(file("five-1").toFile(), "rw")) {
            sparse.setLength(1L << 40);
        }
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Console console =
                new Console(new PrintWriter(out), new PrintWriter(err), new Terminal(false, false, 100, false));
        Interruption interruption = new Interruption();
        FutureTask<Integer> verify =
                new FutureTask<>(() -> Operations.commandLine(console, KnownTransports.onClassPath(), interruption)
                        .execute("verify", topics.toString()));
        Thread reader = new Thread(verify, "verify");
        reader.start();
        await().until(() -> Stream.of(reader.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("search")));

        interruption.request();

        assertThat(verify.get(20, TimeUnit.SECONDS)).isEqualTo(130);
        assertThat(out.toString()).contains("five-0", "1 - 200", "2 topics, 200 frames: clean so far");
        assertThat(err.toString()).contains("baton: interrupted; the results so far are above");
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
    }

    private Path file(String topic) throws IOException {
        try (Stream<Path> files = Files.list(topics.resolve(topic))) {
            return files.filter(each -> each.toString().endsWith(".cq4"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** Where the excerpt with a frame of this sequence begins: one frame each, as each was sent alone. */
    private long excerpt(String topic, long sequence) throws IOException {
        byte[] bytes = Files.readAllBytes(file(topic));
        java.nio.ByteBuffer words = java.nio.ByteBuffer.wrap(bytes).order(java.nio.ByteOrder.LITTLE_ENDIAN);
        for (int at = 0; at < bytes.length - 24; at += 4) {
            if (words.getInt(at + 4) == ('B' | 'T' << 8 | 'N' << 16 | 1 << 24)
                    && words.getLong(at + 12) <= sequence
                    && words.getLong(at + 12) + words.getInt(at + 8) > sequence) {
                assertThat(words.getInt(at + 8)).as("frames").isEqualTo(1);
                return at;
            }
        }
        throw new AssertionError("no excerpt holds " + sequence);
    }

    private void alter(String topic, long sequence) throws IOException {
        long payload = excerpt(topic, sequence) + 4 + 24 + 40;
        write(file(topic), payload + 3, new byte[] {1});
    }

    private static void write(Path file, long at, byte[] bytes) throws IOException {
        try (java.nio.channels.FileChannel channel =
                java.nio.channels.FileChannel.open(file, java.nio.file.StandardOpenOption.WRITE)) {
            channel.write(java.nio.ByteBuffer.wrap(bytes), at);
        }
    }

    private Map<String, String> contents() throws IOException {
        Map<String, String> all = new TreeMap<>();
        try (Stream<Path> files = Files.walk(topics)) {
            for (Path file : files.toList()) {
                all.put(
                        file.toString(),
                        Files.isRegularFile(file)
                                ? Files.getLastModifiedTime(file) + " "
                                        + java.util.Arrays.hashCode(Files.readAllBytes(file))
                                : "");
            }
        }
        return all;
    }
}
