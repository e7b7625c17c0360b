package dev.baton.kafka.embedded;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The process of one node: a JVM that lives as long as this process holds its standard input, so that it ends also when this process is
 * killed. A daemon thread that ends with it reads its output and keeps the last lines for error texts. Thread-safe.
 */
final class BrokerProcess {
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);
    private static final int LINES_KEPT = 40;

    /**
     * The flags of the JVM. A broker's live set is tens of MB and most of its garbage is young, so the serial collector's pauses are short,
     * and no collector threads compete with the clients for the few cores of the machines for which this is meant. Starting from 256 MB
     * avoids the full collections of a growing metaspace and heap during the start.
     */
    private static final List<String> JVM_FLAGS = List.of(
            "-XX:+UseSerialGC",
            "-Xms256m",
            "-XX:MetaspaceSize=96m",
            "-XX:+ExitOnOutOfMemoryError",
            "-Xshare:auto",
            "-XX:-UsePerfData",
            "-Djava.awt.headless=true",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=error");

    /**
     * Ctrl-C reaches every process of a terminal. The broker ignores it, and its parent ends it in good order, after the clients: a signal
     * ignored by a shell is also ignored by the programs that it executes, and a JVM respects that.
     */
    private static final List<String> DEAF_TO_KEYBOARD =
            List.of("/bin/sh", "-c", "trap '' INT; exec \"$@\"", "baton-broker");

    private final Process process;
    private final Deque<String> tail = new ArrayDeque<>(); // guarded by itself
    private final CountDownLatch readyOrEnded = new CountDownLatch(1);
    private volatile boolean isReady;

    /** Starts the process and returns at once; {@link #awaitReady} has to follow. */
    BrokerProcess(BrokerProcessOptions options, int node, ChildSetup setup) {
        List<String> command = new ArrayList<>();
        if (Files.isExecutable(Path.of(DEAF_TO_KEYBOARD.get(0)))) {
            command.addAll(DEAF_TO_KEYBOARD);
        }
        command.addAll(options.launcher(node));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM_FLAGS);
        command.add("-Xmx" + options.heapMegabytes() + "m");
        command.addAll(options.jvmFlags());
        command.addAll(List.of("-cp", ownClassPath(), EmbeddedKafkaMain.class.getName()));
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException failure) {
            throw new UncheckedIOException("the broker process could not be started: " + command, failure);
        }
        try {
            setup.send(process.getOutputStream());
        } catch (IOException gone) {
            // it has ended already, and its output gives the reason
        }
        Thread reader = new Thread(this::read, "broker-process-output");
        reader.setDaemon(true);
        reader.start();
    }

    /** Returns the class path and the module path: both are the class path of the child. */
    private static String ownClassPath() {
        return Stream.of("java.class.path", "jdk.module.path")
                .map(System::getProperty)
                .filter(path -> path != null && !path.isEmpty())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.equals(EmbeddedKafkaMain.READY)) {
                    isReady = true;
                    readyOrEnded.countDown();
                } else {
                    keep(line);
                }
            }
        } catch (IOException closed) {
            keep(closed.toString());
        } finally {
            readyOrEnded.countDown();
        }
    }

    private void keep(String line) {
        synchronized (tail) {
            tail.addLast(line);
            if (tail.size() > LINES_KEPT) {
                tail.removeFirst();
            }
        }
    }

    /**
     * Returns when the node accepts requests; otherwise ends the process and throws.
     *
     * @param limit of the whole start, for the text
     */
    void awaitReady(long deadlineNanos, Duration limit) {
        try {
            if (!readyOrEnded.await(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                throw failed("the broker process was not ready within " + limit.toMillis() + " ms");
            }
            if (!isReady) {
                throw failed("the broker process ended before it was ready");
            }
        } catch (InterruptedException interrupted) {
            kill();
            Thread.currentThread().interrupt();
            throw new EmbeddedKafkaException("interrupted while the broker process started", interrupted);
        }
    }

    private EmbeddedKafkaException failed(String what) {
        kill();
        return new EmbeddedKafkaException(what + "; its last output:" + System.lineSeparator() + lastOutput());
    }

    /** The last lines that the process printed, oldest first. */
    String lastOutput() {
        synchronized (tail) {
            return String.join(System.lineSeparator(), tail);
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Kills the process and waits until it has ended. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    void askToStop() {
        try (OutputStream input = process.getOutputStream()) {
            input.write(EmbeddedKafkaMain.STOP);
        } catch (IOException gone) {
            // the child ended first
        }
    }

    /** Waits for the requested end, and forces it after 30 seconds. */
    void awaitEnd() {
        boolean ended = false;
        try {
            ended = process.waitFor(STOP_LIMIT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        if (!ended) {
            kill();
        }
    }
}
