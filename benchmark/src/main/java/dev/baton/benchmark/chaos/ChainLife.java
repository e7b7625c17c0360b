package dev.baton.benchmark.chaos;

import dev.baton.benchmark.launch.Refusal;
import dev.baton.benchmark.trial.Transports;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One life of a chain and its brokers: begun over an empty directory, hurt several times, ended in good order and
 * audited. Confined to one thread.
 */
final class ChainLife implements AutoCloseable {
    /** Name of the chain, with which its topics' names begin. */
    static final String CHAIN = "chaos";

    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(60);
    private static final Duration NO_ARREARS = Duration.ofMillis(250);
    private static final Duration ARREARS_LIMIT = Duration.ofSeconds(30);
    private static final Duration HURRIED_DRAIN_LIMIT = Duration.ofSeconds(10);
    private static final Duration LOOK_LIMIT = Duration.ofSeconds(30);
    private static final long CHECK_MILLIS = 2;
    private static final long RETRY_MILLIS = 500;

    private final ChaosPlan plan;
    private final ChainGround ground;
    private final BooleanSupplier isHurried;
    private final List<String> failures;
    private final ChainProcesses processes;
    private final Arrivals arrivals;

    private ChainLife(
            ChaosPlan plan,
            ChainGround ground,
            BooleanSupplier isHurried,
            List<String> failures,
            BiConsumer<String, String> log) {
        this.plan = plan;
        this.ground = ground;
        this.isHurried = isHurried;
        this.failures = failures;
        processes = new ChainProcesses(plan, ground.subject(), ground.scratch(), log);
        try {
            arrivals = new Arrivals(processes.journal());
        } catch (IOException failed) {
            throw new Refusal(
                    Refusal.Kind.ENVIRONMENT, "cannot make the receiver's journal: " + failed.getMessage(), failed);
        }
    }

    /**
     * Starts everything, and waits until messages come out, or somebody hurries.
     *
     * @param ground where it lives; closed with it
     * @param isHurried whether somebody wants it all to end
     * @param failures takes what goes wrong besides the faults
     * @param log takes every line that a process says, and its name; on any thread
     * @throws Refusal when something does not start, or no message comes out in time
     */
    static ChainLife begin(
            ChaosPlan plan,
            ChainGround ground,
            BooleanSupplier isHurried,
            List<String> failures,
            BiConsumer<String, String> log) {
        ChainLife life = null;
        try {
            life = new ChainLife(plan, ground, isHurried, failures, log);
            life.processes.startAll(isHurried);
            life.sent(); // while it can: Chronicle cannot be opened for the first time in a JVM that is shutting down
            life.arrivals.watch(System.nanoTime());
            if (!life.awaitRecovery(() -> false) && !isHurried.getAsBoolean()) {
                throw new Refusal(
                        Refusal.Kind.FAILURE,
                        "no message came out of the chain within "
                                + plan.mostRecovery().toSeconds() + " s of its begin; nothing was injected");
            }
            return life;
        } catch (RuntimeException failed) {
            if (life == null) {
                ground.close();
            } else {
                life.close();
            }
            throw failed;
        }
    }

    /** Name of a topic of the chain. */
    static String topic(int index) {
        return CHAIN + "-" + index;
    }

    /**
     * Injects one fault, when the one before is made good and after a rest, and waits until messages come out again and
     * everything is back.
     */
    FaultOutcome suffer(Fault fault, long sinceNanos) {
        awaitNoArrears();
        isHurriedWithin(fault.restMillis());
        Injection injection = ground.injection(fault, processes);
        arrivals.listen();
        long begun = System.nanoTime();
        arrivals.watch(injection.apply());
        boolean hasRecovered = awaitRecovery(injection::isLasting);
        long recovery = hasRecovered ? Math.max(1, arrivals.recoveredAtNanos() - begun) : 0;
        injection.undo();
        String remark = injection.remark();
        if (fault.kind() == FaultKind.KILL_BROKER && !ground.isInStep(topics())) {
            failures.add("after fault " + fault.number() + ", " + fault + ", a broker does not catch up");
        }
        arrivals.read();
        return new FaultOutcome(
                fault,
                TimeUnit.NANOSECONDS.toMillis(begun - sinceNanos),
                recovery,
                arrivals.longestSilenceNanos(),
                remark);
    }

    /** What a fault has held up would be counted to the next one otherwise. */
    private void awaitNoArrears() {
        long deadline = System.nanoTime() + ARREARS_LIMIT.toNanos();
        arrivals.read();
        while (arrivals.lastTransitNanos() > NO_ARREARS.toNanos()
                && deadline - System.nanoTime() > 0
                && !isHurriedWithin(CHECK_MILLIS)) {
            replaceEnded();
            arrivals.read();
        }
    }

    /**
     * Waits for the first message sent after the moment watched, and for a fault that lasts.
     *
     * @return whether it came in time
     */
    private boolean awaitRecovery(BooleanSupplier isLasting) {
        long deadline = System.nanoTime() + plan.mostRecovery().toNanos();
        while (arrivals.recoveredAtNanos() == 0 || isLasting.getAsBoolean()) {
            if (isHurriedWithin(CHECK_MILLIS) || deadline - System.nanoTime() < 0) {
                break;
            }
            arrivals.read();
            if (!isLasting.getAsBoolean()) {
                replaceEnded();
            }
        }
        return arrivals.recoveredAtNanos() != 0;
    }

    /** What ends without being asked to is a failure; it is started again, so that the rest can be seen. */
    private void replaceEnded() {
        processes.restartEnded().forEach((name, words) -> failures.add(name + " ended by itself: it " + words));
    }

    /** Ends the sender, lets the chain run empty, ends the rest, and reads every topic. */
    Account end() {
        String senderEnd = processes.end(FaultSchedule.SENDER);
        if (senderEnd != null) {
            failures.add(senderEnd);
        }
        boolean wasHurried = isHurried.getAsBoolean();
        long sent = sent();
        awaitEmpty(sent);
        failures.addAll(processes.endAll());
        arrivals.read();
        SenderWords sender = processes.sender();
        return new Account(
                audit(),
                sender.stored(),
                sender.takenBack(),
                arrivals.newest(),
                arrivals.redelivered(),
                arrivals.skipped(),
                arrivals.repeated(),
                arrivals.altered(),
                !wasHurried && !isHurried.getAsBoolean());
    }

    /** Until the receiver has had all of them, or nothing new for a while; when somebody hurries, a short time in all. */
    private void awaitEmpty(long sent) {
        long newest = -1;
        long deadline = System.nanoTime();
        long hurriedDeadline = Long.MAX_VALUE;
        arrivals.read();
        while (arrivals.newest() < sent) {
            long now = System.nanoTime();
            if (arrivals.newest() > newest) {
                newest = arrivals.newest();
                deadline = now + DRAIN_LIMIT.toNanos();
            }
            if (isHurried.getAsBoolean() && hurriedDeadline == Long.MAX_VALUE) {
                hurriedDeadline = now + HURRIED_DRAIN_LIMIT.toNanos();
            }
            if (deadline - now < 0 || hurriedDeadline - now < 0) {
                return;
            }
            replaceEnded();
            sleep(CHECK_MILLIS);
            arrivals.read();
        }
    }

    /** Messages that the first topic holds. */
    private long sent() {
        return patiently(transport -> {
            try (TopicInspector first = transport.inspect(topic(0))) {
                return first.newestSequence();
            }
        });
    }

    private List<TopicAccount> audit() {
        return patiently(transport -> IntStream.rangeClosed(0, plan.services())
                .mapToObj(index -> TopicAudit.of(transport, topic(index), index, plan.seed()))
                .toList());
    }

    /** A cluster that has just lost something may refuse at first. */
    private <T> T patiently(Function<Transport, T> look) {
        long deadline = System.nanoTime() + LOOK_LIMIT.toNanos();
        while (true) {
            try (Transport transport = Transports.named(ground.subject().transport())
                    .open(ground.subject().options())) {
                return look.apply(transport);
            } catch (TransportException refused) {
                if (deadline - System.nanoTime() < 0) {
                    throw new Refusal(
                            Refusal.Kind.FAILURE, "the topics cannot be read: " + refused.getMessage(), refused);
                }
                sleep(RETRY_MILLIS);
            }
        }
    }

    private Set<String> topics() {
        return IntStream.rangeClosed(0, plan.services())
                .mapToObj(ChainLife::topic)
                .collect(Collectors.toSet());
    }

    private boolean isHurriedWithin(long millis) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (!isHurried.getAsBoolean() && deadline - System.nanoTime() > 0) {
            sleep(Math.min(10, Math.max(1, millis)));
        }
        return isHurried.getAsBoolean();
    }

    private static void sleep(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        processes.close();
        arrivals.close();
        ground.close();
    }
}
