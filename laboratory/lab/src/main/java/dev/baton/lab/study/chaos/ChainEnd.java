package dev.baton.lab.study.chaos;

import dev.baton.Chain;
import dev.baton.Deployment;
import dev.baton.RunningChain;
import dev.baton.lab.results.Json;
import dev.baton.lab.study.chaos.audit.ProvidedNumbers;
import dev.baton.lab.study.chaos.audit.WindowResults;
import dev.baton.lab.trial.Transports;
import dev.baton.operations.chains.ForwardingChain;
import dev.baton.operations.chains.NamedChain;
import dev.baton.operations.line.Interruption;
import dev.baton.operations.settings.Subject;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.Causes;
import dev.baton.state.SnapshotPolicy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * The process at one end of the chain, the sender or the receiver, or its branch, merge or window: keeps it running until it is
 * asked to end, by SIGTERM or the end of its standard input, as it comes with the end of the process that started it. Opens it, and opens it anew after
 * a pause when its transport fails, as often as it takes. Where a newer process has taken its place it opens nothing again.
 * Confined to one thread.
 */
public abstract class ChainEnd {
    /** The beginning of the line that reports another process with the same role. */
    static final String STANDBY = "standby: ";

    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final long LONGEST_PAUSE_MILLIS = 1_000;
    private static final long REPORT_MILLIS = 20;
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    final Plan plan;
    private final CountDownLatch stopping = new CountDownLatch(1);
    boolean hasBegun; // since it was opened

    ChainEnd(Plan plan) {
        this.plan = plan;
    }

    /** Runs until asked to end. @param arguments the file of a {@link Plan} */
    public static void main(String[] arguments) throws IOException {
        Plan plan = Json.read(Path.of(arguments[0]), Plan.class);
        Interruption interruption = Interruption.ofThisProcess();
        interruption.isOrdinaryEnd();
        interruption.hasToClose();
        ChainEnd end = switch (plan.role()) {
            case SENDER -> new SendingEnd(plan);
            case ASKER -> new AskingEnd(plan);
            case RECEIVER, RESULT_RECEIVER, MERGED_RECEIVER -> new ChaosReceiver(plan);
            case BRANCH, MERGE, WINDOW -> new PassingEnd(plan);
        };
        interruption.stopping(end.stopping::countDown);
        interruption.requestAtEndOfInput("baton-chaos-parent");
        interruption.exit(end.run());
    }

    /** Opens it. @param onFailure receives what stops it */
    abstract RunningChain start(Transport transport, Loops loops, Consumer<Throwable> onFailure);

    /** The chain, of which none of the services runs here. */
    final Deployment deployment(Transport transport, Loops loops, Consumer<Throwable> onFailure) {
        Chain chain = plan.provided() == null
                ? ForwardingChain.of(plan.chain(), plan.services())
                : plan.provided().open().chain().renamed(plan.chain());
        return chain.on(transport).with(loops).only().onFailure(onFailure);
    }

    /** Reports new progress, first that it is ready. Called several times a second. */
    void tell(RunningChain running) {
        if (!hasBegun) {
            hasBegun = true;
            System.out.println(plan.role().ready);
        }
    }

    /** Closes what has to be closed before the chain. */
    void beforeClose() {}

    /** Closes everything that {@link #start} opened in addition to the chain. */
    void detach() {}

    /**
     * Runs until asked to end, or until something other than the transport has failed, and prints a line per change of state.
     *
     * @return the process's exit status
     */
    private int run() {
        long pause = FIRST_PAUSE_MILLIS;
        String said = null;
        while (!isStoppedWithin(0)) {
            long begun = System.nanoTime();
            try {
                runOnce();
            } catch (ReplacedException replaced) {
                System.out.println(STANDBY + "replaced, and opens nothing again: " + replaced.getMessage());
                isStoppedWithin(Long.MAX_VALUE);
            } catch (TransportException failed) {
                String why = (failed instanceof OccupiedException ? STANDBY : "waiting: ") + failed.getMessage();
                if (!why.equals(said)) {
                    System.out.println(why);
                    said = why;
                }
                boolean wasGood = System.nanoTime() - begun > TimeUnit.SECONDS.toNanos(2);
                pause = wasGood ? FIRST_PAUSE_MILLIS : Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
                isStoppedWithin(pause);
            } catch (RuntimeException failed) {
                System.out.println("failed: " + failed);
                return 1;
            }
        }
        return 0;
    }

    private void runOnce() {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        hasBegun = false;
        try (Transport transport = Transports.named(plan.subject().transport())
                        .open(plan.subject().options());
                Loops loops = Loops.cooperative(1);
                RunningChain running = start(transport, loops, failure::set)) {
            boolean isStopped = false;
            while (!isStopped && failure.get() == null) {
                isStopped = isStoppedWithin(REPORT_MILLIS);
                tell(running);
            }
            beforeClose();
            running.close(failure.get() == null ? CLOSE_LIMIT : Duration.ofMillis(1));
            tell(running);
        } finally {
            detach();
        }
        if (failure.get() != null) {
            throw transportOf(failure.get());
        }
    }

    private static RuntimeException transportOf(Throwable failure) {
        TransportException known = null;
        for (Throwable each : Causes.of(failure)) {
            if (each instanceof ReplacedException replaced) {
                return replaced;
            }
            if (known == null && each instanceof TransportException first) {
                known = first;
            }
        }
        return known == null ? new IllegalStateException(failure.getMessage(), failure) : known;
    }

    private boolean isStoppedWithin(long millis) {
        try {
            return stopping.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** The process of the branch or the merge of a composed chain, or of the service that is a window. Threads as its parent. */
    private static final class PassingEnd extends ChainEnd {
        PassingEnd(Plan plan) {
            super(plan);
        }

        @Override
        RunningChain start(Transport transport, Loops loops, Consumer<Throwable> onFailure) {
            Composition composition = new Composition(plan.services());
            return switch (plan.role()) {
                case BRANCH ->
                    composition
                            .branch
                            .on(transport)
                            .with(loops)
                            .onFailure(onFailure)
                            .start();
                case MERGE ->
                    composition
                            .merge
                            .on(transport)
                            .with(loops)
                            .onFailure(onFailure)
                            .start();
                default -> startWindow(transport, loops, onFailure);
            };
        }

        private RunningChain startWindow(Transport transport, Loops loops, Consumer<Throwable> onFailure) {
            int window = FaultSchedule.summing(plan.services());
            return ForwardingChain.of(
                            plan.chain(),
                            plan.services(),
                            number -> number == window
                                    ? WindowResults.service(plan.intervalNanos())
                                    : ForwardingChain.forwarding())
                    .on(transport)
                    .with(loops)
                    .only(FaultSchedule.service(window))
                    .snapshots(SnapshotPolicy.every(Duration.ofMillis(ChainProcesses.SNAPSHOT_MILLIS)))
                    .onFailure(onFailure)
                    .start();
        }
    }

    /** The roles of processes. */
    enum Role {
        SENDER(SendingEnd.SenderWords.READY),
        /** The sender of a chain whose messages are requests. */
        ASKER(SendingEnd.SenderWords.READY),
        RECEIVER("receives"),
        BRANCH("passes messages on"),
        MERGE("passes messages on"),
        /** The receiver of a chain that is composed. */
        MERGED_RECEIVER("receives"),
        /** The service that is a sliding window. */
        WINDOW("counts"),
        /** The receiver of what a window sends. */
        RESULT_RECEIVER("receives");

        final String ready; // part of the line that says that it is ready

        Role(String ready) {
            this.ready = ready;
        }
    }

    /**
     * The plan of a process at one end of the chain, read from a file. Immutable, thread-safe.
     *
     * @param journal file in which a receiver records its messages; null for the others
     * @param deleted numbers of messages that were deleted with the first topic: the next one is the first to send
     * @param baseNanos of the sender's schedule, 0 when it has not begun yet
     * @param provided the chain of a jar whose messages these are; null: numbered ones
     */
    record Plan(
            Role role,
            String chain,
            int services,
            Subject subject,
            long seed,
            String journal,
            long intervalNanos,
            long deleted,
            long baseNanos,
            NamedChain provided) {
        /** The messages of the chain that a jar provides; null where there is none. */
        ProvidedNumbers numbers() {
            return provided == null ? null : ProvidedNumbers.of(provided, seed);
        }
    }
}
