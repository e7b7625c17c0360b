package dev.baton.lab.launch;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Programs of this machine that are no JVMs: a run to its end, and a shell that holds something of the machine for as long as it lives. The
 * waits for both are limited, and none outlives this process. Immutable; a shell is confined to one thread.
 *
 * @param status exit status
 * @param output without blanks at the ends
 * @param errors the same of its standard error
 */
public record Tool(int status, String output, String errors) {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    /**
     * Runs a program without input. Blocks until it has ended, for 10 s at most.
     *
     * @throws IOException when it cannot be started, does not end in time and was killed, or this thread was interrupted
     */
    public static Tool run(List<String> command) throws IOException {
        return run(command, LIMIT);
    }

    /** Runs a program as above, with another limit. */
    public static Tool run(List<String> command, Duration limit) throws IOException {
        Process process = new ProcessBuilder(command).start();
        CompletableFuture<String> output = text(process.getInputStream());
        CompletableFuture<String> errors = text(process.getErrorStream());
        try {
            process.getOutputStream().close();
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException(command.get(0) + " did not end within " + limit.toSeconds() + " s");
            }
            // a child of it may keep its streams open
            return new Tool(
                    process.exitValue(),
                    output.completeOnTimeout("", limit.toMillis(), TimeUnit.MILLISECONDS)
                            .join(),
                    errors.completeOnTimeout("", limit.toMillis(), TimeUnit.MILLISECONDS)
                            .join());
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(command.get(0) + ": interrupted");
        } finally {
            process.destroyForcibly();
        }
    }

    private static CompletableFuture<String> text(InputStream stream) {
        return CompletableFuture.supplyAsync(() -> {
                    try {
                        return new String(stream.readAllBytes(), StandardCharsets.UTF_8).strip();
                    } catch (IOException gone) {
                        throw new UncheckedIOException(gone);
                    }
                })
                .exceptionally(gone -> "");
    }

    /** {@return whether it succeeded} */
    public boolean isOk() {
        return status == 0;
    }

    /** {@return what it printed, errors last} */
    public String all() {
        return (output + "\n" + errors).strip();
    }

    /**
     * A shell that makes something of this machine, prints one line, and removes what it made when its standard input ends, and so also
     * when this process is killed.
     */
    public static final class Holder implements AutoCloseable {
        private final Process shell;
        private final String line;

        /**
         * Starts it, and waits for its line, for 10 s at most.
         *
         * @param script that ignores the signals of a keyboard, and reads its standard input to the end before it cleans up
         * @param arguments of the script, its name first
         */
        public Holder(String script, String... arguments) throws IOException {
            List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", script));
            command.addAll(List.of(arguments));
            shell = new ProcessBuilder(command).redirectErrorStream(true).start();
            line = CompletableFuture.supplyAsync(
                            () -> shell.inputReader().lines().findFirst().orElse(null))
                    .completeOnTimeout(null, LIMIT.toSeconds(), TimeUnit.SECONDS)
                    .exceptionally(gone -> null)
                    .join();
        }

        /** {@return its first line without blanks at the ends; null if it printed none in time} */
        public String line() {
            return line == null ? null : line.strip();
        }

        public long pid() {
            return shell.pid();
        }

        /** Lets it clean up, and waits for its end, for 10 s at most. Idempotent. */
        @Override
        public void close() {
            try {
                shell.getOutputStream().close();
            } catch (IOException gone) {
                // it has ended already
            }
            try {
                if (!shell.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                    shell.destroyForcibly();
                }
            } catch (InterruptedException hurried) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
