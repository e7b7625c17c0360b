package dev.baton.kafka.embedded;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An {@link EmbeddedKafka} in a JVM of its own, so that broker and client share neither heap nor JIT.
 *
 * <p>The child lives as long as this process holds its standard input: it ends when this object is closed and also when
 * this process dies without a word. Thread-safe.
 */
public final class BrokerProcess implements AutoCloseable {
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);

    /**
     * Why these: a broker's live set is tens of MB and its garbage dies young, so the serial collector's pauses are
     * short, and no collector threads compete with the clients for the few cores of the machines this is made for.
     * Starting from 256 MB avoids the full collections of a growing metaspace and heap during the start.
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
     * Ctrl-C reaches every process of a terminal. The broker ignores it and is ended by its parent in good order, after
     * the clients: a signal ignored by a shell stays ignored in what it executes, and a JVM respects that.
     */
    private static final List<String> DEAF_TO_KEYBOARD =
            List.of("/bin/sh", "-c", "trap '' INT; exec \"$@\"", "baton-broker");

    private final Process process;
    private final ChildOutput output;
    private final WorkDirectory directory;
    private final BrokerProcessOptions options;
    private String bootstrapServers = ""; // set once it is ready

    private BrokerProcess(Process process, WorkDirectory directory, BrokerProcessOptions options) {
        this.options = options;
        this.process = process;
        this.output = ChildOutput.of(process.getInputStream());
        this.directory = directory;
    }

    /** Starts one node over a temporary directory. */
    public static BrokerProcess start() {
        return start(BrokerProcessOptions.defaults());
    }

    /**
     * Starts the process and returns when its brokers take requests.
     *
     * @throws EmbeddedKafkaException when they do not within the start timeout: the text ends with the last lines that
     *     the process printed; it has been ended then
     */
    public static BrokerProcess start(BrokerProcessOptions options) {
        WorkDirectory directory = WorkDirectory.of(options.kafka().directory());
        try {
            BrokerProcess started = launch(options, directory, null);
            started.awaitReady(options.kafka().startTimeout());
            return started;
        } catch (RuntimeException failure) {
            directory.release();
            throw failure;
        }
    }

    /**
     * Starts the process and returns at once; {@link #awaitReady} has to follow.
     *
     * @param member the one node that it holds, of a cluster that the caller owns together with its directory; null: all
     *     nodes of a cluster of its own
     */
    static BrokerProcess launch(BrokerProcessOptions options, WorkDirectory directory, ChildSetup.Member member) {
        return new BrokerProcess(process(options, directory, member), directory, options);
    }

    /** Returns when its brokers take requests; ends the process and throws when they do not. */
    void awaitReady(Duration limit) {
        try {
            bootstrapServers = output.ready().get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failure) {
            kill();
            throw new EmbeddedKafkaException(
                    failure.getCause().getMessage() + "; it said last:" + System.lineSeparator() + output.tail());
        } catch (TimeoutException late) {
            kill();
            throw new EmbeddedKafkaException("the broker process was not ready within " + limit.toMillis()
                    + " ms; it said last:" + System.lineSeparator() + output.tail());
        } catch (InterruptedException interrupted) {
            kill();
            Thread.currentThread().interrupt();
            throw new EmbeddedKafkaException("interrupted while the broker process started", interrupted);
        }
    }

    /** Ends the process without a word and waits until it is gone. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Asks it to end in good order, and to leave even a temporary directory. */
    void askToStop() {
        try (OutputStream input = process.getOutputStream()) {
            input.write(EmbeddedKafkaMain.KEEP);
        } catch (IOException gone) {
            // the child ended first
        }
    }

    /** Waits for the end that was asked for, and brings it about after 30 seconds. */
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

    void stopAndKeep() {
        askToStop();
        awaitEnd();
    }

    /** Addresses of all nodes, as a client wants them. */
    public String bootstrapServers() {
        return bootstrapServers;
    }

    /** The authority whose certificates a client has to trust, PEM, until the close; empty when nothing is encrypted. */
    public Optional<Path> authority() {
        return directory.authority(options.kafka());
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** The last lines that the process printed, for error texts. */
    public String lastOutput() {
        return output.tail();
    }

    /** Ends the process, at first gently, after 30 seconds by force, and removes a temporary directory. Idempotent. */
    @Override
    public void close() {
        try {
            process.getOutputStream().close();
        } catch (IOException alreadyGone) {
            // the child ended first
        }
        awaitEnd();
        directory.release();
    }

    private static Process process(BrokerProcessOptions options, WorkDirectory directory, ChildSetup.Member member) {
        List<String> command = new ArrayList<>();
        if (Files.isExecutable(Path.of(DEAF_TO_KEYBOARD.get(0)))) {
            command.addAll(DEAF_TO_KEYBOARD);
        }
        command.addAll(member == null ? List.of() : options.launcher(member.node()));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM_FLAGS);
        command.add("-Xmx" + options.heapMegabytes() + "m");
        command.addAll(options.jvmFlags());
        command.add("-cp");
        command.add(ownClassPath());
        command.add(EmbeddedKafkaMain.class.getName());
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            Path absolute = directory.path().toAbsolutePath();
            send(process, new ChildSetup(options.kafka().withDirectory(absolute), directory.isTemporary(), member));
            return process;
        } catch (IOException failure) {
            throw new UncheckedIOException("the broker process could not be started: " + command, failure);
        }
    }

    /** A child that has ended already will be heard of. */
    private static void send(Process process, ChildSetup setup) {
        try {
            setup.send(process.getOutputStream());
        } catch (IOException gone) {
            // its output says why
        }
    }

    /** Class path and module path alike: in the child all of it is class path. */
    private static String ownClassPath() {
        return Stream.of("java.class.path", "jdk.module.path")
                .map(System::getProperty)
                .filter(path -> path != null && !path.isEmpty())
                .collect(Collectors.joining(File.pathSeparator));
    }

    /**
     * Reads what a child process says, on a daemon thread that ends with the child: waits for its ready line and keeps the
     * last lines for error texts. Thread-safe.
     */
    private static final class ChildOutput {
        private static final int LINES_KEPT = 40;

        private final Deque<String> tail = new ArrayDeque<>(); // guarded by itself
        private final CompletableFuture<String> ready = new CompletableFuture<>();

        static ChildOutput of(InputStream output) {
            ChildOutput reading = new ChildOutput();
            Thread thread = new Thread(() -> reading.read(output), "broker-process-output");
            thread.setDaemon(true);
            thread.start();
            return reading;
        }

        /** Completes with the bootstrap servers, or exceptionally when the child ends without having said them. */
        CompletableFuture<String> ready() {
            return ready;
        }

        /** The last lines, oldest first. */
        String tail() {
            synchronized (tail) {
                return String.join(System.lineSeparator(), tail);
            }
        }

        private void read(InputStream output) {
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(output, StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.startsWith(EmbeddedKafkaMain.READY)) {
                        ready.complete(line.substring(EmbeddedKafkaMain.READY.length()));
                    } else {
                        keep(line);
                    }
                }
            } catch (IOException closed) {
                keep(closed.toString());
            } finally {
                ready.completeExceptionally(new EmbeddedKafkaException("the broker process ended before it was ready"));
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
    }
}
