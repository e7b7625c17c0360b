package dev.baton.lab.study.selftest;

import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.study.selftest.PlantedFault.Kind;
import dev.baton.lab.trial.ends.Window;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicEnd;
import dev.baton.spi.TopicWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One topic with its faults. Counted faults and delays affect the last topic of a chain, a refusal its first. The sequences of readers have
 * no gap: losses and copies have to be detected by the measurement, not by the chain.
 *
 * <p>Faults happen when frames are handed over, so that everything before follows the contract; a frame that is lost then has never had a
 * sequence. It has one writing and one reading thread, each with its own methods; the counts may be read after both have ended.
 */
final class FaultyTopic implements TopicWriter {
    private static final int CAPACITY = 1 << 16; // more than any case ever has under way

    /** The part of an interval below which a message follows the one before too soon: no ordinary wake-up is that late. */
    private static final int BUNCHED = 4;

    private final Window window;
    final int instance;
    final boolean isFirst;
    final boolean isLast;
    private final double intervalNanos;
    private final List<PlantedFault> delays;
    private final long refusedFromNanos;
    private final Map<Kind, Integer> every = new EnumMap<>(Kind.class); // of what is counted
    private final Queue<byte[]> frames = new ConcurrentLinkedQueue<>();
    private final AtomicInteger held = new AtomicInteger();

    // the writer's
    private long number; // messages given to it
    private long written; // frames that readers get
    long bunched;
    private long lastWriteNanos;
    private byte[] swapped; // waits for the next one to pass
    private byte[] claimed; // null: none
    private final Deque<byte[]> committed = new ArrayDeque<>(); // not handed over yet

    // the reader's
    long read;
    private long releaseNanos = Long.MIN_VALUE;

    FaultyTopic(TrialPlan plan, SelftestStudy study, Window window, int instance, int index) {
        this.window = window;
        this.instance = instance;
        isFirst = index == 0;
        isLast = index == plan.shape().services();
        intervalNanos = plan.load().intervalNanos();
        delays = isLast ? study.of(instance, Kind.DELAY) : List.of();
        refusedFromNanos = isFirst
                ? study.of(instance, Kind.REFUSE).stream()
                        .mapToLong(PlantedFault::atNanos)
                        .min()
                        .orElse(Long.MAX_VALUE)
                : Long.MAX_VALUE;
        if (isLast) {
            study.faults().stream()
                    .filter(fault -> fault.instance() == instance && fault.every() > 0)
                    .forEach(fault -> every.put(fault.kind(), fault.every()));
        }
    }

    @Override
    public int remainingCapacity() {
        boolean isRefused = refusedFromNanos != Long.MAX_VALUE
                && window.isStarted()
                && System.nanoTime() - window.measureNanos() >= refusedFromNanos;
        return isRefused ? 0 : Math.max(0, CAPACITY - held.get() - committed.size());
    }

    @Override
    public int capacity() {
        return CAPACITY;
    }

    @Override
    public Frame claim(int maxLength) {
        if (maxLength < 0 || maxLength > FaultyTransport.MOST_PAYLOAD) {
            throw new IllegalArgumentException(
                    "claim of " + maxLength + " bytes; 0 to " + FaultyTransport.MOST_PAYLOAD + " are allowed");
        }
        if (claimed != null) {
            throw new IllegalStateException("commit or abort the open claim first");
        }
        if (remainingCapacity() == 0) {
            return null;
        }
        claimed = new byte[Frame.HEADER_BYTES + maxLength];
        return view(claimed);
    }

    @Override
    public long commit(int length) {
        if (claimed == null) {
            throw new IllegalStateException("there is no open claim to commit");
        }
        int size = Frame.HEADER_BYTES + length;
        committed.add(size == claimed.length ? claimed : Arrays.copyOf(claimed, size));
        claimed = null;
        return sequence();
    }

    @Override
    public void abort() {
        claimed = null;
    }

    @Override
    public void flush() {
        for (byte[] each = committed.poll(); each != null; each = committed.poll()) {
            put(each);
        }
    }

    @Override
    public void rewind(long to) {
        while (sequence() > to && !committed.isEmpty()) {
            committed.removeLast();
        }
    }

    @Override
    public long sequence() {
        return written + committed.size();
    }

    @Override
    public long storedSequence() {
        return written;
    }

    @Override
    public TopicEnd found() {
        return TopicEnd.EMPTY;
    }

    @Override
    public void close() {
        abort();
        flush();
    }

    /** Applies the planned faults to a frame. */
    private void put(byte[] frame) {
        number++;
        if (isFirst) {
            noteGap(frame);
        }
        if (isOneOf(Kind.CORRUPT)) {
            frame[Frame.HEADER_BYTES]++;
        }
        if (isOneOf(Kind.LOSE)) {
            return;
        }
        if (isOneOf(Kind.REORDER)) {
            swapped = frame;
            return;
        }
        add(frame);
        if (isOneOf(Kind.DUPLICATE)) {
            add(frame.clone());
        }
        if (swapped != null) {
            add(swapped);
            swapped = null;
        }
    }

    private boolean isOneOf(Kind kind) {
        return every.containsKey(kind) && number % every.get(kind) == 0;
    }

    private void add(byte[] frame) {
        view(frame).sequence(++written);
        held.incrementAndGet();
        frames.add(frame);
    }

    private void noteGap(byte[] frame) {
        long now = System.nanoTime();
        if (now - lastWriteNanos < intervalNanos / BUNCHED && view(frame).originNanos() - window.measureNanos() >= 0) {
            bunched++;
        }
        lastWriteNanos = now;
    }

    /** The next frame that is due; null when there is none. */
    byte[] next(long nowNanos) {
        byte[] next = frames.peek();
        return next == null || (!delays.isEmpty() && release(next) - nowNanos > 0) ? null : next;
    }

    /** {@return the release time of {@link #next}; {@link Long#MAX_VALUE} when that depends on the writer} */
    long nextReleaseNanos() {
        byte[] next = delays.isEmpty() ? null : frames.peek();
        return next == null ? Long.MAX_VALUE : release(next);
    }

    private long release(byte[] frame) {
        Frame view = view(frame);
        long due = view.sentNanos() + delayNanos(delays, view.originNanos() - window.measureNanos());
        return releaseNanos == Long.MIN_VALUE || due - releaseNanos > 0 ? due : releaseNanos;
    }

    /** The delay of a message. @param slotNanos from the first measured slot; negative in the warm-up */
    static long delayNanos(List<PlantedFault> delays, long slotNanos) {
        long delay = 0;
        for (PlantedFault each : delays) {
            if (slotNanos >= each.atNanos() || each.atNanos() == 0) {
                delay = each.nanos();
            }
        }
        return delay;
    }

    /** The frame that {@link #next} gave was taken. */
    void remove() {
        byte[] frame = frames.remove();
        if (!delays.isEmpty()) {
            releaseNanos = release(frame);
        }
        held.decrementAndGet();
        read++;
    }

    /** Forgets the frames, not the counts. After both threads have ended. */
    void clear() {
        frames.clear();
    }

    static Frame view(byte[] bytes) {
        ByteBuffer memory = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        return new Frame().wrap(memory, 0, bytes.length - Frame.HEADER_BYTES);
    }
}
