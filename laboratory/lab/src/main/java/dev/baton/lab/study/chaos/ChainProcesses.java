package dev.baton.lab.study.chaos;

import dev.baton.lab.launch.Hosts;
import dev.baton.lab.launch.ServiceArguments;
import dev.baton.lab.launch.TiedJvm;
import dev.baton.lab.launch.jvm.InstalledJvm;
import dev.baton.lab.launch.jvm.JvmChoice;
import dev.baton.lab.launch.jvm.JvmFlags;
import dev.baton.lab.results.Json;
import dev.baton.lab.study.chaos.audit.NumbersProvider;
import dev.baton.lab.study.chaos.audit.ProvidedNumbers;
import dev.baton.lab.trial.Transports;
import dev.baton.operations.chains.NamedChain;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The processes of one chain: each service, the sender and the receiver. Each can be killed and restarted individually, and have a rival: a
 * second process, which replaces it. They end with this process. Confined to one thread.
 */
public final class ChainProcesses implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofSeconds(120);
    /** The time from the receiver's start to the first slot, in which the sender starts as well. */
    private static final long BEGIN_NANOS = 2_000_000_000L;

    private static final Duration STOP_LIMIT = Duration.ofSeconds(15);

    /** The exit status of a JVM after SIGTERM while it has no handler for it. */
    private static final int SIGTERM_STATUS = 128 + 15;

    private static final String HEAP = "192m";
    static final long SNAPSHOT_MILLIS = 500; // often enough to be killed in the middle of one now and then

    /** Starting fast is what counts here: a killed service is back when its JVM is. */
    private static final List<String> FAST_START =
            List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-XX:-UsePerfData");

    private final ChaosRun run;
    private final ChaosPlan plan;
    private final Subject subject;
    private final Path scratch;
    final Path journal; // where the receiver notes what it is handed
    private final Hosts hosts; // null: all of them are on this one
    final SendingEnd.SenderWords sender = new SendingEnd.SenderWords();
    private final InstalledJvm jvm = InstalledJvm.current();
    private final List<String> flags;
    private final Map<String, Member> running = new LinkedHashMap<>();
    private final Map<String, Member> rivals = new LinkedHashMap<>();
    private final String summing;
    int orderlyEndsOfSumming; // how often the service that sums was asked to end, whereupon it sends on what it holds
    private ProvidedNumbers.Slots slots; // null before the receiver starts
    private long deletedNumbers;

    /** Creates the processes; starts none. */
    ChainProcesses(ChaosRun run, ChainGround ground) {
        this.run = run;
        plan = run.plan;
        subject = ground.subject;
        scratch = ground.scratch;
        journal = scratch.resolve("received");
        hosts = ground.hosts;
        summing = plan.chain() == null ? FaultSchedule.service(FaultSchedule.summing(plan.services())) : "";
        flags = flags(plan.setUp());
    }

    /** Returns the flags of the JVM of a process that uses a set-up's transport. */
    public static List<String> flags(SetUp setUp) {
        List<String> all =
                new ArrayList<>(JvmFlags.forTrial(Transports.named(setUp.transport), JvmChoice.current(), HEAP));
        all.addAll(FAST_START);
        return List.copyOf(all);
    }

    /** Lets the sender begin behind these numbers from its next start on, whatever the first topic holds. */
    void numberFrom(long deleted) {
        deletedNumbers = deleted;
    }

    /**
     * Starts all, the ends last, and waits until all are ready.
     *
     * @param refusing one that will not be; null: there is none
     */
    void startAll(String refusing) {
        List<String> names = new ArrayList<>(plan.processes());
        names.remove(FaultSchedule.SENDER);
        names.forEach(this::start);
        names.remove(refusing);
        names.forEach(this::awaitReady);
        start(FaultSchedule.SENDER);
        awaitReady(FaultSchedule.SENDER);
    }

    void awaitReady(String name) {
        awaitReady(name, running.get(name).jvm, START_LIMIT, run.isStopRequested);
    }

    /**
     * Waits until a process is ready.
     *
     * @throws CommandException when it is not ready in time, or the user interrupts
     */
    public static void awaitReady(String name, TiedJvm jvm, Duration limit, BooleanSupplier isStopRequested) {
        try {
            jvm.awaitReady(limit.toNanos(), isStopRequested);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            throw CommandException.environment("interrupted while " + name + " was starting");
        }
    }

    /** Starts one that does not run; returns at once. */
    void start(String name) {
        start(name, List.of());
    }

    /** Starts a service that does not run, with further arguments; returns at once. */
    void start(String name, List<String> further) {
        running.put(name, started(name, name, further));
    }

    /** Starts a second one; returns at once. */
    void startRival(String name) {
        rivals.put(name, started(name, "new " + name, List.of()));
    }

    /**
     * {@return whether it is decided which of the two continues}
     *
     * @param isExclusive whether the rival has to wait for it
     */
    boolean isRivalSettled(String name, boolean isExclusive) {
        Member rival = rivals.get(name);
        return isExclusive ? rival.standsBy : rival.jvm.isReady() && running.get(name).standsBy;
    }

    /** Kills a process, or ends it in good order; its rival replaces it from now on. */
    void replace(String name, boolean isKilled) {
        if (isKilled) {
            running.get(name).jvm.kill();
        } else {
            end(name);
        }
        running.put(name, rivals.remove(name));
    }

    private Member started(String name, String label, List<String> further) {
        ChainEnd.Role role = role(name);
        List<String> command = role == null ? service(name, further) : endOfChain(name, role);
        String ready = role == null ? ServiceArguments.READY : role.ready;
        return new Member(name, placed(name, command), ready, line -> onLine(name, label, line));
    }

    /** Returns the role of a process; null for a service that runs as in production. */
    private ChainEnd.Role role(String name) {
        if (plan.hasWindow() && name.equals(summing)) {
            return ChainEnd.Role.WINDOW;
        }
        return switch (name) {
            case FaultSchedule.SENDER -> plan.asks() ? ChainEnd.Role.ASKER : ChainEnd.Role.SENDER;
            case FaultSchedule.RECEIVER ->
                plan.hasWindow()
                        ? ChainEnd.Role.RESULT_RECEIVER
                        : plan.isComposed() ? ChainEnd.Role.MERGED_RECEIVER : ChainEnd.Role.RECEIVER;
            case Composition.BRANCH -> ChainEnd.Role.BRANCH;
            case Composition.MERGE -> ChainEnd.Role.MERGE;
            default -> null;
        };
    }

    private List<String> service(String name, List<String> further) {
        List<String> arguments = new ArrayList<>(further);
        arguments.add("--snapshots=" + SNAPSHOT_MILLIS + "ms"); // of services with state
        return new ServiceArguments(
                        ChainScenario.CHAIN,
                        plan.chain() == null ? numbers() : plan.chain(),
                        plan.services(),
                        FaultSchedule.numberOf(name),
                        1,
                        subject,
                        new LoopPlan(LoopPlan.COOPERATIVE + 1, null, 0),
                        arguments)
                .command(jvm, flags, scratch);
    }

    /** {@return the services of a plan that names no chain} */
    private NamedChain numbers() {
        return NumbersProvider.chain(
                plan.services(),
                plan.hasWindow() ? 0 : FaultSchedule.summing(plan.services()),
                plan.failing(),
                plan.state() == ChaosPlan.StateKind.SUMS);
    }

    /** A command on the host where a process belongs. */
    private List<String> placed(String name, List<String> command) {
        if (hosts == null) {
            return command;
        }
        List<String> whole = new ArrayList<>(hosts.on(plan.hostOf(name)));
        whole.addAll(command);
        return whole;
    }

    private long intervalNanos() {
        return 1_000_000_000L / plan.rate();
    }

    /** {@return the slots of a chain that a jar provides: both ends need them before they begin} */
    ProvidedNumbers.Slots slots() {
        if (slots == null) {
            slots = new ProvidedNumbers.Slots(System.nanoTime() + BEGIN_NANOS, intervalNanos());
        }
        return slots;
    }

    private List<String> endOfChain(String name, ChainEnd.Role role) {
        ChainEnd.Plan end = new ChainEnd.Plan(
                role,
                ChainScenario.CHAIN,
                plan.services(),
                subject,
                plan.seed(),
                name.equals(FaultSchedule.RECEIVER) ? journal.toString() : null,
                intervalNanos(),
                deletedNumbers,
                plan.chain() == null ? sender.baseNanos : slots().baseNanos(),
                plan.chain());
        Path file = scratch.resolve(name + ".json");
        CommandException.guarded("cannot start the " + name, () -> Json.write(file, end));
        return jvm.command(flags, ChainEnd.class, file.toString());
    }

    private void onLine(String name, String label, String line) {
        if (name.equals(FaultSchedule.SENDER)) {
            sender.onLine(line);
        }
        if (!SendingEnd.SenderWords.isProgress(line)) {
            run.progress.said(plan.setUp(), label, line);
        }
    }

    long pid(String name) {
        return running.get(name).jvm.pid();
    }

    /** Sends SIGKILL to all of them at once, and returns when they have ended. */
    void kill(List<String> names) {
        names.parallelStream().forEach(name -> running.get(name).jvm.kill());
    }

    /** Restarts processes that ended without a request, which is a failure, so that the rest can be observed. */
    void restartEnded() {
        for (String name : List.copyOf(running.keySet())) {
            TiedJvm each = running.get(name).jvm;
            if (!each.isAlive()) {
                run.failures.add(name + " ended by itself: it " + each.lastOutput());
                start(name);
            }
        }
    }

    /** Ends one in good order. */
    void end(String name) {
        end(List.of(name));
    }

    /** Ends all that are left in good order. */
    void endAll() {
        end(List.copyOf(running.keySet()));
    }

    private void end(List<String> names) {
        orderlyEndsOfSumming += names.contains(summing) ? 1 : 0;
        names.forEach(name -> running.get(name).jvm.terminate());
        long deadline = System.nanoTime() + STOP_LIMIT.toNanos();
        names.forEach(name -> finish(name, running.remove(name).jvm, deadline).ifPresent(run.failures::add));
    }

    /** Waits for the end of a process that should end by itself; null when it does not. */
    TiedJvm awaitEnd(String name) {
        TiedJvm each = running.get(name).jvm;
        ChainScenario.await(START_LIMIT, 10, () -> !each.isAlive() || each.isReady());
        if (each.isReady()) {
            end(name);
            return null;
        }
        running.remove(name);
        return each.awaitEnd(0) ? each : null;
    }

    /** Waits for the end of one that was sent SIGTERM; one that was still starting may end by it. @return what is wrong */
    static Optional<String> finish(String name, TiedJvm each, long deadline) {
        boolean hasEnded = each.awaitEnd(deadline - System.nanoTime());
        boolean wasStarting = !each.isReady() && each.exitValue() == SIGTERM_STATUS;
        return hasEnded && (each.exitValue() == 0 || wasStarting)
                ? Optional.empty()
                : Optional.of(name + " did not end in good order on SIGTERM: it " + each.lastOutput());
    }

    @Override
    public void close() {
        List<TiedJvm> all = Stream.concat(running.values().stream(), rivals.values().stream())
                .map(each -> each.jvm)
                .toList();
        all.forEach(TiedJvm::requestStop);
        long deadline = System.nanoTime() + STOP_LIMIT.toNanos();
        all.forEach(each -> each.awaitEnd(deadline - System.nanoTime()));
        running.clear();
        rivals.clear();
    }

    /** A process of the chain, and whether it stands by: by what it said last. Threads as {@link TiedJvm}. */
    private static final class Member {
        private final TiedJvm jvm;

        /** True while another process has the same role, and this one waits for its end or was replaced by it. */
        private volatile boolean standsBy;

        Member(String name, List<String> command, String ready, Consumer<String> lines) {
            jvm = TiedJvm.start(name, command, ready, line -> {
                if (line.contains(ChainEnd.STANDBY)) {
                    standsBy = true;
                } else if (line.contains(ready)) {
                    standsBy = false;
                }
                lines.accept(line);
            });
        }
    }
}
