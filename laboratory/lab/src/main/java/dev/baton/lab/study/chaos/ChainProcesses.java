package dev.baton.lab.study.chaos;

import dev.baton.lab.launch.Jvm;
import dev.baton.lab.launch.JvmFlags;
import dev.baton.lab.launch.ServiceArguments;
import dev.baton.lab.launch.TiedJvm;
import dev.baton.lab.results.Json;
import dev.baton.lab.trial.Transports;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * The processes of one chain: each service, the sender and the receiver. Each can be killed and started again by itself,
 * and have a rival, which takes its place. They end with this process. Confined to one thread.
 */
final class ChainProcesses implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofSeconds(120);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(15);

    /** What a JVM ends with on SIGTERM before it has said what to do then. */
    private static final int SIGTERM_STATUS = 128 + 15;

    private static final String HEAP = "192m";

    /** Starting fast is what counts here: a killed service is back when its JVM is. */
    private static final List<String> FAST_START =
            List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-XX:-UsePerfData");

    private final ChaosPlan plan;
    private final Subject subject;
    private final Path scratch;
    private final BiConsumer<String, String> log;
    private final SenderWords sender = new SenderWords();
    private final Jvm jvm = Jvm.current();
    private final List<String> flags;
    private final Map<String, ChainMember> running = new LinkedHashMap<>();
    private final Map<String, ChainMember> rivals = new LinkedHashMap<>();
    private final String summing;
    private int orderlyEndsOfSumming;
    private long deletedNumbers;

    /**
     * Prepares; nothing is started.
     *
     * @param subject the transport and its options
     * @param scratch for their arguments, and the receiver's journal
     * @param log takes every line that a process says, and its name; on threads of ours
     */
    ChainProcesses(ChaosPlan plan, Subject subject, Path scratch, BiConsumer<String, String> log) {
        this.plan = plan;
        this.subject = subject;
        this.scratch = scratch;
        this.log = log;
        summing = FaultSchedule.service(FaultSchedule.summing(plan.services()));
        List<String> all =
                new ArrayList<>(JvmFlags.forTrial(Transports.named(subject.transport()), jvm.feature(), HEAP));
        all.addAll(FAST_START);
        flags = List.copyOf(all);
    }

    /** Where the receiver notes what it is handed. */
    Path journal() {
        return scratch.resolve("received");
    }

    /** What the sender has said. */
    SenderWords sender() {
        return sender;
    }

    /** How often the service that sums was asked to end, whereupon it sends on what it holds. */
    int orderlyEndsOfSumming() {
        return orderlyEndsOfSumming;
    }

    /** From its next start on the sender begins behind these numbers, whatever the first topic holds. */
    void numberFrom(long deleted) {
        deletedNumbers = deleted;
    }

    /**
     * Starts all, the ends last, and waits until all are ready.
     *
     * @param refusing one that will not be; null: there is none
     */
    void startAll(BooleanSupplier isStopRequested, String refusing) {
        List<String> names = new ArrayList<>();
        for (int service = 1; service <= plan.services(); service++) {
            names.add(FaultSchedule.service(service));
        }
        names.add(FaultSchedule.RECEIVER);
        names.forEach(this::start);
        names.remove(refusing);
        names.forEach(name -> awaitReady(name, isStopRequested));
        start(FaultSchedule.SENDER);
        awaitReady(FaultSchedule.SENDER, isStopRequested);
    }

    void awaitReady(String name, BooleanSupplier isStopRequested) {
        try {
            running.get(name).jvm().awaitReady(START_LIMIT.toNanos(), isStopRequested);
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

    boolean doesRivalStandBy(String name) {
        return rivals.get(name).standsBy();
    }

    boolean isRivalReady(String name) {
        return rivals.get(name).jvm().isReady();
    }

    boolean doesStandBy(String name) {
        return running.get(name).standsBy();
    }

    /** Kills one; its rival has its place from now on. */
    void killAndReplace(String name) {
        running.get(name).jvm().kill();
        running.put(name, rivals.remove(name));
    }

    /** Ends one in good order; its rival has its place from now on. @return what is wrong with how it ended, or null */
    String endAndReplace(String name) {
        String wrong = end(name);
        running.put(name, rivals.remove(name));
        return wrong;
    }

    private ChainMember started(String name, String label, List<String> further) {
        List<String> command;
        String ready;
        if (name.equals(FaultSchedule.SENDER)) {
            command = end(name, null);
            ready = SenderWords.READY;
        } else if (name.equals(FaultSchedule.RECEIVER)) {
            command = end(name, journal().toString());
            ready = ReceivingEnd.READY;
        } else {
            command = new ServiceArguments(
                            ChainScenario.CHAIN,
                            plan.services(),
                            FaultSchedule.serviceOf(name),
                            1,
                            subject,
                            new LoopPlan(LoopPlan.COOPERATIVE + 1, null, 0),
                            arguments(further))
                    .command(jvm, flags, scratch);
            ready = ServiceArguments.READY;
        }
        return ChainMember.start(name, command, ready, line -> onLine(name, label, line));
    }

    private List<String> arguments(List<String> further) {
        List<String> arguments = new ArrayList<>(List.of("--summing=" + FaultSchedule.summing(plan.services())));
        arguments.addAll(further);
        return arguments;
    }

    private List<String> end(String name, String journal) {
        EndPlan end = new EndPlan(
                        ChainScenario.CHAIN,
                        plan.services(),
                        subject.transport(),
                        subject.options(),
                        plan.seed(),
                        journal,
                        1_000_000_000L / plan.rate(),
                        deletedNumbers,
                        0)
                .since(sender.baseNanos());
        Path file = scratch.resolve(name + ".json");
        try {
            Json.write(file, end);
        } catch (IOException failed) {
            throw CommandException.environment("cannot start the " + name + ": " + failed.getMessage(), failed);
        }
        return jvm.command(flags, EndMain.class, file.toString());
    }

    private void onLine(String name, String label, String line) {
        if (name.equals(FaultSchedule.SENDER)) {
            sender.onLine(line);
        }
        if (!line.startsWith("stored ")) {
            log.accept(label, line);
        }
    }

    long pid(String name) {
        return running.get(name).jvm().pid();
    }

    /** Sends SIGKILL to all of them at once, and returns when they are gone. */
    void kill(List<String> names) {
        names.parallelStream().forEach(name -> running.get(name).jvm().kill());
    }

    /** Starts those again that have ended without being asked to. @return what they said, by name */
    Map<String, String> restartEnded() {
        Map<String, String> ended = new LinkedHashMap<>();
        running.forEach((name, each) -> {
            if (!each.jvm().isAlive()) {
                ended.put(name, each.jvm().lastOutput());
            }
        });
        ended.keySet().forEach(this::start);
        return ended;
    }

    /** Ends one in good order. @return what is wrong with how it ended; null: nothing */
    String end(String name) {
        TiedJvm each = running.remove(name).jvm();
        countEnd(name);
        each.terminate();
        return finish(name, each, System.nanoTime() + STOP_LIMIT.toNanos());
    }

    private void countEnd(String name) {
        orderlyEndsOfSumming += name.equals(summing) ? 1 : 0;
    }

    /** Waits for the end of one that is about to end by itself; null when it does not, and it goes on. */
    TiedJvm awaitEnd(String name) {
        TiedJvm each = running.get(name).jvm();
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (each.isAlive() && !each.isReady() && deadline - System.nanoTime() > 0) {
            ChainScenario.sleep(10);
        }
        if (each.isReady()) {
            end(name);
            return null;
        }
        running.remove(name);
        return each.awaitEnd(0) ? each : null;
    }

    /** Ends all that are left in good order. @return what is wrong with how they ended */
    List<String> endAll() {
        running.keySet().forEach(this::countEnd);
        running.values().forEach(each -> each.jvm().terminate());
        long deadline = System.nanoTime() + STOP_LIMIT.toNanos();
        List<String> wrong = new ArrayList<>();
        running.forEach((name, each) -> {
            String words = finish(name, each.jvm(), deadline);
            if (words != null) {
                wrong.add(words);
            }
        });
        running.clear();
        return wrong;
    }

    /** Waits for the end of one that was sent SIGTERM; one that was still starting may end by it. */
    static String finish(String name, TiedJvm each, long deadline) {
        boolean hasEnded = each.awaitEnd(deadline - System.nanoTime());
        boolean wasStarting = !each.isReady() && each.exitValue() == SIGTERM_STATUS;
        return hasEnded && (each.exitValue() == 0 || wasStarting)
                ? null
                : name + " did not end in good order on SIGTERM: it " + each.lastOutput();
    }

    @Override
    public void close() {
        List<TiedJvm> all = Stream.concat(running.values().stream(), rivals.values().stream())
                .map(ChainMember::jvm)
                .toList();
        all.forEach(TiedJvm::requestStop);
        long deadline = System.nanoTime() + STOP_LIMIT.toNanos();
        all.forEach(each -> each.awaitEnd(deadline - System.nanoTime()));
        running.clear();
        rivals.clear();
    }
}
