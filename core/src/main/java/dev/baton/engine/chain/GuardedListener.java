package dev.baton.engine.chain;

import dev.baton.ChainListener;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Calls several listeners in turn. An exception of a listener is logged once and not propagated. Thread-safe. */
public final class GuardedListener implements ChainListener {
    private final ChainListener[] listeners;
    private final ChainListener[] ofBatches; // listeners that override onBatch
    private final Consumer<Throwable> log;
    private final AtomicBoolean hasThrown = new AtomicBoolean();

    public GuardedListener(List<ChainListener> listeners, Consumer<Throwable> log) {
        this.listeners = listeners.toArray(new ChainListener[0]);
        this.ofBatches =
                listeners.stream().filter(GuardedListener::takesBatches).toArray(ChainListener[]::new);
        this.log = log;
    }

    /** Returns the listeners of {@code before}, which may be null, and one more. */
    public static GuardedListener with(String chain, GuardedListener before, ChainListener added) {
        Stream<ChainListener> earlier = before == null ? Stream.empty() : Stream.of(before.listeners);
        return new GuardedListener(
                Stream.concat(earlier, Stream.of(added)).toList(),
                thrown -> System.getLogger("dev.baton")
                        .log(
                                Level.WARNING,
                                "chain " + chain + ": a listener threw; what it throws from now on is not logged",
                                thrown));
    }

    private static boolean takesBatches(ChainListener listener) {
        try {
            return listener.getClass()
                            .getMethod("onBatch", String.class, String.class, int.class, int.class)
                            .getDeclaringClass()
                    != ChainListener.class;
        } catch (NoSuchMethodException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** Returns whether any listener overrides {@code onBatch}; the others are not called for this most frequent event. */
    public boolean takesBatches() {
        return ofBatches.length > 0;
    }

    @Override
    public void onRetry(String service, String topic, long sequence, int attempts, Throwable thrown) {
        each(listener -> listener.onRetry(service, topic, sequence, attempts, thrown));
    }

    @Override
    public void onDeadLetter(String service, String topic, long sequence, int attempts, Throwable thrown) {
        each(listener -> listener.onDeadLetter(service, topic, sequence, attempts, thrown));
    }

    @Override
    public void onBackPressure(String service, String topic) {
        each(listener -> listener.onBackPressure(service, topic));
    }

    @Override
    public void onBackPressureEnded(String service, String topic, long nanos) {
        each(listener -> listener.onBackPressureEnded(service, topic, nanos));
    }

    /** Notifies the listeners of a batch. Allocates nothing, as this is the most frequent event. */
    @Override
    public void onBatch(String service, String topic, int inputs, int outputs) {
        for (ChainListener listener : ofBatches) {
            try {
                listener.onBatch(service, topic, inputs, outputs);
            } catch (Throwable thrown) {
                log(thrown);
            }
        }
    }

    @Override
    public void onSnapshotBegun(String service, long input) {
        each(listener -> listener.onSnapshotBegun(service, input));
    }

    @Override
    public void onSnapshot(String service, long input, long bytes, long nanos) {
        each(listener -> listener.onSnapshot(service, input, bytes, nanos));
    }

    @Override
    public void onRestored(String service, long input, long nanos) {
        each(listener -> listener.onRestored(service, input, nanos));
    }

    @Override
    public void onRestart(String of, int partition, int restarts, Duration pause, Throwable cause) {
        each(listener -> listener.onRestart(of, partition, restarts, pause, cause));
    }

    private void each(Consumer<ChainListener> call) {
        for (ChainListener listener : listeners) {
            try {
                call.accept(listener);
            } catch (Throwable thrown) {
                log(thrown);
            }
        }
    }

    private void log(Throwable thrown) {
        if (hasThrown.compareAndSet(false, true)) {
            log.accept(thrown);
        }
    }
}
