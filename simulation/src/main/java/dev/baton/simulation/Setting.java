package dev.baton.simulation;

import dev.baton.simulation.Choices.Kind;
import dev.baton.spi.PartitionTopic;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The plan of a schedule: the chain, its processes, and the properties of its transport. */
final class Setting {
    enum Store {
        /** Visible and stored at the flush. */
        AT_ONCE,
        /** Visible at the flush, stored later: a crash of the machine loses the end. */
        LATE,
        /** Visible and stored later; the writer learns of it after a further delay. */
        OVER_NETWORK
    }

    enum Step {
        FORWARD,
        FILTER,
        FAN_OUT,
        WINDOW,
        TICKING_WINDOW,
        STATE,
        TICKING_STATE
    }

    enum Spread {
        ONE_PROCESS,
        RIVALS,
        PARTS
    }

    enum Entrance {
        INLET,
        INLET_OF_ANOTHER_THREAD,
        SHARED_INLET,
        SOURCE
    }

    static final long MILLIS = 1_000_000L;
    private static final long[] IDLE_NANOS = {1 * MILLIS, 200_000, 20 * MILLIS, 2_000 * MILLIS};
    private static final int MAX_FAN_OUTS = 2;
    private static final long[] SNAPSHOT_NANOS = {4 * MILLIS, 1 * MILLIS, 20 * MILLIS, 500 * MILLIS};
    private static final int[] ROOMS = {256, 8, 3, 2};

    private final Choices choices;

    final List<Step> steps = new ArrayList<>();
    final Spread spread;
    final int split; // the first service of the second process, where a chain is spread in parts
    final int lives; // of each process
    final Entrance entrance;
    final int messages; // of each life
    final int partitions;
    final int loops; // 0: one for each service
    final long idleNanos;
    final int retries;
    final boolean skips;
    final boolean writesLetters; // of what it skips
    final long pauseNanos; // before a retry
    final boolean isConcurrent; // services without memory have concurrent calls, and messages have keys
    final boolean isPerKey; // services without memory set failed messages aside, and messages have keys
    final boolean hasSlowOpens;
    final boolean opensInSteps; // what takes long in an open holds up the caller alone
    final boolean isChecked;
    final boolean isMerged; // a branch of the first topic, a merge of it with others, and an audit run beside the chain
    final boolean mergesFirst; // the first topic too
    final boolean knowsBacklog;
    final long snapshotNanos; // between two snapshots
    final int snapshotInputs; // after which one is taken as well; 0: none

    final boolean isQuick; // nothing keeps a message from coming out at once, if only loops wake each other
    final Store store;
    final boolean isExclusive;
    final boolean isAtomic;
    final boolean needsWork;
    final boolean isBounded;
    final int room;
    final int capacity;
    final boolean knowsSequence;
    final boolean knowsNewest;
    final boolean wakesForNews;
    private final boolean cutsPolls;
    private final boolean remembersLate;
    private final boolean isSlow;
    final boolean isHasty; // closes right after the first message, whose first callback throws
    final int stalledPartition; // whose services find no room; -1: none

    Setting(Choices choices, Faults allowed) {
        this.choices = choices;
        isQuick = choices.oneIn(Kind.PLAN, 16);
        int services = pick(5);
        for (int i = 0; i < services; i++) {
            int kind = pick(8);
            Step step = kind < 4 ? Step.FORWARD : Step.values()[kind - 3];
            boolean isTooMuch = step == Step.FAN_OUT && Collections.frequency(steps, step) == MAX_FAN_OUTS;
            steps.add(isTooMuch || isQuick && Steps.hasMemory(step) ? Step.FORWARD : step);
        }
        boolean keepsState = choices.oneIn(Kind.PLAN, 4) && !isQuick;
        for (int i = 0; i < services; i++) {
            int kind = keepsState ? pick(4) : 0;
            if (kind > 1) {
                steps.set(i, kind == 2 ? Step.STATE : Step.TICKING_STATE);
            }
        }
        snapshotNanos = keepsState ? SNAPSHOT_NANOS[pick(SNAPSHOT_NANOS.length)] : 0;
        snapshotInputs = keepsState ? pick(4) * 3 : 0;
        int processes = pick(8);
        spread = processes < 3 || isQuick ? Spread.ONE_PROCESS : processes < 6 ? Spread.RIVALS : Spread.PARTS;
        split = spread == Spread.PARTS ? pick(services + 1) : 0;
        lives = 1 + pick(3);
        Entrance[] entrances = Entrance.values();
        Entrance picked = entrances[pick(entrances.length)];
        Entrance chosen = isQuick && picked == Entrance.INLET_OF_ANOTHER_THREAD ? Entrance.INLET : picked;
        messages = 4 + pick(20);
        int kinds = pick(8);
        boolean isStalling = isQuick && kinds > 5 && services > 0;
        partitions = kinds == 7 && !isQuick || isStalling ? 2 + pick(2) : 1;
        entrance = partitions > 1 && chosen == Entrance.SOURCE ? Entrance.INLET : chosen;
        int threads = pick(6);
        loops = threads < 3 ? 1 : threads < 5 ? 2 : 0;
        long idle = IDLE_NANOS[pick(IDLE_NANOS.length)];
        retries = pick(3);
        skips = choices.oneIn(Kind.PLAN, 3);
        writesLetters = skips && messages % 2 == 0;
        pauseNanos = messages % 4 == 1 ? 3 * MILLIS : 0;
        isConcurrent = messages % 8 == 6;
        isPerKey = messages % 8 == 3 && retries > 0 && !isQuick;
        hasSlowOpens = choices.oneIn(Kind.PLAN, 8) && !isQuick;
        idleNanos = hasSlowOpens || isQuick ? 2_000 * MILLIS : idle;
        isChecked = choices.oneIn(Kind.PLAN, 8);

        isMerged = choices.oneIn(Kind.PLAN, 6) && partitions == 1 && !isQuick;
        mergesFirst = isMerged && choices.oneIn(Kind.PLAN, 2);
        knowsBacklog = isMerged && !choices.oneIn(Kind.PLAN, 2);

        int storing = pick(6);
        store = storing < 2 || isQuick ? Store.AT_ONCE : storing < 4 ? Store.OVER_NETWORK : Store.LATE;
        isExclusive = pick(5) < 3;
        isAtomic = choices.oneIn(Kind.PLAN, 2);
        needsWork = store == Store.OVER_NETWORK && choices.oneIn(Kind.PLAN, 3);
        isBounded = store == Store.AT_ONCE && !hasMemory() && !isMerged && !isQuick && choices.oneIn(Kind.PLAN, 4);
        int rooms = pick(ROOMS.length);
        room = ROOMS[isQuick ? 0 : rooms];
        capacity = 2 + pick(16);
        knowsSequence = !choices.oneIn(Kind.PLAN, 4);
        knowsNewest = !choices.oneIn(Kind.PLAN, 6);
        wakesForNews = choices.oneIn(Kind.PLAN, 2) && !isQuick;
        cutsPolls = choices.oneIn(Kind.PLAN, 3) && !isQuick;
        remembersLate = choices.oneIn(Kind.PLAN, 2);
        isSlow = choices.oneIn(Kind.PLAN, 3);
        isHasty = isQuick && services > 0 && partitions == 1 && choices.oneIn(Kind.PLAN, 3);
        stalledPartition = isStalling && pick(2) == 1 ? pick(partitions) : -1;
        opensInSteps = choices.oneIn(Kind.PLAN, 2);
    }

    private int pick(int bound) {
        return choices.next(Kind.PLAN, bound);
    }

    boolean isImmediate() {
        return store != Store.OVER_NETWORK;
    }

    /** {@return whether the acknowledgement of some inputs waits for others} */
    boolean hasMemory() {
        return steps.stream().anyMatch(Steps::hasMemory);
    }

    boolean isKeyed() {
        return isConcurrent || isPerKey;
    }

    boolean keepsState() {
        return steps.stream().anyMatch(Steps::keepsState);
    }

    /** {@return whether the storage accepts no outputs of the services in a topic's partition} */
    boolean isStalled(String topic) {
        return stalledPartition >= 0 && PartitionTopic.partition(topic) == stalledPartition && !topic.startsWith("c-0");
    }

    long noticeNanos() {
        return choices.next(Kind.WORLD, 20) * 3 * MILLIS;
    }

    long storeNanos() {
        return choices.next(Kind.WORLD, 16) * (isSlow ? MILLIS : 20_000);
    }

    long positionNanos() {
        return remembersLate ? choices.next(Kind.WORLD, 8) * 2 * MILLIS : 0;
    }

    int pollMax() {
        return cutsPolls ? 1 + choices.next(Kind.WORLD, 3) : Integer.MAX_VALUE;
    }

    @Override
    public String toString() {
        return "services " + steps + ", " + spread + (spread == Spread.PARTS ? " split at " + split : "") + ", " + lives
                + " lives of each process, " + messages + " messages by " + entrance
                + (partitions > 1 ? ", " + partitions + " partitions" : "")
                + (stalledPartition < 0 ? "" : ", partition " + stalledPartition + " stalls")
                + (isHasty ? ", closed at once" : "")
                + (keepsState()
                        ? ", snapshots every " + snapshotNanos / MILLIS + " ms"
                                + (snapshotInputs > 0 ? " or " + snapshotInputs + " inputs" : "")
                        : "")
                + ", "
                + (loops == 0 ? "a loop for each service" : loops + " loops") + ", idle for " + idleNanos / 1000
                + " us, retries " + retries + (pauseNanos > 0 ? " after " + pauseNanos / MILLIS + " ms" : "")
                + (writesLetters ? " then dead letters" : skips ? " then skips" : "") + (isChecked ? ", checksums" : "")
                + (isMerged ? ", a branch and a merge" + (mergesFirst ? " of the first topic too" : "") : "")
                + (isConcurrent ? ", concurrent calls" : "") + (isPerKey ? ", retries per key" : "")
                + (hasSlowOpens ? ", slow opens" : "") + (opensInSteps ? ", opens in steps" : "") + "; storage " + store
                + (isExclusive ? ", exclusive" : ", the newest wins") + (isAtomic ? ", flushes whole" : "")
                + (needsWork ? ", needs work" : "") + (isBounded ? ", bounded by " + capacity : "") + ", room " + room
                + (knowsSequence ? "" : ", sequence at open not known") + (knowsNewest ? "" : ", newest not known")
                + (knowsBacklog ? ", backlog known" : "")
                + (wakesForNews ? ", wakes for news" : "") + (cutsPolls ? ", cuts polls" : "")
                + (remembersLate ? ", remembers positions late" : "") + (isSlow ? ", slow" : "");
    }
}
