package dev.baton.lab.launch;

import dev.baton.lab.request.TrialPlan;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.KnownTransports;
import dev.baton.operations.settings.Subject;
import dev.baton.spi.Transport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The services of one trial's chain, each in a separate JVM that runs {@code baton service}. They end when this is closed, and also when
 * this process ends. Confined to one thread, except {@link #stop}.
 */
final class ServiceProcesses implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(15);

    private final List<TiedJvm> all = new ArrayList<>();

    private ServiceProcesses() {}

    /**
     * Starts a process for each service of the trial's chain and waits until all are ready.
     *
     * @param program that measures the trial; its own flags apply to services as well
     * @param subject complete
     * @param scratch for their arguments, which may contain secrets and so are in no process list, and for their output
     * @param isStopRequested whether the command is to end
     * @throws CommandException when one of them cannot start; then none is left
     */
    static ServiceProcesses start(
            PlannedTrial trial,
            TrialProgram program,
            Subject subject,
            String chain,
            Path scratch,
            BooleanSupplier isStopRequested) {
        TrialPlan plan = trial.plan();
        List<String> flags = new ArrayList<>(trial.flags());
        flags.addAll(program.ownFlags());
        ServiceProcesses started = new ServiceProcesses();
        try {
            for (int service = 1; service <= plan.shape().services(); service++) {
                List<String> command = new ServiceArguments(
                                chain,
                                plan.shape().chain(),
                                plan.shape().services(),
                                service,
                                plan.shape().instances(),
                                subject,
                                plan.loops(),
                                List.of())
                        .command(trial.jvm(), flags, scratch);
                started.all.add(TiedJvm.start("service " + service, command, ServiceArguments.READY, line -> {}));
            }
            long deadline = System.nanoTime() + START_LIMIT.toNanos();
            for (TiedJvm each : started.all) {
                each.awaitReady(deadline - System.nanoTime(), isStopRequested);
            }
            return started;
        } catch (InterruptedException hurried) {
            started.close();
            Thread.currentThread().interrupt();
            throw CommandException.environment("interrupted while services were starting");
        } catch (RuntimeException refused) {
            started.close();
            throw refused;
        }
    }

    List<Long> pids() {
        return all.stream().map(TiedJvm::pid).toList();
    }

    /** Asks all to end, and returns at once. Thread-safe. */
    void stop() {
        all.forEach(TiedJvm::requestStop);
    }

    /**
     * Removes the topics that they have used, when they have ended; a transport that does not let us is left as it is.
     *
     * @param chain whose name the topics begin with
     */
    static void removeTopics(Subject subject, String chain) {
        try (Transport transport = KnownTransports.onClassPath()
                .select(List.of(subject.transport()))
                .get(0)
                .open(subject.options())) {
            transport.deleteTopics(transport.topics().stream()
                    .filter(name -> name.startsWith(chain + "-"))
                    .toList());
        } catch (RuntimeException unreachable) {
            // what cannot be reached cannot be removed; the trial has said so already
        }
    }

    /** Ends all; by force who does not within {@link #STOP_LIMIT}. */
    @Override
    public void close() {
        stop();
        long deadline = System.nanoTime() + STOP_LIMIT.toNanos();
        all.forEach(each -> each.awaitEnd(deadline - System.nanoTime()));
    }
}
