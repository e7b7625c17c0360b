package dev.baton.simulation.plan;

import dev.baton.simulation.plan.Choices.Kind;
import dev.baton.spi.PartitionTopic;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The plan of a schedule: the chain, its processes, and the properties of its transport. */
public final class Setting {
    public enum Store {
        /** Visible and stored at the flush. */
        AT_ONCE,
        /** Visible at the flush, stored later: a crash of the machine loses the end. */
        LATE,
        /** Visible and stored later; the writer learns of it after a further delay. */
        OVER_NETWORK
    }

    public enum Step {
        FORWARD,
        FILTER,
        FAN_OUT,
        WINDOW,
        TICKING_WINDOW,
        STATE,
        TICKING_STATE,
        KEYED_STATE,
        TIMERS;

        /** {@return whether it sends windows, each of which lists its inputs} */
        public boolean sendsWindows() {
            return this == WINDOW || this == TICKING_WINDOW || this == TICKING_STATE;
        }

        /** {@return whether it has a state that is saved in snapshots} */
        public boolean keepsState() {
            return this == STATE || this == TICKING_STATE || this == KEYED_STATE || this == TIMERS;
        }

        public boolean hasMemory() {
            return sendsWindows() || keepsState();
        }

        /** {@return whether ticks may send its outputs, which then answer no request} */
        public boolean ticks() {
            return sendsWindows() || this == TIMERS;
        }
    }

    public enum Spread {
        ONE_PROCESS,
        RIVALS,
        PARTS
    }

    public enum Entrance {
        INLET,
        INLET_OF_ANOTHER_THREAD,
        SHARED_INLET,
        SOURCE
    }

    public static final long MILLIS = 1_000_000L;
    private static final long[] IDLE_NANOS = {1 * MILLIS, 200_000, 20 * MILLIS, 2_000 * MILLIS};
    private static final int MAX_FAN_OUTS = 2;
    private static final long[] SNAPSHOT_NANOS = {4 * MILLIS, 1 * MILLIS, 20 * MILLIS, 500 * MILLIS};
    private static final int MOST_RECORDS = 16; // that the starts of a schedule add to a full retry topic
    private static final int[] ROOMS = {256, 8, 3, 2};

    private final Choices choices;

    public final List<Step> steps = new ArrayList<>();
    public final Spread spread;
    public final int split; // the first service of the second process, where a chain is spread in parts
    public final int lives; // of each process
    public final Entrance entrance;
    public final boolean asks; // messages are requests, of a process that reads their replies
    public final boolean resends; // requests have ids, and some are sent again
    public final int messages; // of each life
    public final int partitions;
    public final int loops; // 0: one for each service
    public final long idleNanos;
    public final int retries;
    public final boolean skips;
    public final boolean writesLetters; // of what it skips
    public final long pauseNanos; // before a retry
    public final boolean isConcurrent; // services without memory have concurrent calls, and messages have keys
    public final boolean isAsync; // these services complete stages
    public final boolean isPerKey; // services without memory set failed messages aside, and messages have keys
    public final boolean hasSlowOpens;
    public final boolean opensInSteps; // what takes long in an open holds up the caller alone
    public final boolean isChecked;
    public final boolean
            isMerged; // a branch of the first topic, a merge of it with others, and an audit run beside the chain
    public final boolean mergesFirst; // the first topic too
    public final boolean knowsBacklog;
    public final long snapshotNanos; // between two snapshots
    public final int snapshotInputs; // after which one is taken as well; 0: none

    public final boolean isQuick; // nothing keeps a message from coming out at once, if only loops wake each other
    public final Store store;
    public final boolean isExclusive;
    public final boolean isAtomic;
    public final boolean needsWork;
    public final boolean isBounded;
    public final int room;
    public final int capacity;
    public final boolean knowsSequence;
    public final boolean knowsNewest;
    public final boolean wakesForNews;
    private final boolean cutsPolls;
    private final boolean remembersLate;
    private final boolean isSlow;
    public final boolean isHasty; // closes right after the first message, whose first callback throws
    public final int stalledPartition; // whose services find no room; -1: none

    public Setting(Choices choices) {
        this.choices = choices;
        isQuick = choices.oneIn(Kind.PLAN, 16);
        int services = pick(5);
        for (int i = 0; i < services; i++) {
            int kind = pick(8);
            Step step = kind < 4 ? Step.FORWARD : Step.values()[kind - 3];
            boolean isTooMuch = step == Step.FAN_OUT && Collections.frequency(steps, step) == MAX_FAN_OUTS;
            steps.add(isTooMuch || isQuick && step.hasMemory() ? Step.FORWARD : step);
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
        if (messages % 3 == 1) {
            steps.replaceAll(step -> step == Step.STATE ? Step.KEYED_STATE : step);
        }
        if (messages % 6 == 2) {
            steps.replaceAll(step -> step == Step.TICKING_STATE ? Step.TIMERS : step);
        }
        int kinds = pick(8);
        boolean isStalling = isQuick && kinds > 5 && services > 0;
        partitions = kinds == 7 && !isQuick || isStalling ? 2 + pick(2) : 1;
        entrance = partitions > 1 && chosen == Entrance.SOURCE ? Entrance.INLET : chosen;
        asks = entrance == Entrance.SHARED_INLET
                && messages % 2 == 0
                && steps.stream().noneMatch(Step::ticks);
        resends = asks && messages % 3 != 1;
        int threads = pick(6);
        loops = threads < 3 ? 1 : threads < 5 ? 2 : 0;
        long idle = IDLE_NANOS[pick(IDLE_NANOS.length)];
        retries = pick(3);
        skips = choices.oneIn(Kind.PLAN, 3);
        writesLetters = skips && messages % 2 == 0;
        pauseNanos = messages % 4 == 1 ? 3 * MILLIS : 0;
        isConcurrent = messages % 8 == 6;
        isAsync = messages % 16 == 14;
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
        capacity = 2 + pick(16) + (isPerKey ? MOST_RECORDS : 0);
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

    public boolean isImmediate() {
        return store != Store.OVER_NETWORK;
    }

    /** {@return whether the acknowledgement of some inputs waits for others} */
    public boolean hasMemory() {
        return steps.stream().anyMatch(Step::hasMemory);
    }

    public boolean isKeyed() {
        return isConcurrent || isPerKey;
    }

    public boolean keepsState() {
        return steps.stream().anyMatch(Step::keepsState);
    }

    /** {@return whether the storage accepts no outputs of the services in a topic's partition} */
    public boolean isStalled(String topic) {
        return stalledPartition >= 0 && PartitionTopic.partition(topic) == stalledPartition && !topic.startsWith("c-0");
    }

    public long noticeNanos() {
        return choices.next(Kind.WORLD, 20) * 3 * MILLIS;
    }

    public long storeNanos() {
        return choices.next(Kind.WORLD, 16) * (isSlow ? MILLIS : 20_000);
    }

    public long positionNanos() {
        return remembersLate ? choices.next(Kind.WORLD, 8) * 2 * MILLIS : 0;
    }

    public int pollMax() {
        return cutsPolls ? 1 + choices.next(Kind.WORLD, 3) : Integer.MAX_VALUE;
    }

    @Override
    public String toString() {
        return "services " + steps + ", " + spread + (spread == Spread.PARTS ? " split at " + split : "") + ", " + lives
                + " lives of each process, " + messages + " messages by " + entrance
                + (asks ? ", which are requests" + (resends ? " with ids" : "") : "")
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
                + (isAsync ? ", asynchronous services" : isConcurrent ? ", concurrent calls" : "")
                + (isPerKey ? ", retries per key" : "")
                + (hasSlowOpens ? ", slow opens" : "") + (opensInSteps ? ", opens in steps" : "") + "; storage " + store
                + (isExclusive ? ", exclusive" : ", the newest wins") + (isAtomic ? ", flushes whole" : "")
                + (needsWork ? ", needs work" : "") + (isBounded ? ", bounded by " + capacity : "") + ", room " + room
                + (knowsSequence ? "" : ", sequence at open not known") + (knowsNewest ? "" : ", newest not known")
                + (knowsBacklog ? ", backlog known" : "")
                + (wakesForNews ? ", wakes for news" : "") + (cutsPolls ? ", cuts polls" : "")
                + (remembersLate ? ", remembers positions late" : "") + (isSlow ? ", slow" : "");
    }
}
