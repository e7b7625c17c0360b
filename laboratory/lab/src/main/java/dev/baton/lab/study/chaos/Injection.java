package dev.baton.lab.study.chaos;

import dev.baton.lab.launch.ProcessStop;
import dev.baton.operations.line.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/**
 * One fault while it lasts: {@link #apply} does the harm, {@link #undo} ends what does not end by itself. Confined to one
 * thread.
 */
final class Injection {
    private static final long STATE_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final char STOPPED = 'T';

    private final Fault fault;
    private final Scene scene;
    private final ChainProcesses processes;
    private final Brokers brokers; // null: the transport has none
    private final SmallDisk disk; // null: it cannot be filled
    private final Path queues; // null: the transport keeps none here
    private CompletableFuture<ProcessStop> stopped;
    private final int services;
    private String remark;
    private long begunNanos;

    Injection(Fault fault, Scene scene, int services, Brokers brokers, SmallDisk disk, Path queues) {
        this.fault = fault;
        this.scene = scene;
        this.services = services;
        processes = scene.processes();
        this.brokers = brokers;
        this.disk = disk;
        this.queues = queues;
    }

    /**
     * Does the harm. Returns when it is done, and what is started again has been; a pause goes on, a disk is full as long
     * as the fault lasts. May block.
     *
     * @return the moment, by {@link System#nanoTime}, from which on a message that comes out proves that the fault is over
     */
    long apply() {
        begunNanos = System.nanoTime();
        return switch (fault.kind()) {
            case KILL_SERVICE, KILL_PAIR, KILL_SENDER, KILL_RECEIVER, KILL_HOLDING -> kill();
            case PAUSE -> pause();
            case KILL_BROKER -> killBroker();
            case TORN_FRAME -> tear();
            case FULL_DISK -> fill();
            case RESTART_HOLDING -> restart();
            case RIVAL_RECEIVER -> handOver(Handover::byKill);
            case ROLLING_UPDATE -> handOver(Handover::inOrder);
            case DELETE_TOPIC -> deleteTopic();
        };
    }

    private long kill() {
        processes.kill(fault.targets());
        long dead = System.nanoTime();
        fault.targets().forEach(processes::start);
        return dead;
    }

    /** When the harm began, by {@link System#nanoTime}: without what had to be made ready for it. */
    long begunNanos() {
        return begunNanos;
    }

    private long restart() {
        String target = fault.targets().get(0);
        String wrong = processes.end(target);
        if (wrong != null) {
            scene.failures().add(wrong);
        }
        long ended = System.nanoTime();
        processes.start(target);
        return ended;
    }

    private long handOver(ToLongFunction<Handover> way) {
        Handover handover = new Handover(scene, fault.targets().get(0));
        long ended = way.applyAsLong(handover);
        begunNanos = handover.endedNanos();
        return ended;
    }

    private long deleteTopic() {
        TopicDeletion deletion =
                new TopicDeletion(scene, FaultSchedule.topicOf(fault.targets().get(0)), services);
        long started = deletion.apply();
        remark = deletion.remark();
        return started;
    }

    private long pause() {
        String target = fault.targets().get(0);
        int broker = FaultSchedule.brokerOf(target);
        long pid = broker < 0 ? processes.pid(target) : brokers.pid(broker);
        stopped = CompletableFuture.supplyAsync(
                () -> ProcessStop.of(pid, TimeUnit.MILLISECONDS.toNanos(fault.lastMillis())));
        awaitStopped(pid);
        return System.nanoTime();
    }

    /** The shell that stops it takes a moment to start. */
    private void awaitStopped(long pid) {
        long deadline = System.nanoTime() + STATE_LIMIT_NANOS;
        while (state(pid) != STOPPED && !stopped.isDone() && deadline - System.nanoTime() > 0) {
            Thread.onSpinWait();
        }
    }

    private static char state(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2);
        } catch (IOException noProc) {
            return STOPPED; // then nobody can say
        }
    }

    /** The only broker comes back at once; of several, one stays away until the others have taken over. */
    private long killBroker() {
        int broker = FaultSchedule.brokerOf(fault.targets().get(0));
        brokers.kill(broker);
        long dead = System.nanoTime();
        if (brokers.count() == 1) {
            brokers.restart(broker);
        }
        return dead;
    }

    private long tear() {
        String target = fault.targets().get(0);
        processes.kill(fault.targets());
        long dead = System.nanoTime();
        Path topic = queues.resolve(ChainScenario.topic(FaultSchedule.serviceOf(target)));
        try {
            long at = TornEnd.tear(topic, fault.variant());
            remark = at < 0 ? "the kill itself had left an unfinished excerpt" : null;
        } catch (IOException failed) {
            throw CommandException.environment("cannot tear " + topic + ": " + failed.getMessage(), failed);
        }
        processes.start(target);
        return dead;
    }

    private long fill() {
        try {
            disk.fill();
            try {
                ChainScenario.sleep(fault.lastMillis());
            } finally {
                disk.free();
            }
            return System.nanoTime();
        } catch (IOException failed) {
            throw CommandException.environment("cannot free the disk again: " + failed.getMessage(), failed);
        }
    }

    /** Whether the fault is still being done by itself. */
    boolean isLasting() {
        return stopped != null && !stopped.isDone();
    }

    /**
     * Brings back what is still away. May block.
     *
     * @throws Refusal when it does not come back
     */
    void undo() {
        if (stopped != null) {
            try {
                stopped.join();
            } catch (CompletionException failed) {
                throw CommandException.environment(
                        String.valueOf(failed.getCause().getMessage()));
            }
        }
        if (fault.kind() == FaultKind.KILL_BROKER && brokers.count() > 1) {
            brokers.restart(FaultSchedule.brokerOf(fault.targets().get(0)));
        }
    }

    /** Something out of the ordinary; null when there was nothing. */
    String remark() {
        return remark;
    }
}
