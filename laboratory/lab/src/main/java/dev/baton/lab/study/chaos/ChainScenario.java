package dev.baton.lab.study.chaos;

import dev.baton.lab.study.chaos.audit.Account;
import dev.baton.operations.line.CommandException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;

/**
 * One life of a chain and its brokers: it begins over an empty directory, has several faults, is stopped in order and
 * audited. Confined to one thread.
 */
public final class ChainScenario implements AutoCloseable {
    public static final String CHAIN = "chaos"; // name of the chain, with which its topics' names begin

    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(60);
    private static final Duration NO_ARREARS = Duration.ofMillis(250);
    private static final Duration ARREARS_LIMIT = Duration.ofSeconds(30);
    private static final Duration HURRIED_DRAIN_LIMIT = Duration.ofSeconds(10);
    private static final Duration FLUSH_LIMIT = Duration.ofSeconds(2);
    private static final int FLUSHES = 5;
    private static final long CHECK_MILLIS = 2;
    private static final long REST_CHECK_MILLIS = 10;

    final ChaosRun run;
    final ChaosPlan plan;
    final ChainGround ground;
    final ChainProcesses processes;
    final ChainTopics topics;
    final Arrivals arrivals;
    private final List<Arrivals> ends; // those, and of a composed chain the rejected messages

    /** Creates a scenario; starts nothing. @param ground where it lives; not closed with it */
    ChainScenario(ChaosRun run, ChainGround ground) {
        this.run = run;
        this.ground = ground;
        plan = run.plan;
        processes = new ChainProcesses(run, ground);
        topics = new ChainTopics(plan, ground.subject, processes);
        arrivals = new Arrivals(processes.journal, topics::isFiltered);
        Path rejects = ChaosReceiver.rejects(processes.journal);
        ends = plan.isComposed()
                ? List.of(arrivals, new Arrivals(rejects, number -> !Composition.isRejected(number)))
                : List.of(arrivals);
    }

    /**
     * Starts everything, and waits until messages come out, or the user interrupts.
     *
     * @throws CommandException when something does not start, or no message comes out in time
     */
    void begin() {
        processes.startAll(null);
        if (!plan.setUp().isVolatile()) {
            // while it can: Chronicle cannot be opened for the first time in a JVM that is shutting down
            topics.sent();
        }
        watch(System.nanoTime());
        if (!awaitRecovery(() -> false) && !run.isStopRequested.getAsBoolean()) {
            throw new CommandException(
                    CommandException.Kind.FAILURE,
                    "no message arrived at the end of the chain within "
                            + plan.mostRecovery().toSeconds() + " s of its begin; nothing was injected");
        }
    }

    /** Refuses to begin over existing topics of a foreign server, which may belong to another user. */
    void requireNoTopics() {
        Set<String> there = plan.setUp().hasForeignServer() ? topics.present() : Set.of();
        if (!there.isEmpty()) {
            throw CommandException.environment(
                    "the server of --transport " + plan.setUp().name() + " has topics " + String.join(", ", there)
                            + " already; delete them, or use another server");
        }
    }

    /** Removes the topics of a foreign server; others are removed with their ground. */
    void removeTopics() {
        if (plan.setUp().hasForeignServer()) {
            topics.delete();
        }
    }

    public static String topic(int index) {
        return CHAIN + "-" + index;
    }

    /**
     * Injects one fault, when the one before is made good and after a rest, and waits until messages come out again and
     * everything is back.
     */
    InjectedFault.Outcome inject(InjectedFault fault, long sinceNanos) {
        awaitNoArrears();
        await(Duration.ofMillis(fault.restMillis()), REST_CHECK_MILLIS, run.isStopRequested);
        Injection injection = new Injection(fault, this);
        ends.forEach(Arrivals::listen);
        watch(injection.apply());
        long begun = injection.begunNanos;
        boolean hasRecovered = awaitRecovery(injection::isLasting);
        if (!hasRecovered && ground.brokers != null) {
            run.progress.said(plan.setUp(), "brokers", ground.brokers.state(topics.names()));
        }
        long recovery = hasRecovered ? Math.max(1, recoveredAtNanos() - begun) : 0;
        injection.undo();
        if (fault.kind().takesBrokerOutOfStep() && !ground.brokers.awaitInStep(topics.names())) {
            run.failures.add("after fault " + fault.number() + ", " + fault + ", a broker does not catch up");
        }
        ends.forEach(Arrivals::read);
        long atMillis = TimeUnit.NANOSECONDS.toMillis(begun - sinceNanos);
        return new InjectedFault.Outcome(
                fault, atMillis, recovery, max(each -> each.longestSilenceNanos), injection.remark);
    }

    private void watch(long nanos) {
        ends.forEach(each -> each.watch(nanos));
    }

    /** Returns the time at which all ends had a message sent after the watched moment; 0: not yet. */
    private long recoveredAtNanos() {
        return ends.stream().allMatch(each -> each.recoveredAtNanos != 0) ? max(each -> each.recoveredAtNanos) : 0;
    }

    private long max(ToLongFunction<Arrivals> figure) {
        return ends.stream().mapToLong(figure).max().orElseThrow();
    }

    private long sum(ToLongFunction<Arrivals> figure) {
        return ends.stream().mapToLong(figure).sum();
    }

    /** Waits for delayed messages, which would otherwise count for the next fault. */
    private void awaitNoArrears() {
        await(ARREARS_LIMIT, CHECK_MILLIS, () -> {
            processes.restartEnded();
            ends.forEach(Arrivals::read);
            return max(Arrivals::lastTransitNanos) <= NO_ARREARS.toNanos() || run.isStopRequested.getAsBoolean();
        });
    }

    /**
     * Waits for the first message sent after the moment watched, and for a fault that lasts.
     *
     * @return whether it came in time
     */
    private boolean awaitRecovery(BooleanSupplier isLasting) {
        await(plan.mostRecovery(), CHECK_MILLIS, () -> {
            ends.forEach(Arrivals::read);
            if (!isLasting.getAsBoolean()) {
                processes.restartEnded();
            }
            return recoveredAtNanos() != 0 && !isLasting.getAsBoolean() || run.isStopRequested.getAsBoolean();
        });
        return recoveredAtNanos() != 0;
    }

    /**
     * Ends the sender, lets the chain drain, ends the other processes, the summing service with what it holds, and reads the
     * topics.
     */
    Account end() {
        processes.end(FaultSchedule.SENDER);
        boolean wasStopRequested = run.isStopRequested.getAsBoolean();
        long sent = topics.sent();
        awaitEmpty(topics.newestDue(sent), DRAIN_LIMIT);
        if (topics.hasRest() && !haveSettled(sent)) {
            flush(sent);
        }
        processes.endAll();
        ends.forEach(Arrivals::read);
        SendingEnd.SenderWords sender = processes.sender;
        run.failures.addAll(sender.wrong);
        if (plan.asks()) {
            run.progress.said(plan.setUp(), FaultSchedule.SENDER, String.valueOf(sender.replied));
            if (sender.replied == null) {
                run.failures.add("no request got a reply");
            }
        }
        if (plan.setUp().isExclusive() && sum(each -> each.overtaken) > 0) {
            run.failures.add(sum(each -> each.overtaken) + " messages reached a receiver after a later one had begun");
        }
        boolean wasDrained = !wasStopRequested && !run.isStopRequested.getAsBoolean();
        List<Account.Edge> edges = topics.edges();
        if (plan.isComposed()) {
            checkComposition(edges, wasDrained);
        }
        return new Account(
                topics.audit(sent, arrivals.settled()),
                sender.stored,
                sender.takenBack,
                topics.hasRest() ? arrivals.settled() : topics.passed(arrivals.newest, sent),
                sum(each -> each.redelivered),
                sum(each -> each.skipped),
                sum(each -> each.repeated),
                sum(each -> each.altered),
                wasDrained,
                topics.letters(),
                edges);
    }

    private void checkComposition(List<Account.Edge> edges, boolean wasDrained) {
        run.failures.addAll(topics.verify());
        long newest = edges.get(edges.size() - 1).topic().highest();
        long received = ends.get(1).newest;
        if (wasDrained && received < newest) {
            run.failures.add("the receiver had rejected messages up to " + received
                    + ", the merged topic holds them up to " + newest);
        }
    }

    /** {@return whether this many were received, or are dead letters; in a composed chain also rejected ones} */
    private boolean haveSettled(long sent) {
        return arrivals.settled() >= sent
                && (!plan.isComposed() || ends.get(1).newest >= Composition.newestRejected(sent));
    }

    /** Ends the service that holds the last of them, once more if it had not had all of them yet. */
    private void flush(long sent) {
        String summing = FaultSchedule.service(FaultSchedule.summing(plan.services()));
        for (int i = 0; i < FLUSHES && !haveSettled(sent); i++) {
            if (i > 0) {
                processes.start(summing);
                processes.awaitReady(summing);
                await(FLUSH_LIMIT, REST_CHECK_MILLIS, run.isStopRequested);
            }
            processes.end(summing);
            awaitEmpty(sent, FLUSH_LIMIT);
        }
    }

    /** Waits until the receiver has all messages, or no new one for a while; after an interruption only for a short time. */
    private void awaitEmpty(long sent, Duration limit) {
        long newest = -1;
        long deadline = System.nanoTime();
        long stopDeadline = Long.MAX_VALUE;
        ends.forEach(Arrivals::read);
        while (!haveSettled(sent)) {
            long now = System.nanoTime();
            if (sum(each -> each.newest) > newest) {
                newest = sum(each -> each.newest);
                deadline = now + limit.toNanos();
            }
            if (run.isStopRequested.getAsBoolean() && stopDeadline == Long.MAX_VALUE) {
                stopDeadline = now + HURRIED_DRAIN_LIMIT.toNanos();
            }
            if (deadline - now < 0 || stopDeadline - now < 0) {
                return;
            }
            processes.restartEnded();
            sleep(CHECK_MILLIS);
            ends.forEach(Arrivals::read);
        }
    }

    /** Waits for a limited time until a condition is true, with pauses in between. @return whether it came to be */
    public static boolean await(Duration limit, long pauseMillis, BooleanSupplier isSo) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!isSo.getAsBoolean()) {
            if (deadline - System.nanoTime() <= 0 || Thread.currentThread().isInterrupted()) {
                return false;
            }
            sleep(pauseMillis);
        }
        return true;
    }

    public static void sleep(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        processes.close();
        ends.forEach(Arrivals::close);
    }
}
