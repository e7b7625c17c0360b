package dev.baton.lab.launch;

import dev.baton.lab.launch.jvm.JvmProbe;
import dev.baton.lab.protocol.Event;
import dev.baton.lab.results.Json;
import dev.baton.operations.line.CommandException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A JVM of our own that reports {@link Event}s on its standard output, a JSON object per line, until it ends.
 *
 * <p>Closing its standard input requests its stop, which also happens when this process ends. A signal from the keyboard reaches every
 * process of the terminal; the child ignores it, so that this process stops it in good order and it can still write its results. {@link
 * #stop} may be called by any thread, everything else by one.
 */
final class ChildJvm implements AutoCloseable {
    private static final Duration PATIENCE_AFTER_STOP = Duration.ofSeconds(15);
    private static final Duration PATIENCE_AT_END = Duration.ofSeconds(10);
    private static final String READY = "\"ready\"";
    private static final String END = "";

    private final TiedJvm jvm;
    private final Path errors;
    private final Duration longestSilence;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private volatile long stoppedAtNanos;
    private volatile boolean isStopping;

    /**
     * Starts a child.
     *
     * @param command executable and arguments
     * @param confidence a line for its standard input; null for none
     * @param errors file that receives its standard error
     * @param longestSilence after which it counts as hung
     * @throws CommandException when it cannot be started
     */
    ChildJvm(List<String> command, String confidence, Path errors, Duration longestSilence) {
        this.errors = errors;
        this.longestSilence = longestSilence;
        jvm = TiedJvm.start(command.get(0), command, errors, READY, this::enter, () -> lines.add(END));
        if (confidence != null) {
            jvm.confide(confidence);
        }
    }

    private void enter(String line) {
        if (!line.isEmpty()) {
            lines.add(line);
        }
    }

    /**
     * Waits for its end.
     *
     * @param onProgress called for each sign of life, by this thread
     * @return the last event: a result, or why there is none
     */
    Event await(Consumer<Event.Progress> onProgress) throws InterruptedException {
        Event last = null;
        String chatter = "";
        long heardAt = System.nanoTime();
        while (true) {
            String line = lines.poll(200, TimeUnit.MILLISECONDS);
            // A child that still prints and runs on is ended like a silent one.
            if (isOverdue() && (line == null || !line.equals(END) && jvm.isAlive())) {
                Event newest = line == null ? null : parse(line);
                if (newest instanceof Event.Result) {
                    return newest;
                }
                return last != null
                        ? last
                        : failure("did not stop within " + PATIENCE_AFTER_STOP.toSeconds() + " s and was ended");
            }
            if (line == null) {
                if (System.nanoTime() - heardAt > longestSilence.toNanos()) {
                    return failure("had no output for " + longestSilence.toSeconds() + " s and was ended");
                }
                continue;
            }
            heardAt = System.nanoTime();
            if (line.equals(END)) {
                return last != null ? last : failure("ended " + how() + complaint(chatter));
            }
            Event event = parse(line);
            if (event == null) {
                chatter = line;
            } else if (event instanceof Event.Progress progress) {
                onProgress.accept(progress);
            } else if (event instanceof Event.Result || event instanceof Event.Failed) {
                last = event;
            }
        }
    }

    private boolean isOverdue() {
        return isStopping && System.nanoTime() - stoppedAtNanos > PATIENCE_AFTER_STOP.toNanos();
    }

    long pid() {
        return jvm.pid();
    }

    /** Requests its end, and returns at once. */
    void stop() {
        if (!isStopping) {
            stoppedAtNanos = System.nanoTime();
            isStopping = true;
        }
        jvm.requestStop();
    }

    /** Kills it unless it has ended. */
    @Override
    public void close() {
        stop();
        boolean isStuck = System.nanoTime() - stoppedAtNanos > PATIENCE_AFTER_STOP.toNanos();
        jvm.awaitEnd(isStuck ? 0 : PATIENCE_AT_END.toNanos());
    }

    private static Event parse(String line) {
        try {
            return Json.parse(line, Event.class);
        } catch (IllegalArgumentException chatter) {
            return null; // a library that prints, or the JVM itself when it runs out of memory
        }
    }

    private static Event failure(String what) {
        return new Event.Failed(CommandException.Kind.FAILURE, "its JVM " + what);
    }

    private String how() {
        return jvm.awaitEnd(PATIENCE_AT_END.toNanos())
                ? "with status " + jvm.exitValue() + " before it had a result"
                : "its output before it had a result";
    }

    /** Returns the line of its standard error that most likely states the reason, or else its last line that was no event. */
    private String complaint(String chatter) {
        try {
            List<String> said = Files.readAllLines(errors, StandardCharsets.ISO_8859_1).stream()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.equals(JvmProbe.NO_START))
                    .toList();
            return said.stream()
                    .filter(line ->
                            line.contains("Error") || line.contains("Unrecognized") || line.contains("Exception"))
                    .findFirst()
                    .or(() -> said.stream().findFirst())
                    .or(() -> Optional.of(chatter).filter(line -> !line.isEmpty()))
                    .map(line -> ": " + line)
                    .orElse("");
        } catch (IOException unreadable) {
            return "";
        }
    }
}
