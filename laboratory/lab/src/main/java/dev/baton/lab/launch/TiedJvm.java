package dev.baton.lab.launch;

import dev.baton.lab.launch.jvm.FixedLocale;
import dev.baton.measuring.Threads;
import dev.baton.operations.line.CommandException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A child JVM that ends when its standard input does, and so with this process, and that says in a line when it is
 * ready. It can be asked to end, or killed. Confined to one thread, but for {@link #requestStop}, {@link #isAlive} and what
 * takes its lines.
 */
public final class TiedJvm implements AutoCloseable {
    private static final long CLOSE_SECONDS = 15;
    private static final long STEP_MILLIS = 20;

    private final String name;
    private final Process process;
    private final CountDownLatch ready = new CountDownLatch(1);
    private final Thread reader;
    private volatile String last = "nothing";

    private TiedJvm(String name, Process process, String readyMark, Consumer<String> lines, Runnable onEnd) {
        this.name = name;
        this.process = process;
        reader = new Thread(() -> read(readyMark, lines, onEnd), "baton-child-output");
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Starts it; returns at once.
     *
     * @param name for error texts
     * @param jvm its executable, flags, class path, main class and arguments
     * @param readyMark part of the line that reports it as ready
     * @param lines receives its output, on one of our threads
     * @throws CommandException when it cannot be started
     */
    public static TiedJvm start(String name, List<String> jvm, String readyMark, Consumer<String> lines) {
        return start(name, jvm, null, readyMark, lines, () -> {});
    }

    /**
     * Starts it.
     *
     * @param errors file that receives its standard error; null: it is among the lines
     * @param onEnd called after the last line, by the same thread
     */
    static TiedJvm start(
            String name, List<String> jvm, Path errors, String readyMark, Consumer<String> lines, Runnable onEnd) {
        ProcessBuilder builder = new ProcessBuilder(deafToSigint(jvm)).redirectErrorStream(errors == null);
        if (errors != null) {
            builder.redirectError(errors.toFile());
        }
        FixedLocale.apply(builder.environment());
        Process process = CommandException.guarded("cannot start " + name, builder::start);
        return new TiedJvm(name, process, readyMark, lines, onEnd);
    }

    /**
     * Returns a command whose process ignores SIGINT, which the terminal sends to all of its processes: this process stops the
     * child in order. A signal ignored by a shell stays ignored in what it executes, and a JVM respects that.
     */
    private static List<String> deafToSigint(List<String> command) {
        List<String> whole = new ArrayList<>(List.of("/bin/sh", "-c", "trap '' INT; exec \"$@\"", "baton-child"));
        whole.addAll(command);
        return whole;
    }

    private void read(String readyMark, Consumer<String> lines, Runnable onEnd) {
        try (BufferedReader said =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                last = line;
                lines.accept(line);
                if (line.contains(readyMark)) {
                    ready.countDown();
                }
            }
        } catch (IOException gone) {
            // the end, too
        }
        onEnd.run();
    }

    /** Writes a line to its standard input, for secrets that must be in no file and on no command line. */
    public void confide(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException gone) {
            // it has ended already, and will be heard of
        }
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** {@return whether it has reported that it is ready} */
    public boolean isReady() {
        return ready.getCount() == 0;
    }

    /** {@return its exit and its last output, for error texts; after its end} */
    public String lastOutput() {
        return "ended with status " + process.exitValue() + "; its last output: " + last;
    }

    /**
     * Waits until it is ready.
     *
     * @param isStopRequested whether the command is to end
     * @throws CommandException when it ends before that, takes too long, or the command is interrupted
     */
    public void awaitReady(long nanos, BooleanSupplier isStopRequested) throws InterruptedException {
        long deadline = System.nanoTime() + nanos;
        while (!ready.await(STEP_MILLIS, TimeUnit.MILLISECONDS)) {
            if (!process.isAlive()) {
                throw CommandException.environment(name + " " + lastOutput());
            }
            if (isStopRequested.getAsBoolean()) {
                throw CommandException.environment("interrupted while services were starting");
            }
            if (deadline - System.nanoTime() < 0) {
                throw CommandException.environment(name + " was not ready within "
                        + Math.max(1, TimeUnit.NANOSECONDS.toSeconds(nanos)) + " s; its last output: " + last);
            }
        }
    }

    /** Requests its end by closing its standard input; returns at once. Thread-safe. */
    public void requestStop() {
        try {
            process.getOutputStream().close();
        } catch (IOException gone) {
            // it has ended already
        }
    }

    /** Sends SIGTERM and nothing else; returns at once. {@link Process#destroy} would close its streams as well. */
    public void terminate() {
        process.toHandle().destroy();
    }

    /** Kills it with SIGKILL and waits for its end. */
    public void kill() {
        process.toHandle().destroyForcibly();
        process.onExit().join();
    }

    /** Waits until its last line was read; after its end. */
    public void awaitOutput() {
        Threads.awaitEnd(reader, TimeUnit.SECONDS.toMillis(CLOSE_SECONDS));
    }

    /** {@return its exit status; after its end} */
    public int exitValue() {
        return process.exitValue();
    }

    /**
     * Waits for its end, which has been asked for; kills it when that takes too long.
     *
     * @return whether it ended by itself
     */
    public boolean awaitEnd(long nanos) {
        try {
            if (process.waitFor(Math.max(0, nanos), TimeUnit.NANOSECONDS)) {
                return true;
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        kill();
        return false;
    }

    /** Asks it to end, and kills it when it does not within 15 s. Idempotent. */
    @Override
    public void close() {
        requestStop();
        awaitEnd(TimeUnit.SECONDS.toNanos(CLOSE_SECONDS));
    }
}
