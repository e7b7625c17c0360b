package dev.baton.benchmark.chaos;

import dev.baton.benchmark.launch.Jvm;
import dev.baton.benchmark.launch.JvmFlags;
import dev.baton.benchmark.launch.Refusal;
import dev.baton.benchmark.launch.ServiceArguments;
import dev.baton.benchmark.launch.TiedJvm;
import dev.baton.benchmark.plan.LoopPlan;
import dev.baton.benchmark.plan.Subject;
import dev.baton.benchmark.result.Json;
import dev.baton.benchmark.trial.Transports;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/**
 * The processes of one chain: each service, the sender and the receiver. Each can be killed and started again by itself.
 * They end with this process. Confined to one thread.
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
    private final Map<String, TiedJvm> running = new LinkedHashMap<>();

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

    /** Starts all, the ends last, and waits until all are ready. */
    void startAll(BooleanSupplier isHurried) {
        List<String> names = new ArrayList<>();
        for (int service = 1; service <= plan.services(); service++) {
            names.add(FaultSchedule.service(service));
        }
        names.add(FaultSchedule.RECEIVER);
        names.forEach(this::start);
        names.forEach(name -> awaitReady(name, isHurried));
        start(FaultSchedule.SENDER);
        awaitReady(FaultSchedule.SENDER, isHurried);
    }

    private void awaitReady(String name, BooleanSupplier isHurried) {
        try {
            running.get(name).awaitReady(START_LIMIT.toNanos(), isHurried);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            throw Refusal.environment("interrupted while " + name + " was starting");
        }
    }

    /** Starts one that does not run; returns at once. */
    void start(String name) {
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
                            ChainLife.CHAIN,
                            plan.services(),
                            FaultSchedule.serviceOf(name),
                            1,
                            subject,
                            new LoopPlan(LoopPlan.COOPERATIVE + 1, null, 0))
                    .command(jvm.executable(), flags, scratch);
            ready = ServiceArguments.READY;
        }
        running.put(name, TiedJvm.start(name, command, ready, line -> hear(name, line)));
    }

    private List<String> end(String name, String journal) {
        EndPlan end = new EndPlan(
                        ChainLife.CHAIN,
                        plan.services(),
                        subject.transport(),
                        subject.options(),
                        plan.seed(),
                        journal,
                        1_000_000_000L / plan.rate(),
                        0)
                .since(sender.baseNanos());
        Path file = scratch.resolve(name + ".json");
        try {
            Json.write(file, end);
        } catch (IOException failed) {
            throw new Refusal(
                    Refusal.Kind.ENVIRONMENT, "cannot start the " + name + ": " + failed.getMessage(), failed);
        }
        List<String> command = new ArrayList<>(List.of(jvm.executable().toString()));
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), EndMain.class.getName(), file.toString()));
        return command;
    }

    private void hear(String name, String line) {
        if (name.equals(FaultSchedule.SENDER)) {
            sender.hear(line);
        }
        if (!line.startsWith("stored ")) {
            log.accept(name, line);
        }
    }

    long pid(String name) {
        return running.get(name).pid();
    }

    /** Sends SIGKILL to all of them at once, and returns when they are gone. */
    void kill(List<String> names) {
        names.parallelStream().forEach(name -> running.get(name).kill());
    }

    /** Starts those again that have ended without being asked to. @return what they said, by name */
    Map<String, String> restartEnded() {
        Map<String, String> ended = new LinkedHashMap<>();
        running.forEach((name, each) -> {
            if (!each.isAlive()) {
                ended.put(name, each.lastWords());
            }
        });
        ended.keySet().forEach(this::start);
        return ended;
    }

    /** Ends one in good order. @return what is wrong with how it ended; null: nothing */
    String end(String name) {
        TiedJvm each = running.remove(name);
        each.terminate();
        return finish(name, each, System.nanoTime() + STOP_LIMIT.toNanos());
    }

    /** Ends all that are left in good order. @return what is wrong with how they ended */
    List<String> endAll() {
        running.values().forEach(TiedJvm::terminate);
        long deadline = System.nanoTime() + STOP_LIMIT.toNanos();
        List<String> wrong = new ArrayList<>();
        running.forEach((name, each) -> {
            String words = finish(name, each, deadline);
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
                : name + " did not end in good order on SIGTERM: it " + each.lastWords();
    }

    @Override
    public void close() {
        running.values().forEach(TiedJvm::askToEnd);
        long deadline = System.nanoTime() + STOP_LIMIT.toNanos();
        running.values().forEach(each -> each.awaitEnd(deadline - System.nanoTime()));
        running.clear();
    }
}
