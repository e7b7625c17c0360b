package dev.baton.lab.study.chaos;

import dev.baton.kafka.embedded.FaultyLink;
import dev.baton.lab.launch.Hosts;
import dev.baton.lab.launch.ProcessStop;
import dev.baton.lab.launch.TiedJvm;
import dev.baton.lab.study.chaos.storage.TornEnd;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.ExitCode;
import dev.baton.operations.terminal.Units;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One fault while it lasts: {@link #apply} does the harm, {@link #undo} ends what does not end by itself. Confined to one
 * thread.
 */
final class Injection {
    private static final Duration STATE_LIMIT = Duration.ofSeconds(2);
    private static final Duration DELAY = Duration.ofMillis(100);
    private static final double LOSS = 0.01;
    private static final char STOPPED = 'T';
    private static final Duration SETTLE_LIMIT = Duration.ofSeconds(60);
    private static final String REASON = "deleted and created again";
    private static final String REMEDY = "--replaced-input handle-all";

    private final InjectedFault fault;
    private final ChainScenario scene;
    private final ChainProcesses processes;
    private final Brokers brokers; // null: the transport has none
    private final Hosts hosts; // null: all of it is on this one
    private final String target; // the first of them; null: none
    private CompletableFuture<ProcessStop> stopped;
    String remark; // something out of the ordinary; null when there was nothing
    long begunNanos; // when the harm began, by System.nanoTime: without what had to be made ready for it

    Injection(InjectedFault fault, ChainScenario scene) {
        this.fault = fault;
        this.scene = scene;
        processes = scene.processes;
        brokers = scene.ground.brokers;
        hosts = scene.ground.hosts;
        target = fault.targets().isEmpty() ? null : fault.targets().get(0);
    }

    /**
     * Injects the fault. Returns when it is done, including restarts; a pause continues, and a disk is full for as long as the fault lasts.
     * May block.
     *
     * @return the moment, by {@link System#nanoTime}, after which the output of a message proves that the fault has ended
     */
    long apply() {
        begunNanos = System.nanoTime();
        return switch (fault.kind()) {
            case KILL_SERVICE, KILL_PAIR, KILL_SENDER, KILL_RECEIVER, KILL_HOLDING, KILL_BRANCH, KILL_MERGE -> kill();
            case PAUSE -> pause();
            case KILL_BROKER -> killBroker();
            case KILL_ARCHIVE -> killArchive();
            case TORN_FRAME -> tear();
            case FULL_DISK -> fill();
            case RESTART_HOLDING -> restart();
            case RIVAL_RECEIVER -> handOver(true);
            case ROLLING_UPDATE -> handOver(false);
            case DELETE_TOPIC -> deleteTopic();
            case RESET_CONNECTIONS -> resetConnections();
            case STALL_NETWORK -> disturb(links(), FaultyLink::hold);
            case DELAY_NETWORK -> disturb(links(), link -> link.delay(DELAY));
            case LOSE_PACKETS -> hosts != null ? disturb(hosts::lose) : disturb(links(), link -> link.lose(LOSS));
            case CUT_CLIENTS -> disturb(List.of(brokers.cluster.linkToClients(number())), FaultyLink::hold);
            case CUT_BROKERS -> disturb(List.of(brokers.cluster.linkToBrokers(number())), FaultyLink::hold);
            case LOSE_HOST -> loseHost();
            case CUT_HOST -> disturb(isCut -> hosts.cut(number(), isCut));
            case SLOW_HOST -> disturb(isSlow -> hosts.slow(number(), isSlow));
            case PART_HOSTS ->
                disturb(isParted -> hosts.part(
                        number(), FaultSchedule.numberOf(fault.targets().get(1)), isParted));
            case FLIP_BIT, LOSE_POWER, FAIL_SYNC -> throw new IllegalStateException(fault + " is for StorageRun");
        };
    }

    /** {@return the number of the broker or the host} */
    private int number() {
        return FaultSchedule.numberOf(target);
    }

    /** Returns the links to clients and to other brokers, of the affected broker or of all. */
    private List<FaultyLink> links() {
        return IntStream.range(0, brokers.cluster.nodes())
                .filter(each -> target == null || each == number())
                .boxed()
                .flatMap(each -> Stream.of(brokers.cluster.linkToClients(each), brokers.cluster.linkToBrokers(each)))
                .toList();
    }

    private long resetConnections() {
        if (hosts != null) {
            hosts.reset(number());
        } else {
            links().forEach(FaultyLink::reset);
        }
        return System.nanoTime();
    }

    private long disturb(List<FaultyLink> links, Consumer<FaultyLink> harm) {
        return disturb(isHarmed -> links.forEach(isHarmed ? harm : FaultyLink::heal));
    }

    /** Does harm to the network as long as the fault lasts. @param harm begins it when it is true, and ends it when it is not */
    private long disturb(Consumer<Boolean> harm) {
        try {
            harm.accept(true);
            ChainScenario.sleep(fault.lastMillis());
        } finally {
            harm.accept(false);
        }
        return System.nanoTime();
    }

    /** Kills the processes of a host that is cut off, so that no other host is notified. */
    private long loseHost() {
        List<String> lost = scene.plan.processes().stream()
                .filter(each -> scene.plan.hostOf(each) == number())
                .toList();
        long back = disturb(isCut -> {
            hosts.cut(number(), isCut);
            if (isCut) {
                processes.kill(lost);
                brokers.cluster.kill(number());
            }
        });
        lost.forEach(processes::start);
        return back;
    }

    private long kill() {
        processes.kill(fault.targets());
        long dead = System.nanoTime();
        fault.targets().forEach(processes::start);
        return dead;
    }

    private long restart() {
        processes.end(target);
        long ended = System.nanoTime();
        processes.start(target);
        return ended;
    }

    /**
     * Starts a second process with the role of one of the chain, which then replaces it. If the topics are exclusive it is a standby until
     * the first has ended; otherwise it is admitted, and the first becomes a standby and opens nothing again.
     */
    private long handOver(boolean isKilled) {
        processes.startRival(target);
        awaitSettled(scene.plan.setUp().isExclusive());
        begunNanos = System.nanoTime();
        processes.replace(target, isKilled);
        return System.nanoTime();
    }

    private void awaitSettled(boolean isExclusive) {
        BooleanSupplier isSettled =
                () -> processes.isRivalSettled(target, isExclusive) || scene.run.isStopRequested.getAsBoolean();
        if (!ChainScenario.await(SETTLE_LIMIT, 10, isSettled)) {
            scene.run.failures.add((isExclusive
                            ? "a second " + target + " did not stand by"
                            : target + " did not make way for a newer one")
                    + " within " + SETTLE_LIMIT.toSeconds() + " s");
        }
    }

    /**
     * Stops the chain under load, deletes one topic and starts the chain again. The service that reads the topic has answered messages that
     * no longer exist: it has to refuse the topic and to name the option with which it handles all messages of the new one. Only messages
     * that had not passed the topic are lost.
     */
    private long deleteTopic() {
        int index = FaultSchedule.numberOf(target);
        processes.endAll();
        scene.arrivals.read();
        BitSet gone = scene.topics.delete(index, scene.arrivals.newest);
        scene.arrivals.expectDeleted(gone);
        remark = Units.counted(gone.cardinality(), "message") + " deleted by the fault (not counted as lost)";
        processes.numberFrom(scene.topics.deletedFirst);
        String refusing = index < scene.plan.services() ? FaultSchedule.service(index + 1) : null;
        processes.startAll(refusing);
        if (refusing != null) {
            awaitRefusal(refusing);
            processes.start(refusing, List.of("--replaced-input=handle-all"));
            processes.awaitReady(refusing);
        }
        return System.nanoTime();
    }

    private void awaitRefusal(String service) {
        TiedJvm refused = processes.awaitEnd(service);
        if (refused == null) {
            scene.run.failures.add(service + " continues over " + target + ", which was deleted and created again");
            return;
        }
        String words = refused.lastOutput();
        if (refused.exitValue() != ExitCode.USAGE || !words.contains(REASON) || !words.contains(REMEDY)) {
            scene.run.failures.add(
                    service + " did not say what is wrong with " + target + " and what to do: it " + words);
        }
    }

    private long pause() {
        long pid = pid();
        stopped = CompletableFuture.supplyAsync(
                () -> ProcessStop.of(pid, TimeUnit.MILLISECONDS.toNanos(fault.lastMillis())));
        // the shell that stops it takes a moment to start
        ChainScenario.await(STATE_LIMIT, 0, () -> state(pid) == STOPPED || stopped.isDone());
        return System.nanoTime();
    }

    private long pid() {
        if (target.equals(FaultSchedule.ARCHIVE)) {
            return scene.ground.archive.process.pid();
        }
        return FaultSchedule.isBroker(target) ? brokers.cluster.pid(number()) : processes.pid(target);
    }

    private static char state(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2);
        } catch (IOException noProc) {
            return STOPPED; // then nobody can say
        }
    }

    /** Kills a broker. The only broker restarts at once; of several, one stays down until the others have taken over. */
    private long killBroker() {
        int broker = number();
        brokers.cluster.kill(broker);
        long dead = System.nanoTime();
        if (brokers.cluster.nodes() == 1) {
            brokers.restart(broker);
        }
        return dead;
    }

    private long killArchive() {
        scene.ground.archive.process.kill(); // with all that was not written to a file's pages
        long dead = System.nanoTime();
        scene.ground.archive.start();
        return dead;
    }

    private long tear() {
        processes.kill(fault.targets());
        long dead = System.nanoTime();
        Path topic = scene.ground.queues.resolve(scene.topics.writtenBy(target));
        long at = CommandException.guarded("cannot tear " + topic, () -> TornEnd.tear(topic, fault.variant()));
        if (at == TornEnd.NO_ROOM) {
            remark = "killed only: the topic has no file yet, or no room that could be torn";
        } else if (at < 0) {
            remark = "the kill itself had left an unfinished excerpt";
        }
        processes.start(target);
        return dead;
    }

    private long fill() {
        return disturb(
                isFull -> CommandException.guarded("cannot free the disk again", () -> scene.ground.disk.fill(isFull)));
    }

    /** {@return whether the fault is still active} */
    boolean isLasting() {
        return stopped != null && !stopped.isDone();
    }

    /** Restores what the fault still keeps down. May block. @throws CommandException when it does not come back */
    void undo() {
        if (stopped != null) {
            try {
                stopped.join();
            } catch (CompletionException failed) {
                throw CommandException.environment(
                        String.valueOf(failed.getCause().getMessage()));
            }
        }
        boolean isBrokerAway = fault.kind() == InjectedFault.Kind.LOSE_HOST
                || fault.kind() == InjectedFault.Kind.KILL_BROKER && brokers.cluster.nodes() > 1;
        if (isBrokerAway) {
            brokers.restart(number());
        }
    }
}
