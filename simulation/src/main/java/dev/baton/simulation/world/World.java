package dev.baton.simulation.world;

import dev.baton.simulation.plan.Choices;
import dev.baton.simulation.plan.Choices.Kind;
import dev.baton.simulation.plan.Fault;
import dev.baton.simulation.plan.Faults;
import dev.baton.simulation.plan.Reached;
import dev.baton.simulation.plan.Rule;
import dev.baton.simulation.plan.Setting;
import dev.baton.simulation.plan.Trace;
import dev.baton.simulation.time.Actor;
import dev.baton.simulation.time.Carrier;
import dev.baton.simulation.time.Scheduler;
import dev.baton.simulation.time.SimEnvironment;
import dev.baton.simulation.time.SimProcess;
import dev.baton.spi.Incarnation;
import dev.baton.spi.ObservingConsumer;
import dev.baton.spi.errors.TransportException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * One schedule: simulated processes over a simulated storage, their faults, and the account of the guarantees. It ends with a process that
 * runs the whole chain without faults, so that everything comes out. Confined to the baton's holder.
 */
final class World implements Scheduler.Events {
    private record Event(long at, int number, Runnable body) {}

    private record Planned(int step, Fault fault) {}

    private static final long BOOT =
            Incarnation.begin(1, Incarnation.NO_TOPOLOGY).boot();
    private static final int MAX_FAULTS = 5;
    private static final long SET_BACK_MILLIS = 3_600_000;
    private static final long RESTORE_MILLIS = 1_000; // that it takes by the wall clock

    final Setting setting;
    final Choices choices;
    final Scheduler scheduler;
    final Trace trace;
    final SimStorage storage = new SimStorage();
    final int[] faults = new int[Fault.values().length];
    final int[] met = new int[Reached.values().length];
    private final GuaranteeAccount account;
    private final Map<SimProcess, SimTransport> transports = new HashMap<>();
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingInt(Event::number));
    private final List<SimProcess> processes = new ArrayList<>(); // alive
    private final List<Planned> planned = new ArrayList<>();
    private final int[] livesLeft = new int[3]; // of each slot; the one that recovers everything has no further life
    private final SimProcess[] nextLives = new SimProcess[2]; // with what they will meet; null: nothing
    private long wallShiftMillis; // of the clock that ids of writers count by
    private int restores;
    private int eventNumber;
    private int pendingLives;
    private int nextFault;
    private boolean hasRecovered;
    private boolean hasDamaged; // a snapshot
    private boolean isRefused; // the process that recovers everything, by a state of other inputs
    private boolean hasRecoveredAgain;

    World(Carrier.Pool pool, Choices choices, Trace trace) {
        this.choices = choices;
        this.trace = trace;
        this.setting = new Setting(choices);
        this.scheduler = new Scheduler(pool, choices, this, trace);
        this.account = new GuaranteeAccount(this);
        planFaults();
        int slots = setting.spread == Setting.Spread.ONE_PROCESS ? 1 : 2;
        for (int slot = 0; slot < slots; slot++) {
            livesLeft[slot] = setting.lives;
            launchAfter(slot, slot * choices.next(Kind.PLAN, 8) * Setting.MILLIS / 2);
        }
    }

    GuaranteeAccount account() {
        return account;
    }

    /** Returns the access of a process to the storage. */
    SimTransport transport(SimProcess process) {
        return transports.computeIfAbsent(process, any -> new SimTransport(this, process));
    }

    @Override
    public void violate(Rule rule, String text, Throwable cause) {
        account.violate(rule, text, cause);
    }

    @Override
    public boolean hasViolation() {
        return account.hasViolation();
    }

    private void planFaults() {
        int count = setting.isQuick ? 0 : choices.next(Kind.PLAN, MAX_FAULTS);
        int step = 0;
        for (int i = 0; i < count; i++) {
            step += 1 + choices.next(Kind.PLAN, 150);
            Fault fault = Faults.pick(choices, setting);
            if (fault != null) {
                planned.add(new Planned(step, fault));
            }
        }
        if (!setting.isQuick && choices.oneIn(Kind.STORAGE, 5)) {
            Fault fault = Faults.pickOfStorage(choices, setting);
            int at = 1 + choices.next(Kind.STORAGE, 300);
            planned.add(new Planned(at, fault));
            if (fault == Fault.SYNC_FAILS) {
                planned.add(new Planned(at + choices.next(Kind.STORAGE, 100), Fault.MACHINE_CRASH));
            }
            planned.sort(Comparator.comparingInt(Planned::step));
        }
    }

    private void launchAfter(int slot, long nanos) {
        if (livesLeft[slot] == 0) {
            return;
        }
        int life = setting.lives - --livesLeft[slot];
        pendingLives++;
        at(scheduler.now + nanos, () -> {
            pendingLives--;
            launch(new SimProcess(setting, (slot == 0 ? "A" : "B") + life, slot, false));
        });
    }

    private void launch(SimProcess process) {
        SimProcess armed = process.isRecovery ? null : nextLives[process.slot];
        if (armed != null) {
            nextLives[process.slot] = null;
            process.opensUntilFailure = armed.opensUntilFailure;
            process.opensUntilSlow = armed.opensUntilSlow;
            process.slowOpenNanos = armed.slowOpenNanos;
        }
        process.throwsNext = setting.isHasty && !process.isRecovery ? 1 : 0;
        processes.add(process);
        ProcessScript life = new ProcessScript(this, process);
        scheduler.add(process.name + " main", process, true, life);
    }

    @Override
    public boolean isOver() {
        if (pendingLives > 0) {
            return false;
        }
        if (hasRecovered && (!isRefused || hasRecoveredAgain)) {
            return true;
        }
        if (isRefused) {
            hasRecoveredAgain = true;
            account.uselessSnapshots().forEach(storage::delete);
        }
        hasRecovered = true;
        storage.topics.values().forEach(SimTopic::restore);
        launch(new SimProcess(setting, isRefused ? "recovery2" : "recovery", 2, true));
        return false;
    }

    /** Records a refused recovery: a saved state belongs to other inputs than the stored ones. */
    void recoveryRefused() {
        isRefused = true;
    }

    @Override
    public void end() {
        for (SimProcess process : List.copyOf(processes)) {
            exit(process);
        }
    }

    void at(long nanos, Runnable body) {
        events.add(new Event(nanos, eventNumber++, body));
    }

    @Override
    public long nextEventAt() {
        Event next = events.peek();
        return next == null ? Long.MAX_VALUE : next.at;
    }

    @Override
    public void beforeStep() {
        while (!events.isEmpty() && events.peek().at <= scheduler.now) {
            events.poll().body.run();
        }
        while (nextFault < planned.size() && planned.get(nextFault).step <= scheduler.steps && !hasRecovered) {
            inject(planned.get(nextFault++).fault);
        }
    }

    private void inject(Fault fault) {
        if (processes.isEmpty()) {
            return;
        }
        Kind kind = fault.isOfStorage() ? Kind.STORAGE : Kind.PLAN;
        SimProcess victim = processes.get(choices.next(kind, processes.size()));
        faults[fault.ordinal()]++;
        trace.fact(fault.ordinal() * 31L + victim.slot);
        says(victim.name + ": " + fault.meaning);
        switch (fault) {
            case KILL -> kill(victim);
            case PAUSE -> {
                victim.pausedUntil = scheduler.now + choices.next(Kind.PLAN, 30) * 3 * Setting.MILLIS;
                victim.wasPaused = true;
            }
            case OPEN_FAILS, OPEN_IS_SLOW -> armOpen(victim, fault);
            case BACKGROUND_FAILURE -> failInBackground(victim);
            case SERVICE_THROWS -> victim.throwsNext = 1 + choices.next(Kind.PLAN, 3);
            case SOURCE_THROWS -> victim.throwsInSource = true;
            case MACHINE_CRASH -> crash();
            case SNAPSHOT_DAMAGED -> damageSnapshot();
            case SYNC_FAILS -> victim.failsNextSync = true;
            case POSITION_FLIPPED, FRAME_DAMAGED, TOPIC_SHORTENED -> damageStorage(fault);
            case TOPIC_REPLACED, TOPIC_RESTORED -> replaceInput(fault == Fault.TOPIC_RESTORED);
            default -> throw new IllegalStateException(fault.name());
        }
    }

    /** Plans a fault for one of the next opens of a process, or of its next life. */
    private void armOpen(SimProcess running, Fault fault) {
        SimProcess victim = running;
        int opens = choices.next(Kind.PLAN, 10);
        if (choices.oneIn(Kind.PLAN, 2)) {
            victim = nextLives[running.slot];
            if (victim == null) {
                victim = new SimProcess(setting, "", running.slot, false);
                nextLives[running.slot] = victim;
            }
        }
        if (fault == Fault.OPEN_FAILS) {
            victim.opensUntilFailure = opens;
        } else {
            victim.opensUntilSlow = opens;
            long millis =
                    setting.isMerged ? 900 : 9_000; // where a loop has several connections it turns every millisecond
            victim.slowOpenNanos = (1 + choices.next(Kind.PLAN, 10)) * millis * Setting.MILLIS;
        }
    }

    private void failInBackground(SimProcess victim) {
        victim.metFault = true;
        List<SimConnection> open = transport(victim).connections;
        if (!open.isEmpty()) {
            open.get(choices.next(Kind.WORLD, open.size()))
                    .failInBackground(new TransportException("simulated background failure"));
        }
    }

    private void kill(SimProcess victim) {
        exit(victim);
        launchAfter(victim.slot, (1 + choices.next(Kind.PLAN, 20)) * Setting.MILLIS / 4);
    }

    /** Ends a process: its actors stop, and its locks are free. */
    void exit(SimProcess process) {
        if (process.isDead) {
            return;
        }
        processes.remove(process);
        scheduler.kill(process);
        transport(process).prepared.forEach(SimConnection.PreparedOpening::undo);
        for (SimConnection connection : transport(process).connections) {
            connection.readers.forEach(SimReader::killed);
            for (SimWriter writer : connection.writers) {
                if (!writer.isClosed) {
                    writer.killed(choices);
                }
            }
        }
    }

    /** Handles a process whose main script has ended. */
    void ended(SimProcess process) {
        exit(process);
        launchAfter(process.slot, process.slot == 2 ? 0 : choices.next(Kind.PLAN, 8) * Setting.MILLIS);
    }

    private void crash() {
        for (SimProcess process : List.copyOf(processes)) {
            kill(process);
        }
        for (SimTopic topic : storage.topics.values()) {
            if (topic.stored < topic.log.size()) {
                // each page may be lost, and what follows the first lost one is a torn tail
                topic.truncate(topic.stored + choices.next(Kind.STORAGE, topic.log.size() - topic.stored + 1));
                account.cutOff(topic);
            }
            keepPositions(topic);
        }
    }

    /** Limits positions to the end of their topic, with what a person may restore. */
    private static void keepPositions(SimTopic topic) {
        for (SimTopic.Consumer consumer : topic.consumers.values()) {
            consumer.position = Math.min(consumer.position, topic.restorableSize());
            consumer.older = Math.min(consumer.older, consumer.position);
        }
    }

    private void replaceInput(boolean isRestored) {
        for (SimProcess process : List.copyOf(processes)) {
            kill(process);
        }
        String name = account.topic(choices.next(Kind.PLAN, setting.partitions), 0);
        SimTopic topic = storage.find(name);
        if (topic == null) {
            return;
        }
        if (isRestored) {
            wallShiftMillis = ++restores * RESTORE_MILLIS;
            topic.truncate(choices.next(Kind.PLAN, topic.log.size() + 1));
            keepPositions(topic);
            account.restored(topic);
        } else {
            // a writer whose clock is set back behind the restored end of its topic cannot be told from an earlier one
            boolean isSetBack = choices.oneIn(Kind.PLAN, 4) && restores == 0;
            wallShiftMillis = isSetBack ? -SET_BACK_MILLIS : restores * RESTORE_MILLIS;
            storage.delete(name);
            storage.create(name);
            account.replaced(storage.find(name));
        }
    }

    /** Damages a topic or a position; everything else of it is as it was. */
    private void damageStorage(Fault fault) {
        for (SimProcess process : List.copyOf(processes)) {
            kill(process);
        }
        List<SimTopic> topics = List.copyOf(storage.topics.values());
        if (topics.isEmpty()) {
            return;
        }
        SimTopic topic = topics.get(choices.next(Kind.STORAGE, topics.size()));
        if (choices.oneIn(Kind.STORAGE, 2)) { // they are few, and nothing else ever reads them
            topic = topics.stream()
                    .filter(each -> each.name.contains(".dead-letters") && each.stored > 1)
                    .findFirst()
                    .orElse(topic);
        }
        if (fault == Fault.POSITION_FLIPPED) {
            int bit = 1 << choices.next(Kind.STORAGE, 5);
            topic.consumers.values().forEach(each -> each.flipped = each.position ^ bit);
        } else {
            topic.damage(choices.next(Kind.STORAGE, topic.stored + 1), fault == Fault.TOPIC_SHORTENED);
        }
        says("in topic " + topic.name);
    }

    /** Damages a snapshot, once, as a service needs one of the two newest. */
    private void damageSnapshot() {
        for (SimProcess process : List.copyOf(processes)) {
            kill(process);
        }
        if (!hasDamaged) {
            hasDamaged = account.damageSnapshot(choices.next(Kind.PLAN, setting.partitions * setting.steps.size()));
            says(hasDamaged ? "the newest snapshot is altered" : "there is no snapshot to alter");
        }
    }

    /** Applies a fault that was planned for the next open of a process. */
    void meetOpenFault(SimProcess process, String what) {
        if (process.hasSlowOpens) {
            int millis = choices.next(Kind.WORLD, 4);
            if (millis > 0) {
                scheduler.sleep(millis * Setting.MILLIS);
            }
        }
        if (process.opensUntilSlow >= 0 && process.opensUntilSlow-- == 0 && mayTakeLong()) {
            process.metFault = true;
            process.metSlowOpen = true;
            says(what + " takes " + process.slowOpenNanos / Setting.MILLIS + " ms");
            scheduler.sleep(process.slowOpenNanos);
        }
        if (process.opensUntilFailure >= 0 && process.opensUntilFailure-- == 0) {
            process.metFault = true;
            throw new TransportException("simulated failure of " + what);
        }
    }

    /** {@return whether opens may take long: inlets of partitions share a connection, so the transport then has to open in two steps} */
    private boolean mayTakeLong() {
        return setting.opensInSteps || setting.partitions == 1 || !scheduler.current.isScript;
    }

    /** Returns the epoch of a writer that follows one with this count. */
    Incarnation incarnation(long newest, String topology, SimProcess process) {
        long wallMillis = (SimEnvironment.wallOffset() + scheduler.now) / Setting.MILLIS + wallShiftMillis;
        long id = Incarnation.id(Incarnation.countAfter(newest, wallMillis), choices.next(Kind.WORLD, 1 << 20));
        return new Incarnation(id, topology, BOOT, SimEnvironment.wallOffset(), process.name);
    }

    /** {@return the frames that the slowest consumer of a topic has not acknowledged} */
    int backlog(SimTopic topic) {
        int slowest = Integer.MAX_VALUE;
        for (Map.Entry<String, SimTopic.Consumer> each : topic.consumers.entrySet()) {
            if (!ObservingConsumer.isObserving(each.getKey())) {
                slowest = Math.min(slowest, each.getValue().position);
            }
        }
        int frames = 0;
        for (int i = slowest == Integer.MAX_VALUE ? 0 : slowest; i < topic.log.size(); i++) {
            if (!topic.log.get(i).isMarker() && topic.log.get(i).counts) {
                frames++;
            }
        }
        return frames;
    }

    void appended(SimTopic topic) {
        account.appended(topic, topic.log.get(topic.log.size() - 1));
        if (setting.wakesForNews) {
            for (SimReader reader : topic.readers) {
                reader.connection.news();
            }
        }
    }

    /** Adds the contents of the topics at the end to a trace with text. */
    void saysTopics() {
        for (SimTopic topic : storage.topics.values()) {
            StringBuilder text = new StringBuilder(topic.name).append(':');
            for (SimTopic.Entry entry : topic.log) {
                if (entry.isMarker()) {
                    text.append(" [").append(entry.author.process()).append(']');
                } else {
                    text.append(' ').append(entry.counts ? "" : "dropped ").append(entry.sequence);
                    text.append('=').append(entry.payload).append('<').append(entry.cause);
                }
            }
            says(text.toString());
        }
    }

    void reached(Reached what) {
        met[what.ordinal()]++;
    }

    /** Adds a line to a trace with text. */
    void says(String what) {
        if (trace.isText()) {
            Actor who = scheduler.current;
            trace.line(scheduler.steps, scheduler.now - Scheduler.START_NANOS, who == null ? "-" : who.name, what);
        }
    }
}
