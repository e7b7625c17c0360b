package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chronicle.ChronicleOptions.Retention;
import dev.baton.chronicle.ChronicleOptions.Roll;
import dev.baton.chronicle.consumers.TailerPosition;
import dev.baton.chronicle.directory.TopicHistory;
import dev.baton.chronicle.format.FileDefect;
import dev.baton.chronicle.format.StoredMetadata;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.options.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import net.openhft.chronicle.core.time.SetTimeProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * With {@code durability=host} all that a writer has confirmed is left when the power fails, which leaves only what was synced: see
 * {@link LosablePower}.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "a library that records syncs is loaded before the C library's")
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PowerFailureTest {
    private static final ChronicleOptions OPTIONS = Topic.SMALL
            .with(ChronicleOptions.INDEX_COUNT, 64)
            .with(ChronicleOptions.INDEX_SPACING, 4)
            .with(ChronicleOptions.ROLL, Roll.FIVE_MINUTELY)
            .with(ChronicleOptions.BATCH, 1_000)
            .with(ChronicleOptions.DURABILITY, Durability.HOST);

    private final TemporaryDirectory directory = new TemporaryDirectory();
    private final Map<Scenario, List<String>> lines = new EnumMap<>(Scenario.class);

    @BeforeAll
    void runChild() throws IOException, InterruptedException {
        List<String> others = new ArrayList<>();
        try (QueueProcess child = QueueProcess.start(LosablePower.environment(directory.path()), Writing.class)) {
            for (String line = child.line(); line != null; line = child.line()) {
                String[] words = line.split(": ", 2);
                if (Arrays.stream(Scenario.values())
                        .anyMatch(each -> each.name().equals(words[0]))) {
                    lines.computeIfAbsent(Scenario.valueOf(words[0]), none -> new ArrayList<>())
                            .add(words[1]);
                } else {
                    others.add(line);
                }
            }
            assertThat(child.exitCode())
                    .as("of the child, which printed %s", others)
                    .isZero();
        }
    }

    @AfterAll
    void remove() {
        directory.close();
    }

    /** Writes before the power fails. */
    enum Scenario {
        SINGLE_EXCERPTS(number -> 10) {
            @Override
            void run(Writing writing) {
                for (int i = 0; i < 30; i++) {
                    writing.flush(1);
                }
            }
        },
        FLUSHES_OVER_SEVERAL_BLOCKS(number -> 1_000) {
            @Override
            void run(Writing writing) {
                writing.flush(512);
                writing.flush(1);
                writing.flush(512);
            }
        },
        FRAMES_AS_LONG_AS_A_BLOCK(number -> 65_408) {
            @Override
            void run(Writing writing) {
                writing.flush(1);
                writing.flush(5);
                writing.flush(1);
            }
        },
        NEW_FILES(number -> 3_000) {
            @Override
            void run(Writing writing) {
                for (int i = 0; i < 3; i++) {
                    writing.flush(1);
                    writing.flush(100);
                    writing.clock.advanceMillis(TimeUnit.MINUTES.toMillis(6));
                }
                writing.flush(100);
            }
        },
        OPENED_AGAIN(number -> 3_000) {
            @Override
            void run(Writing writing) {
                writing.flush(100);
                writing.reopen(OPTIONS.with(ChronicleOptions.DURABILITY, Durability.PROCESS));
                writing.topic.reader();
                writing.write(100);
                writing.clock.advanceMillis(TimeUnit.MINUTES.toMillis(6));
                writing.write(100);
                writing.reopen(OPTIONS);
                writing.losePower(); // what a writer finds, it confirms
                writing.flush(1);
                writing.clock.advanceMillis(TimeUnit.MINUTES.toMillis(6));
                writing.reopen(OPTIONS);
                writing.flush(1);
            }
        },
        MANY_INPUTS(number -> 10) {
            @Override
            void run(Writing writing) {
                for (int i = 0; i < 1_200; i++) {
                    writing.writer.answers(new InputRef(1 + i, 1 + i));
                    writing.write(1);
                }
                writing.losePower();
            }
        },
        READ_AND_FREED(number -> 1_000) {
            @Override
            ChronicleOptions options() {
                return OPTIONS.with(ChronicleOptions.RETENTION, Retention.UNREAD);
            }

            @Override
            void run(Writing writing) {
                TopicReader late = writing.topic.connection.openReader(Topic.NAME, LATE);
                TopicReader reader = writing.topic.reader();
                writing.losePower();
                for (int i = 0; i < 40; i++) {
                    writing.write(50);
                    Topic.poll(reader, Integer.MAX_VALUE);
                    reader.acknowledge(writing.writer.sequence());
                    if (i < 30) {
                        Topic.poll(late, Integer.MAX_VALUE);
                        late.acknowledge(writing.writer.sequence());
                    }
                    if (i % 13 == 12) {
                        writing.losePower();
                    }
                }
                writing.losePower();
            }
        },
        SYNC_OF_HISTORY_FAILED(number -> 10) {
            @Override
            void run(Writing writing) {
                for (int i = 1; PAGE - writing.historyBytes() % PAGE > SHORT_LINE; i++) {
                    writing.writer.answers(new InputRef(i, i));
                }
                LosablePower.failSyncs(1);
                writing.attempt("a line over two pages", () -> writing.writer.answers(new InputRef(-1, -1)));
                writing.reopen(OPTIONS);
                writing.losePower();
            }
        },
        SYNC_FAILED(number -> 1_000) {
            @Override
            void run(Writing writing) {
                writing.flush(100);
                writing.failSync(512);
                writing.reopen(OPTIONS);
                writing.losePower(); // what the failed flush wrote is confirmed now
                writing.flush(1);
            }
        },
        SYNC_OF_NEW_FILE_FAILED(number -> 10) {
            @Override
            void run(Writing writing) {
                writing.flush(1);
                writing.clock.advanceMillis(TimeUnit.MINUTES.toMillis(6));
                writing.failSync(1);
                writing.reopen(OPTIONS);
                writing.losePower();
            }
        };

        static final String LATE = "late";
        private static final int PAGE = 4 << 10;
        private static final int SHORT_LINE =
                20; // of the history, where a line of the longest numbers has twice as many bytes

        private final LongFunction<Integer> size;

        Scenario(LongFunction<Integer> size) {
            this.size = size;
        }

        ChronicleOptions options() {
            return OPTIONS;
        }

        abstract void run(Writing writing);

        String text(long number) {
            String text = Long.toString(number);
            return text + " ".repeat(size.apply(number) - text.length());
        }

        List<String> texts(long from, long to) {
            return LongStream.rangeClosed(from, to).mapToObj(this::text).toList();
        }
    }

    @ParameterizedTest
    @EnumSource
    void confirmedFramesSurvive(Scenario scenario) {
        List<String> images = lines.get(scenario).stream()
                .filter(line -> line.matches("[0-9]+ /.*"))
                .toList();
        assertThat(images).isNotEmpty();
        for (String image : images) {
            String[] words = image.split(" ", 2);
            requireConfirmed(scenario, Long.parseLong(words[0]), Path.of(words[1]));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SYNC_FAILED", "SYNC_OF_NEW_FILE_FAILED"})
    void aWriterEndsAtTheFirstFailedSync(Scenario scenario) {
        String failed = " failed, Input/output error; check the storage device, then open it again";
        assertThat(lines.get(scenario))
                .containsSequence(
                        "flush" + failed,
                        "stored stays",
                        "flush" + failed,
                        "claim" + failed,
                        "stored stays",
                        "open" + failed);
    }

    private static void requireConfirmed(Scenario scenario, long confirmed, Path image) {
        try (Topic topic = Topic.in(image, OPTIONS.with(ChronicleOptions.DURABILITY, Durability.PROCESS))) {
            List<TopicReader> readers = List.of(topic.reader(), topic.connection.openReader(Topic.NAME, Scenario.LATE));
            TopicWriter writer = topic.writer();
            assertThat(writer.sequence()).as("newest frame in %s", image).isEqualTo(confirmed);
            for (TopicReader reader : readers) {
                assertThat(reader.found().acknowledged()).isBetween(0L, confirmed);
                assertThat(Topic.poll(reader, Integer.MAX_VALUE))
                        .isEqualTo(scenario.texts(reader.found().acknowledged() + 1, confirmed));
            }
            Topic.write(writer, "next");
            assertThat(Topic.poll(readers.get(0), Integer.MAX_VALUE)).containsExactly("next");
        }
    }

    /** Writes in a process that records its syncs, and prints what is confirmed and a directory that holds what is left. */
    static final class Writing implements AutoCloseable {
        final SetTimeProvider clock = new SetTimeProvider(TimeUnit.SECONDS.toNanos(1_800_000_000));
        private final Scenario scenario;
        private final Path directory;
        private int losses;
        Topic topic;
        TopicWriter writer;

        private Writing(Scenario scenario) {
            this.scenario = scenario;
            directory = LosablePower.root().resolve(scenario.name()).resolve("topics");
            open(scenario.options());
        }

        public static void main(String[] arguments) {
            for (Scenario scenario : Scenario.values()) {
                try (Writing writing = new Writing(scenario)) {
                    scenario.run(writing);
                }
            }
        }

        private void open(ChronicleOptions options) {
            topic = Topic.over(TestTransports.in(directory, options, clock));
            writer = topic.writer();
        }

        void reopen(ChronicleOptions options) {
            topic.close();
            open(options);
        }

        void write(int frames) {
            long before = writer.sequence();
            Topic.write(writer, scenario.texts(before + 1, before + frames).toArray(String[]::new));
        }

        void flush(int frames) {
            write(frames);
            losePower();
        }

        void losePower() {
            Path image = LosablePower.lose(directory, LosablePower.root().resolveSibling(scenario + "-" + ++losses));
            print(writer.storedSequence() + " " + image);
            requireStored(image);
        }

        /** Requires what the topic's own files hold beside frames. */
        private void requireStored(Path image) {
            Path there = directory.resolve(Topic.NAME);
            Path left = image.resolve(Topic.NAME);
            try {
                if (Files.mismatch(history(there), history(left)) >= 0) {
                    throw new AssertionError("the history is " + Files.readString(history(left)) + ", and was "
                            + Files.readString(history(there)));
                }
                if (!consumers(left).containsAll(consumers(there))) {
                    throw new AssertionError("the consumers are " + consumers(left) + ", and were " + consumers(there));
                }
            } catch (IOException | FileDefect e) {
                throw new AssertionError(e);
            }
        }

        private static Path history(Path topic) {
            return topic.resolve(TopicHistory.FILE);
        }

        private static Set<String> consumers(Path topic) throws IOException, FileDefect {
            return StoredMetadata.positions(topic, TailerPosition.PREFIX).keySet();
        }

        long historyBytes() {
            return history(directory.resolve(Topic.NAME)).toFile().length();
        }

        /** One sync fails while it writes, then none while it goes on, then all while the next writer opens. */
        void failSync(int frames) {
            long stored = writer.storedSequence();
            LosablePower.failSyncs(1);
            attempt("flush", () -> write(frames));
            printStored(stored);
            attempt("flush", writer::flush);
            attempt("claim", () -> writer.claim(1));
            printStored(stored);
            LosablePower.failSyncs(1_000);
            attempt("open", () -> reopen(OPTIONS));
            LosablePower.failSyncs(0);
        }

        private void printStored(long before) {
            print(writer.storedSequence() == before ? "stored stays" : "stored moved");
        }

        void attempt(String what, Runnable action) {
            try {
                action.run();
                print(what + " succeeded");
            } catch (TransportException e) {
                print(what + " failed, " + e.getMessage().replaceAll(".*: | \\(.*", ""));
            }
        }

        private void print(String line) {
            System.out.println(scenario + ": " + line);
        }

        @Override
        public void close() {
            topic.close();
        }
    }
}
