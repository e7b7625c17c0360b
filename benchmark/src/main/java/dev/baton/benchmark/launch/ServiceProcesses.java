package dev.baton.benchmark.launch;

import dev.baton.benchmark.plan.Subject;
import dev.baton.benchmark.plan.TrialPlan;
import dev.baton.benchmark.result.ResultText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The services of one trial's chain, each in a JVM of its own that runs {@code baton service}. They end when this is
 * closed, and also when this process dies. Confined to one thread, but for {@link #stop}.
 */
final class ServiceProcesses implements AutoCloseable {
    private static final String MAIN = "dev.baton.benchmark.Baton";
    private static final String RUNNING = " running";
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(15);

    /** A signal from the keyboard is for us; see {@link ChildJvm}. */
    private static final List<String> DEAF_TO_KEYBOARD =
            List.of("/bin/sh", "-c", "trap '' INT; exec \"$@\"", "baton-service");

    private final List<OneService> all = new ArrayList<>();

    private ServiceProcesses() {}

    /**
     * Starts a process for each service of the plan's chain and waits until all are ready.
     *
     * @param plan complete, with the name of its chain
     * @param scratch for their arguments, which may hold secrets and so are in no process list, and what they say
     * @param isHurried whether somebody wants it all to end
     * @throws Refusal when one of them cannot start; then none is left
     */
    static ServiceProcesses start(PlannedTrial trial, TrialPlan plan, Path scratch, BooleanSupplier isHurried) {
        ServiceProcesses started = new ServiceProcesses();
        try {
            for (int service = 1; service <= plan.shape().services(); service++) {
                started.all.add(OneService.start(trial, plan, service, scratch));
            }
            long deadline = System.nanoTime() + START_LIMIT.toNanos();
            for (OneService each : started.all) {
                each.awaitRunning(deadline - System.nanoTime(), isHurried);
            }
            return started;
        } catch (InterruptedException hurried) {
            started.close();
            Thread.currentThread().interrupt();
            throw Refusal.environment("interrupted while services were starting");
        } catch (RuntimeException refused) {
            started.close();
            throw refused;
        }
    }

    List<Long> pids() {
        return all.stream().map(each -> each.process.pid()).toList();
    }

    /** Asks all to end, and returns at once. Thread-safe. */
    void stop() {
        all.forEach(OneService::stop);
    }

    /** Ends all; by force who does not within {@link #STOP_LIMIT}. */
    @Override
    public void close() {
        stop();
        long deadline = System.nanoTime() + STOP_LIMIT.toNanos();
        all.forEach(each -> each.end(deadline - System.nanoTime()));
    }

    /** One of them, and what it said last. */
    private static final class OneService {
        private final int number;
        private final Process process;
        private final CountDownLatch running = new CountDownLatch(1);
        private volatile String last = "nothing";

        private OneService(int number, Process process) {
            this.number = number;
            this.process = process;
            Thread reader = new Thread(this::read, "baton-service-output");
            reader.setDaemon(true);
            reader.start();
        }

        static OneService start(PlannedTrial trial, TrialPlan plan, int number, Path scratch) {
            Path arguments = scratch.resolve("service-" + number + ".args");
            List<String> command = new ArrayList<>(DEAF_TO_KEYBOARD);
            command.add(trial.jvm().executable().toString());
            try {
                command.addAll(ConfidedFlags.of(trial.flags(), scratch));
                command.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN, "service", "@" + arguments));
                ResultText.write(arguments, String.join("\n", arguments(plan, number)) + "\n");
                return new OneService(
                        number,
                        new ProcessBuilder(command).redirectErrorStream(true).start());
            } catch (IOException failed) {
                throw new Refusal(
                        Refusal.Kind.ENVIRONMENT,
                        "cannot start service " + number + ": " + failed.getMessage(),
                        failed);
            }
        }

        /** One per line, as picocli reads them from a file. */
        private static List<String> arguments(TrialPlan plan, int number) {
            Subject subject = plan.subject();
            List<String> arguments = new ArrayList<>(List.of(
                    "--tied",
                    "--chain=" + plan.place().spread().chain(),
                    "--services=" + plan.shape().services(),
                    "--only=" + number,
                    "--instances=" + plan.shape().instances(),
                    "--transport=" + subject.transport(),
                    "--threading=" + plan.loops().threading(),
                    "--idle=" + plan.loops().idle()));
            if (plan.loops().withinNanos() > 0) {
                arguments.add("--within=" + plan.loops().withinNanos() + "ns");
            }
            subject.options().forEach((key, value) -> {
                arguments.add("-o");
                arguments.add(quoted(key + "=" + value));
            });
            return arguments;
        }

        /** An argument with blanks or quotes, as an argument file wants it. */
        private static String quoted(String argument) {
            return "\"" + argument.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
        }

        private void read() {
            try (BufferedReader said =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                for (String line = said.readLine(); line != null; line = said.readLine()) {
                    last = line;
                    if (line.contains(RUNNING)) {
                        running.countDown();
                    }
                }
            } catch (IOException gone) {
                // the end, too
            }
        }

        void awaitRunning(long nanos, BooleanSupplier isHurried) throws InterruptedException {
            long deadline = System.nanoTime() + nanos;
            while (!running.await(100, TimeUnit.MILLISECONDS)) {
                if (!process.isAlive()) {
                    throw new Refusal(
                            Refusal.Kind.ENVIRONMENT,
                            "service " + number + " ended with status " + process.exitValue() + "; it said: " + last);
                }
                if (isHurried.getAsBoolean()) {
                    throw Refusal.environment("interrupted while services were starting");
                }
                if (deadline - System.nanoTime() < 0) {
                    throw new Refusal(
                            Refusal.Kind.ENVIRONMENT,
                            "service " + number + " was not ready within " + START_LIMIT.toSeconds() + " s; it said: "
                                    + last);
                }
            }
        }

        void stop() {
            try {
                process.getOutputStream().close(); // it is tied to its input
            } catch (IOException gone) {
                // it has ended already
            }
        }

        void end(long nanos) {
            try {
                if (!process.waitFor(Math.max(0, nanos), TimeUnit.NANOSECONDS)) {
                    process.destroyForcibly().waitFor();
                }
            } catch (InterruptedException hurried) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
    }
}
