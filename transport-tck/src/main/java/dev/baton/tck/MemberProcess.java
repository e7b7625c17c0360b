package dev.baton.tck;

import dev.baton.partitions.PartitionChange;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;

/** A {@link GroupMemberMain} in a JVM of its own, which a test kills. Opened and closed by one thread. */
final class MemberProcess implements AutoCloseable {
    private static final long END_SECONDS = 10;

    private final Process process;
    private final Set<Integer> held = new ConcurrentSkipListSet<>();
    private final Thread listener;

    MemberProcess(
            String transport,
            String chain,
            String member,
            int partitions,
            Duration session,
            Map<String, String> options) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                "-cp",
                System.getProperty("java.class.path"),
                GroupMemberMain.class.getName(),
                transport,
                chain,
                member,
                Integer.toString(partitions),
                Long.toString(session.toMillis())));
        options.forEach((key, value) -> command.add(key + "=" + value));
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        listener = new Thread(this::listen, "member-process-listener");
        listener.setDaemon(true);
        listener.start();
    }

    /** The partitions that it said it holds. */
    Set<Integer> held() {
        return held;
    }

    /** Ends it as a crash would: nothing is passed on, stored or said. */
    void kill() {
        process.destroyForcibly();
        await();
    }

    /** Stops it with SIGSTOP: the process exists, but does nothing. */
    void pause() {
        signal("STOP");
    }

    /** Has it go on after {@link #pause}, as if nothing had been. */
    void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            Process sent = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
            if (sent.waitFor() != 0) {
                throw new AssertionError("kill -" + name + " failed");
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void listen() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ");
                int partition = Integer.parseInt(words[1]);
                if (words[0].equals(PartitionChange.Kind.ASSIGNED.name())) {
                    held.add(partition);
                } else {
                    held.remove(partition);
                }
            }
        } catch (IOException ended) {
            // with its process
        }
    }

    private void await() {
        try {
            process.waitFor(END_SECONDS, TimeUnit.SECONDS);
            listener.join(TimeUnit.SECONDS.toMillis(END_SECONDS));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        kill();
    }
}
