package dev.baton.operations.service;

import dev.baton.RestartPolicy;
import dev.baton.RestartPolicy.Attempts;
import dev.baton.ServiceFailure;
import dev.baton.manage.ManagedStorage;
import dev.baton.manage.StorageWatch;
import dev.baton.manage.StorageWatch.StorageGrowth;
import dev.baton.operations.line.CommandLines;
import dev.baton.operations.line.ForeignJars;
import dev.baton.operations.line.Interruption;
import dev.baton.operations.settings.Secrets;
import dev.baton.operations.terminal.Units;
import dev.baton.spi.Transport.StorageUse;
import dev.baton.spi.TransportProvider;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.Causes;
import dev.baton.status.PartStatus;
import dev.baton.status.PartStatus.InputStatus;
import dev.baton.status.PartStatus.OutputStatus;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Keeps the services of one process running until it is stopped. When their transport fails, it opens everything again after a pause that
 * grows to {@code 5 s}, without a limit of attempts.
 *
 * <p>While another process holds the services, it is a standby and takes over when that process has ended; when a newer process has
 * replaced it, it is a standby and opens nothing again. Two that start at once may replace each other at different topics: the output of
 * the last service decides ({@link ReplacedException}), and the process that is replaced at another topic opens everything again. An
 * exception of a service ends the process at once, as the same message would cause it again; so does a refused login or permission, a group
 * that does not accept it as a member, and a replaced topic.
 *
 * <p>{@link #run} belongs to one thread; {@link #stop} and {@link #health} may be called from any.
 */
public final class ServiceProcess {
    /** The state of a service process; each change is one line of its log. */
    public enum State {
        /** Opens its transport and its topics. */
        STARTING,
        /** Carries messages. */
        RUNNING,
        /**
         * Another process runs the same services. It takes over when that process has ended. If the newest wins, and it is not the newest,
         * it waits until it is stopped.
         */
        STANDBY,
        /** Its transport failed; it opens it again after a pause. */
        WAITING,
        /** Stops after a request, and drains in-flight messages. */
        STOPPING,
        /** Has closed everything. */
        STOPPED,
        /** Has ended after a failure. */
        FAILED
    }

    private static final RestartPolicy RESTARTS = RestartPolicy.backoff(Duration.ofMillis(100), Duration.ofSeconds(5));

    private final ServicePlan plan;
    private boolean hasRun; // a second open continues
    private final TransportProvider provider;
    private final Duration stopLimit;
    private final Consumer<String> log;
    private final StorageWatch storage; // null: not watched
    private final StorageWarning warning;
    private boolean hasStorageFailed;
    private final Object changed = new Object();
    private volatile boolean isStopping; // set under changed
    private volatile State state = State.STARTING;
    private volatile RunningServices running; // null while not open
    private volatile Throwable lastError;
    private volatile int restarts;
    private volatile boolean isOpening;
    private volatile boolean wasCutOff;
    private String waitedFor; // cause that was logged last, while waiting

    /**
     * Prepares to run.
     *
     * @param stopLimit for draining in-flight messages at an orderly stop
     * @param warnFull a disk of topics that will be full within this time is logged; null: disks are not watched
     * @param log takes one line per change of state
     */
    public ServiceProcess(
            ServicePlan plan, TransportProvider provider, Duration stopLimit, Duration warnFull, Consumer<String> log) {
        this.plan = plan;
        this.provider = provider;
        this.stopLimit = stopLimit;
        this.log = log;
        storage = warnFull == null ? null : StorageWatch.of(plan.chain().name(), this::storageUse);
        warning = new StorageWarning(warnFull, line -> log.accept(plan + " " + line));
    }

    /**
     * Runs until it is stopped, or until a service has thrown an exception.
     *
     * @return null when it was stopped, otherwise the failure
     */
    public Throwable run() {
        Attempts attempts = RESTARTS.attempts(plan.sharing() == null ? plan.decidingTopic() : null, true);
        enter(State.STARTING, "over " + provider.name());
        while (true) {
            long begun = System.nanoTime();
            Throwable failure = runOnce();
            if (failure == null) {
                return null;
            }
            if (isCutOff(failure)) {
                enter(State.STOPPED, "while it was starting");
                return null;
            }
            long now = System.nanoTime();
            Attempts.Step step = attempts.after(failure, now - begun, now);
            lastError = step.cause();
            switch (step.kind()) {
                case REPLACED -> {
                    standBehindTheNewest(step.cause());
                    return null;
                }
                case GIVE_UP -> {
                    enter(State.FAILED, shown(step.cause()));
                    logTrace(step.cause());
                    return step.cause();
                }
                case STAND_BY ->
                    waitAs(State.STANDBY, "takes over when the other process has ended: " + shown(step.cause()), "");
                case RESTART ->
                    waitAs(
                            State.WAITING,
                            shown(step.cause()),
                            "again in " + step.pause().toMillis() + " ms: ");
            }
            if (isStoppedWithin(step.pause())) {
                enter(State.STOPPED, "");
                return null;
            }
            restarts = attempts.restarts();
        }
    }

    /** Logs where a service's exception, or an error of a loop, was thrown; and what to do if a class is missing. */
    private void logTrace(Throwable cause) {
        Error error = Causes.first(cause, Error.class);
        if (cause instanceof ServiceFailure failed) {
            log.accept("thrown by " + failed.service() + ": " + trace(failed.getCause()));
        } else if (error != null) {
            log.accept("thrown: " + trace(error));
        }
        if (error instanceof LinkageError missing) {
            log.accept(ForeignJars.complaint(missing));
        }
    }

    /** Waits behind the newest process: another open would replace it, and the two would replace each other in turn. */
    private void standBehindTheNewest(Throwable cause) {
        waitAs(State.STANDBY, "a newer process has taken over, this one opens nothing again: " + shown(cause), "");
        synchronized (changed) {
            while (!isStopping) {
                await(0);
            }
        }
        enter(State.STOPPED, "");
    }

    /** Waits in a state; the same cause again is not logged as a change. */
    private void waitAs(State next, String why, String before) {
        if (why.equals(waitedFor)) {
            state = next;
        } else {
            enter(next, before + why);
            waitedFor = why;
        }
    }

    /** Opens, waits, closes. @return the failure that stopped it; null after a request */
    private Throwable runOnce() {
        RunningServices open;
        isOpening = true;
        try {
            open = RunningServices.open(plan, hasRun, provider, this::wake, change -> log.accept(plan + " " + change));
        } catch (RuntimeException refused) {
            return refused;
        } catch (Error thrown) {
            if (isOfService(thrown) || isCutOff(thrown)) {
                return thrown;
            }
            throw thrown;
        } finally {
            isOpening = false;
        }
        running = open;
        hasRun = true;
        enter(State.RUNNING, where(open));
        waitedFor = null;
        awaitEnd(open);
        Throwable cause = open.failure().orElse(null);
        if (cause != null && !isStopping) {
            state = State.WAITING; // closes, and processes nothing
            running = null;
            open.close();
            return cause;
        }
        enter(State.STOPPING, "drains in-flight messages for at most " + Units.span(stopLimit));
        boolean isDrained = open.stop(stopLimit);
        running = null;
        Throwable thrown = open.failure().orElse(null);
        if (thrown instanceof ServiceFailure) {
            return thrown;
        }
        wasCutOff = !isDrained;
        enter(State.STOPPED, isDrained ? "" : "with in-flight messages, which remain in their topics");
        return null;
    }

    /** Returns whether a service's factory or its start has thrown an error; the failure that names the service is then suppressed. */
    private static boolean isOfService(Error thrown) {
        return Arrays.stream(thrown.getSuppressed()).anyMatch(ServiceFailure.class::isInstance);
    }

    /** Returns whether a library failed only since the JVM ends: it has a shutdown hook to register, and cannot be loaded then. */
    private boolean isCutOff(Throwable failure) {
        if (!isStopping && !Interruption.isEnding()) {
            return false;
        }
        boolean isLate = false;
        for (Throwable each : Causes.of(failure)) {
            isLate |= each instanceof LinkageError
                    || each instanceof IllegalStateException && "Shutdown in progress".equals(each.getMessage());
        }
        return isLate;
    }

    private String where(RunningServices open) {
        ServicePlan.Sharing sharing = plan.sharing();
        if (sharing != null) {
            return "member " + sharing.member() + ", takes its share of " + sharing.partitions() + " partitions";
        }
        return open.status().stream()
                .limit(1)
                .flatMap(each -> each.parts().stream())
                .map(ServiceProcess::where)
                .collect(Collectors.joining("; "));
    }

    private static String where(PartStatus part) {
        InputStatus input = part.input();
        OutputStatus output = part.output();
        return (input == null
                        ? "reads a source"
                        : "reads " + input.topic() + " after message " + Units.count(input.consumed()))
                + (output == null ? "" : ", writes " + output.topic() + " after message " + Units.count(output.sent()))
                + (input == null ? "" : ", backlog " + Units.count(input.backlog()));
    }

    private void awaitEnd(RunningServices open) {
        ManagedStorage shown = null;
        try {
            while (!isStopping && open.failure().isEmpty()) {
                Optional<StorageGrowth> growth = storage == null ? Optional.empty() : storage.growth();
                growth.ifPresent(now -> warning.check(now, storage.watched(), System.nanoTime()));
                if (shown == null && growth.isPresent()) {
                    shown = ManagedStorage.register(storage);
                }
                synchronized (changed) {
                    if (!isStopping && open.failure().isEmpty()) {
                        await(StorageWatch.INTERVAL.toNanos());
                    }
                }
            }
        } finally {
            if (shown != null) {
                shown.close();
            }
        }
    }

    /** Reads the disk space of the topics; a failure to do so is logged once. */
    private Optional<StorageUse> storageUse() {
        RunningServices open = running;
        try {
            return open == null ? Optional.empty() : open.storageUse();
        } catch (TransportException unknown) {
            if (!hasStorageFailed) {
                hasStorageFailed = true;
                log.accept(plan + " " + Health.oneLine(unknown));
            }
            throw unknown;
        }
    }

    private boolean isStoppedWithin(Duration pause) {
        long deadline = System.nanoTime() + pause.toNanos();
        synchronized (changed) {
            for (long left = pause.toNanos(); !isStopping && left > 0; left = deadline - System.nanoTime()) {
                await(left);
            }
            return isStopping;
        }
    }

    /**
     * Waits.
     *
     * @param nanos 0: until woken
     */
    private void await(long nanos) {
        try {
            changed.wait(nanos == 0 ? 0 : nanos / 1_000_000 + 1);
        } catch (InterruptedException interrupted) {
            isStopping = true;
            Thread.currentThread().interrupt();
        }
    }

    private void wake() {
        synchronized (changed) {
            changed.notifyAll();
        }
    }

    /** Asks it to end; returns at once. */
    public void stop() {
        synchronized (changed) {
            isStopping = true;
            changed.notifyAll();
        }
    }

    /** {@return whether it opens its services, or closes what it could not open} Services that are open then drain nothing at a stop. */
    public boolean isOpening() {
        return isOpening;
    }

    /** {@return whether it ended with in-flight messages, which remain in their topics} */
    public boolean wasCutOff() {
        return wasCutOff;
    }

    /** {@return its health} Waits for loops that do not respond. */
    public Health health() {
        RunningServices open = running;
        return Health.of(
                plan,
                state,
                open == null ? List.of() : open.status(),
                open == null ? List.of() : open.loops(),
                restarts,
                lastError,
                storage == null ? null : storage.known().orElse(null),
                open == null ? Map.of() : open.counters());
    }

    private void enter(State next, String detail) {
        state = next;
        log.accept(plan + " " + next.name().toLowerCase(Locale.ROOT) + (detail.isEmpty() ? "" : ": " + detail));
    }

    private static String trace(Throwable thrown) {
        return CommandLines.stackTrace(thrown)
                .strip()
                .lines()
                .map(Secrets::redacted)
                .collect(Collectors.joining("\n"));
    }

    private static String shown(Throwable cause) {
        return Secrets.redacted(Health.oneLine(cause));
    }
}
