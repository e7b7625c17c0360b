package dev.baton;

import dev.baton.run.Environment;
import dev.baton.spi.LaneHolder;
import dev.baton.spi.TransportException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * The lanes that run in this process: opens, closes and abandons the chain of each as they come and go. Lanes are opened
 * and closed by one thread at a time; everything else is thread-safe.
 */
final class HeldLanes implements LaneHolder {
    private final String chain;
    private final Environment environment;
    private final IntFunction<RunningChain> opening;
    private final Consumer<? super LaneChange> onLane;
    private final Consumer<? super Throwable> onFailure;
    private final Map<Integer, RunningChain> running = new ConcurrentSkipListMap<>();
    private final AtomicReference<Throwable> firstFailure = new AtomicReference<>();
    private final AtomicReference<Throwable> lastFailure = new AtomicReference<>();
    private volatile Duration giveUpLimit;
    private volatile boolean isCutOff; // since the limit was said last

    /**
     * Holds no lane yet.
     *
     * @param opening starts the chain of a lane, given who is to be told of its failure
     */
    HeldLanes(
            String chain,
            Environment environment,
            Function<Consumer<Throwable>, IntFunction<RunningChain>> opening,
            Consumer<? super LaneChange> onLane,
            Consumer<? super Throwable> onFailure,
            Duration giveUpLimit) {
        this.chain = chain;
        this.environment = environment;
        this.opening = opening.apply(this::failed);
        this.onLane = onLane;
        this.onFailure = onFailure == null ? this::log : onFailure;
        this.giveUpLimit = giveUpLimit;
    }

    Map<Integer, RunningChain> running() {
        return running;
    }

    /** What failed first: a lane, or the membership. Null while all is well. */
    Throwable failure() {
        return firstFailure.get();
    }

    /** From here on lanes have this long to pass on what is in hand. */
    void giveUpWithin(Duration limit) {
        giveUpLimit = limit;
        isCutOff = false;
    }

    /** Whether a lane went with messages in hand since {@link #giveUpWithin}. */
    boolean isCutOff() {
        return isCutOff;
    }

    /** Opens one lane or throws. */
    void open(int lane) {
        running.put(lane, opening.apply(lane));
        tell(lane, LaneChange.Kind.TAKEN);
    }

    @Override
    public void take(Set<Integer> lanes) {
        for (int lane : new TreeSet<>(lanes)) {
            try {
                open(lane);
            } catch (RuntimeException | Error failure) {
                failed(failure);
            }
        }
    }

    /** All of them together, so that one that stands still costs the others nothing of their time. */
    @Override
    public void giveUp(Set<Integer> lanes) {
        Map<Integer, RunningChain> given = new TreeMap<>(running);
        given.keySet().retainAll(lanes);
        Closing.together(given.values(), giveUpLimit.toNanos(), environment);
        given.forEach((lane, chain) -> {
            boolean isDrained = chain.wasDrained();
            running.remove(lane);
            isCutOff |= !isDrained;
            tell(lane, isDrained ? LaneChange.Kind.GIVEN_UP : LaneChange.Kind.CUT_OFF);
        });
    }

    @Override
    public void lose(Set<Integer> lanes) {
        for (int lane : new TreeSet<>(lanes)) {
            RunningChain lost = running.get(lane);
            if (lost != null) {
                lost.abandon();
                running.remove(lane);
                tell(lane, LaneChange.Kind.LOST);
            }
        }
    }

    @Override
    public void fail(TransportException cause) {
        failed(cause);
    }

    /** Reports each failure once, however many of its lanes it met. */
    void failed(Throwable cause) {
        if (lastFailure.getAndSet(cause) == cause) {
            return;
        }
        firstFailure.compareAndSet(null, cause);
        try {
            onFailure.accept(cause);
        } catch (RuntimeException | Error thrown) { // other lanes need the thread that reports this
            System.getLogger("dev.baton")
                    .log(Level.WARNING, "chain " + chain + ": its failure listener threw " + thrown);
            log(cause);
        }
    }

    private void log(Throwable cause) {
        System.getLogger("dev.baton").log(Level.ERROR, "chain " + chain + ": " + cause.getMessage(), cause);
    }

    private void tell(int lane, LaneChange.Kind kind) {
        try {
            onLane.accept(new LaneChange(lane, kind));
        } catch (RuntimeException thrown) {
            failed(thrown);
        }
    }
}
