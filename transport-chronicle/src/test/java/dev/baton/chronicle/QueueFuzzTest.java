package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chronicle.platform.RuntimeRequirements;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Spoilt copies of a topic's files, opened in a JVM of their own: each is read, or told with its place; no JVM ends or
 * hangs over one, and no frame comes out that was not written. How many, and from which seed:
 * {@code -Dbaton.fuzz.inputs=1000000 -Dbaton.fuzz.seed=1}; Chronicle itself opens one for every thousand, at least 60.
 */
@Tag("fuzz")
@Tag("long")
class QueueFuzzTest {
    private static final long INPUTS = Long.getLong("baton.fuzz.inputs", 1_000);
    private static final long SEED = Long.getLong("baton.fuzz.seed", 1);
    private static final long LONGEST_SILENCE_SECONDS = 60;
    private static final List<String> SMALL = List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    @Test
    void aSpoiltTopicIsInspectedToItsEnd() throws Exception {
        assertThat(bad("inspect", INPUTS)).isEmpty();
    }

    @Test
    void aSpoiltTopicIsUsedOrRefused() throws Exception {
        assertThat(bad("all", Math.max(60, INPUTS / 1000))).isEmpty();
    }

    private static List<String> bad(String how, long inputs) throws Exception {
        List<String> flags =
                new ArrayList<>(RuntimeRequirements.jvmFlags(Runtime.version().feature()));
        flags.addAll(SMALL);
        List<String> bad = new ArrayList<>();
        ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor();
        try (TemporaryDirectory directory = new TemporaryDirectory();
                QueueProcess child = QueueProcess.start(
                        flags,
                        QueueFuzz.class,
                        directory.path().toString(),
                        Long.toString(SEED),
                        Long.toString(inputs),
                        how)) {
            AtomicLong heardNanos = new AtomicLong(System.nanoTime());
            watch.scheduleAtFixedRate(
                    () -> {
                        if (System.nanoTime() - heardNanos.get() > TimeUnit.SECONDS.toNanos(LONGEST_SILENCE_SECONDS)) {
                            ProcessHandle.of(child.pid()).ifPresent(ProcessHandle::destroyForcibly);
                        }
                    },
                    1,
                    1,
                    TimeUnit.SECONDS);
            String last = "nothing";
            for (String line = child.line(); line != null; line = child.line()) {
                heardNanos.set(System.nanoTime());
                if (line.startsWith("BAD")) {
                    bad.add(line);
                }
                last = line;
            }
            assertThat(last).as("the last line of a JVM that crashed or hung").startsWith("END");
            assertThat(child.exitCode()).isZero();
        } finally {
            watch.shutdownNow();
        }
        return bad;
    }
}
