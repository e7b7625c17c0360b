package dev.baton.simulation.world;

import dev.baton.Claim;
import dev.baton.Deployment;
import dev.baton.Inlet;
import dev.baton.MessageFields;
import dev.baton.Requests;
import dev.baton.RunningChain;
import dev.baton.SharedInlet;
import dev.baton.SharedInlet.Offer;
import dev.baton.partitions.Partitions;
import dev.baton.partitions.Partitions.PartitionChange;
import dev.baton.run.Environment;
import dev.baton.run.Loops;
import dev.baton.simulation.plan.Choices.Kind;
import dev.baton.simulation.plan.Rule;
import dev.baton.simulation.plan.Setting;
import dev.baton.simulation.time.Actor;
import dev.baton.simulation.time.Scheduler;
import dev.baton.simulation.time.SimEnvironment;
import dev.baton.simulation.time.SimProcess;
import dev.baton.spi.ObservingConsumer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The main script of a simulated process: starts its part of the chain, sends, closes. */
final class ProcessScript implements Environment.Worker {
    private static final long SLOWEST_OPEN_NANOS = 120_000 * Setting.MILLIS;
    private static final long SEND_PATIENCE_NANOS = 20 * Setting.MILLIS;
    private static final long[] TIMEOUTS = {50, 2, 20}; // ms
    private static final int MOST_OPEN = 512;
    private static final long LONGEST_TIMEOUT_NANOS = 50 * Setting.MILLIS;
    private static final long RECOVERY_NANOS = 60_000 * Setting.MILLIS;
    private static final long WAKE_NANOS = 400 * Setting.MILLIS;
    private static final long START_NANOS = 500 * Setting.MILLIS;
    private static final long CLOSE_SLACK_NANOS = 11_000 * Setting.MILLIS;

    private final World world;
    private final Setting setting;
    private final SimProcess process;
    private final Run run;
    private final Scheduler scheduler;
    private final SimEnvironment environment;
    private final ProcessChain chain;
    private Beside beside; // null: nothing
    private Actor sender;
    private int senders;
    private long closeMillis;
    private Requests<Long, Long> requests; // null: none
    private boolean isClaiming; // a sender is in a call of its inlet
    private boolean isClosing; // the chain, or its requests

    ProcessScript(World world, SimProcess process) {
        this.world = world;
        this.setting = world.setting;
        this.process = process;
        this.run = new Run(process, world.setting);
        this.scheduler = world.scheduler;
        this.environment = new SimEnvironment(world.scheduler, world.choices, process);
        this.chain = new ProcessChain(world, process, run);
    }

    @Override
    public boolean turn() {
        try (Loops loops = loops()) {
            live(loops);
        }
        checkNothingLeft("the end of its loops");
        if (process.metSlowOpen) {
            scheduler.sleep(SLOWEST_OPEN_NANOS); // no loop ends within a call of its transport
        }
        for (Actor actor : process.actors) {
            if (actor != scheduler.current && !actor.isDone && !process.isDead) {
                world.account().violate(Rule.LEFT_BEHIND, actor + " still runs after its loops were closed", null);
            }
        }
        world.says("ends");
        world.ended(process);
        return false;
    }

    private Loops loops() {
        long idle = process.isRecovery ? Setting.MILLIS : setting.idleNanos;
        Loops loops = setting.loops == 0 ? Loops.threadPerService() : Loops.cooperative(setting.loops);
        return loops.idle(sweeps -> idle).in(environment);
    }

    private void live(Loops loops) {
        Deployment deployment = chain.deployment(loops);
        if (setting.partitions > 1) {
            RunningChain partitions;
            try {
                partitions = deployment
                        .partitions(setting.partitions)
                        .onPartition(this::partitionChanged)
                        .start();
            } catch (RuntimeException failure) {
                startFailed(failure);
                return;
            }
            work(partitions);
            close(partitions::close);
        } else {
            RunningChain running;
            long began = scheduler.now;
            try {
                running = deployment.start();
                if (!process.hasSlowOpens) {
                    checkBound("a start without slow opens", began, START_NANOS);
                }
            } catch (RuntimeException failure) {
                checkBound("a start that failed", began, (60_000L * (setting.steps.size() + 2)) * Setting.MILLIS);
                startFailed(failure);
                return;
            }
            if (setting.isMerged && chain.runsOutlet()) {
                beside = new Beside(world, process, loops);
                beside.start();
            }
            work(running);
            close(running::close);
        }
    }

    private void startFailed(RuntimeException failure) {
        run.isClosed = true;
        world.says("start failed: " + failure.getMessage());
        world.account().startFailed(run, failure);
        if (process.metSlowOpen) {
            scheduler.sleep(SLOWEST_OPEN_NANOS); // actions in progress end
        }
        checkNothingLeft("a start that failed");
    }

    private void work(RunningChain running) {
        world.says("started");
        if (!chain.isFeeding()) {
            scheduler.block(world.choices.next(Kind.PLAN, 12) * Setting.MILLIS);
            return;
        }
        if (process.isRecovery) {
            recover(running);
            return;
        }
        switch (setting.entrance) {
            case SOURCE -> waitForSource();
            case SHARED_INLET -> {
                if (setting.asks) {
                    ask(running);
                } else if (running.isPartitioned()) {
                    send(through(running));
                } else {
                    offer(running);
                }
            }
            case INLET_OF_ANOTHER_THREAD -> {
                Sending sending = through(running);
                sender = scheduler.add(process.name + " sender", process, true, () -> {
                    senders++;
                    send(sending);
                    senders--;
                    return false;
                });
                scheduler.block(world.choices.next(Kind.PLAN, 12) * Setting.MILLIS / 2);
            }
            default -> send(through(running));
        }
        if (setting.isHasty) {
            return;
        }
        if (setting.isQuick && setting.stalledPartition < 0 && !process.isRecovery) {
            waitForOutputs();
        } else if (world.choices.oneIn(Kind.PLAN, 2)) {
            scheduler.block(world.choices.next(Kind.PLAN, 6) * Setting.MILLIS);
        }
    }

    /** Waits for outputs. Loops that sleep for seconds are woken, so that none waits for its next sweep. */
    private void waitForOutputs() {
        for (int i = 0; i < 4; i++) {
            scheduler.block(WAKE_NANOS / 4);
        }
        world.account().checkAllCameOut(run, Rule.OVERDUE);
    }

    private void waitForSource() {
        long end = scheduler.now + 100 * Setting.MILLIS;
        while (!chain.source().isDone() && !run.hasFailed && scheduler.now < end) {
            scheduler.block(Setting.MILLIS);
        }
    }

    private void offer(RunningChain running) {
        SharedInlet shared;
        try {
            shared = running.sharedInlet(1 + world.choices.next(Kind.PLAN, 6));
        } catch (RuntimeException failure) {
            world.account().startFailed(run, failure);
            return;
        }
        for (int i = 0; i < setting.messages; i++) {
            long payload = world.account().newPayload();
            byte[] bytes = new byte[Long.BYTES];
            ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(payload);
            try {
                if (shared.offer(bytes) == Offer.ACCEPTED) {
                    run.sent.add(payload);
                }
            } catch (RuntimeException failed) {
                world.account().refused(run, failed);
                return;
            }
            pause();
        }
    }

    /** Opens the requests of this process; returns false if that fails. */
    private boolean opensRequests(RunningChain running) {
        try {
            requests = running.requests(
                    Tallies.KEY, Tallies.KEY, process.isRecovery ? MOST_OPEN : 1 + world.choices.next(Kind.WORLD, 6));
            return true;
        } catch (RuntimeException failure) {
            world.account().startFailed(run, failure);
            return false;
        }
    }

    private void ask(RunningChain running) {
        if (!opensRequests(running)) {
            return;
        }
        for (int i = 0; i < setting.messages; i++) {
            ask(TIMEOUTS[world.choices.next(Kind.WORLD, TIMEOUTS.length)]);
            pause();
        }
        boolean isWaiting = !world.choices.oneIn(Kind.WORLD, 3);
        long end = scheduler.now + LONGEST_TIMEOUT_NANOS + SEND_PATIENCE_NANOS;
        while (isWaiting && requests.open() > 0 && scheduler.now < end) {
            scheduler.block(Setting.MILLIS);
        }
        if (isWaiting && requests.open() > 0 && !process.wasPaused) {
            world.account().violate(Rule.OVERDUE, requests.open() + " requests are open after their timeouts", null);
        }
        if (!chain.runsOutlet() || world.choices.oneIn(Kind.WORLD, 2)) {
            closeRequests();
        }
    }

    private CompletableFuture<?> ask(long timeoutMillis) {
        List<Long> known = world.account().requests().ids();
        boolean isResend = !known.isEmpty() && !process.isRecovery && world.choices.oneIn(Kind.WORLD, 3);
        return isResend
                ? ask(known.get(world.choices.next(Kind.WORLD, known.size())), true, timeoutMillis)
                : ask(world.account().newPayload(), false, timeoutMillis);
    }

    private CompletableFuture<?> ask(long payload, boolean isResend, long timeoutMillis) {
        long began = scheduler.now;
        Duration timeout = Duration.ofMillis(timeoutMillis);
        CompletableFuture<Optional<Long>> reply = setting.resends
                ? requests.ask(
                        run.key(payload), payload, world.account().requests().id(payload), timeout)
                : requests.ask(run.key(payload), payload, timeout);
        if (!reply.isDone() && !isResend) {
            run.sent.add(payload);
        }
        reply.whenComplete((value, failure) -> world.account()
                .requests()
                .ended(run, payload, value, failure, scheduler.now - began, timeout.toNanos(), isClosing));
        return reply;
    }

    private void closeRequests() {
        isClosing = true;
        requests.close();
        if (requests.open() > 0) {
            world.account().violate(Rule.LEFT_BEHIND, requests.open() + " requests are open after their close", null);
        }
    }

    private void pause() {
        int nanos = world.choices.next(Kind.WORLD, 6);
        scheduler.block(nanos < 3 ? 0 : nanos < 5 ? 100_000 : Setting.MILLIS);
    }

    /** The inlet of a chain; null for one with partitions, whose inlets are selected by the payload. */
    private record Sending(Run run, Inlet inlet, RunningChain running, Partitions partitions) {
        Claim tryClaim(long payload) {
            Inlet selected = inlet != null ? inlet : running.inlet(partitions.partitionOf(payload));
            ByteBuffer key = run.key(payload);
            return key == null
                    ? selected.tryClaim(Long.BYTES)
                    : selected.tryClaim(Long.BYTES, new MessageFields().key(key));
        }
    }

    private Sending through(RunningChain running) {
        return running.isPartitioned()
                ? new Sending(run, null, running, Partitions.of(setting.partitions))
                : new Sending(run, running.inlet(), running, null);
    }

    private void send(Sending to) {
        for (int i = 0; i < setting.messages && !run.isClosed; i++) {
            long payload = world.account().newPayload();
            try {
                if (!send(to, payload) || setting.isHasty && !process.isRecovery) {
                    return;
                }
            } catch (RuntimeException refused) {
                world.account().refused(run, refused);
                return;
            }
            pause();
        }
    }

    private Claim claim(Sending to, long payload) {
        isClaiming = true;
        try {
            return to.tryClaim(payload);
        } finally {
            isClaiming = false;
        }
    }

    private boolean send(Sending to, long payload) {
        long end = scheduler.now + SEND_PATIENCE_NANOS;
        Claim claim = claim(to, payload);
        while (claim == null) {
            if (scheduler.now >= end) {
                return false;
            }
            scheduler.block(100_000);
            claim = claim(to, payload);
        }
        world.account().offered(payload);
        claim.putLong(0, payload);
        if (world.choices.oneIn(Kind.WORLD, 8)) {
            scheduler.block(0); // with an open claim
        }
        long sequence = claim.commit(Long.BYTES);
        run.sent.add(payload);
        if (to.inlet != null) {
            world.account().sent(run, payload, sequence);
            world.account().confirmed(run, to.inlet.storedSequence());
        }
        return true;
    }

    /** Sends one request, to which nothing happens, and all earlier ones that have an id again. */
    private void recoverAsking(RunningChain running) {
        if (!opensRequests(running)) {
            return;
        }
        List<CompletableFuture<?>> replies = new ArrayList<>();
        for (long known : List.copyOf(world.account().requests().ids())) {
            replies.add(ask(known, true, RECOVERY_NANOS / Setting.MILLIS));
        }
        replies.add(ask(RECOVERY_NANOS / Setting.MILLIS));
        CompletableFuture<?> reply = CompletableFuture.allOf(replies.toArray(CompletableFuture[]::new));
        long end = scheduler.now + RECOVERY_NANOS;
        while (!run.hasFailed
                && scheduler.now < end
                && !(reply.isDone() && world.account().isComplete())) {
            scheduler.block(5 * Setting.MILLIS);
        }
        if (!run.hasFailed && (!reply.isDone() || reply.isCompletedExceptionally() && !setting.skips)) {
            world.account().violate(Rule.LOST, "a request of the last process got no reply", null);
        }
        closeRequests();
    }

    private void recover(RunningChain running) {
        if (setting.asks) {
            recoverAsking(running);
            return;
        }
        Sending to = through(running);
        long payload = world.account().newPayload();
        long end = scheduler.now + RECOVERY_NANOS;
        try {
            send(to, payload);
            // a close does not await timers, which begin when the message is there
            long least = scheduler.now + (setting.steps.contains(Setting.Step.TIMERS) ? 5 * Setting.MILLIS : 0);
            while (!run.hasFailed
                    && scheduler.now < end
                    && !(scheduler.now >= least
                            && isStored(to)
                            && world.account().isComplete())) {
                scheduler.block(5 * Setting.MILLIS);
            }
        } catch (RuntimeException refused) {
            world.account().refused(run, refused);
        }
    }

    /** {@return whether the sent messages are stored; until then no later one can be missed} */
    private boolean isStored(Sending to) {
        if (to.inlet == null) {
            return true;
        }
        long stored = to.inlet.storedSequence();
        world.account().confirmed(run, stored);
        return stored == to.inlet.sequence();
    }

    private interface Closing {
        boolean close(Duration limit);
    }

    private void close(Closing closing) {
        long millis = process.isRecovery ? 5_000 : 1 + world.choices.next(Kind.PLAN, 5) * 20;
        closeMillis = millis;
        long began = scheduler.now;
        world.says("closes within " + millis + " ms");
        isClosing = true;
        boolean isDrained = closing.close(Duration.ofMillis(millis));
        run.isClosed = true;
        world.says(isDrained ? "closed, drained" : "closed with in-flight messages");
        if (requests != null && requests.open() > 0) {
            world.account()
                    .violate(
                            Rule.LEFT_BEHIND,
                            requests.open() + " requests are open after the close of their chain",
                            null);
        }
        if (requests != null) {
            closeRequests();
        }
        if (beside != null) {
            beside.close(Duration.ofMillis(millis));
        }
        checkBound("close", began, millis * Setting.MILLIS + CLOSE_SLACK_NANOS);
        awaitOpens();
        checkNothingLeft("close");
        if (sender != null) {
            environment.join(sender.thread, 100_000 * Setting.MILLIS);
        }
        long stages = run.stages.stream().filter(each -> !each.isDone()).count();
        if (stages > 0) {
            world.account().violate(Rule.LEFT_BEHIND, stages + " stages are not cancelled after a close", null);
        }
        world.account().closed(run, isDrained, setting.spread != Setting.Spread.PARTS || process.isRecovery);
    }

    /**
     * Handles a change of partitions. Of partitions that are closed together each has the whole time to drain, even if one is stalled.
     * Concurrent calls end one by one, a millisecond apart, so for them even the longest time may be too short.
     */
    private void partitionChanged(PartitionChange change) {
        if (change.kind() == PartitionChange.Kind.CUT_OFF
                && setting.stalledPartition >= 0
                && change.partition() != setting.stalledPartition
                && !process.isRecovery
                && !setting.isConcurrent
                && closeMillis > 20) {
            world.account().violate(Rule.OVERDUE, change + ", while another partition is stalled", null);
        }
    }

    /** Waits for opens that are in progress at the close, as their thread closes them soon after they have ended. */
    private void awaitOpens() {
        boolean isAnyOpening = isAnyOpening();
        long end = scheduler.now + SLOWEST_OPEN_NANOS;
        while (scheduler.now < end && isAnyOpening()) {
            scheduler.sleep(1_000 * Setting.MILLIS);
        }
        if (isAnyOpening) {
            scheduler.sleep(1_000 * Setting.MILLIS);
        }
    }

    private boolean isAnyOpening() {
        return isClaiming // the first claim opens the inlet
                || world.transport(process).connections.stream().anyMatch(SimConnection::isOpening);
    }

    private void checkBound(String what, long began, long limitNanos) {
        long lasted = scheduler.now - began;
        if (lasted > limitNanos && !process.wasPaused) {
            world.account().violate(Rule.OVERDUE, what + " lasted " + lasted / Setting.MILLIS + " ms", null);
        }
    }

    private void checkNothingLeft(String when) {
        if (process.isDead) {
            return; // killed within this step
        }
        if (!world.transport(process).prepared.isEmpty()) {
            world.account()
                    .violate(
                            Rule.LEFT_BEHIND,
                            "an open that was prepared by " + process + " is left after " + when,
                            null);
        }
        for (SimTopic topic : world.storage.topics.values()) {
            topic.consumers.forEach((name, consumer) -> {
                boolean wasLate = process.metSlowOpen; // opened after the start had given up
                if (consumer.opener == process && ObservingConsumer.isObserving(name) && !wasLate) {
                    world.account().violate(Rule.LEFT_BEHIND, "consumer " + name + " is left after " + when, null);
                }
            });
        }
        if (!world.transport(process).connections.isEmpty()) {
            world.account()
                    .violate(
                            Rule.LEFT_BEHIND,
                            world.transport(process).connections.size() + " connections of " + process
                                    + " are open after " + when,
                            null);
        }
    }
}
