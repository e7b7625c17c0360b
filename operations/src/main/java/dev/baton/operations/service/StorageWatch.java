package dev.baton.operations.service;

import dev.baton.operations.terminal.Units;
import dev.baton.spi.StorageUse;
import dev.baton.spi.TransportException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Estimates how fast the topics of a process fill their disk, and warns before it is full. {@link #sample} belongs to one thread;
 * {@link #growth} is for any.
 */
final class StorageWatch {
    /** Between two samples. */
    static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final long MAX_SPAN_NANOS = TimeUnit.HOURS.toNanos(1);
    private static final long MIN_SPAN_NANOS = TimeUnit.MINUTES.toNanos(1); // a topic takes space in steps

    /** How many times as long as it was watched a rate is relied on: topics that have just begun take space at once. */
    private static final long RELIED_ON = 60;

    private static final long REPEAT_NANOS = TimeUnit.HOURS.toNanos(1);
    private static final double HOUR_NANOS = TimeUnit.HOURS.toNanos(1);
    private static final double MAX_SECONDS = TimeUnit.DAYS.toSeconds(36_500);

    private record Sample(long nanos, StorageUse use) {}

    private final Duration warnWithin;
    private final Consumer<String> log;
    private final Deque<Sample> samples = new ArrayDeque<>();
    private volatile StorageGrowth growth; // null: not known
    private boolean hasWarned;
    private long warnedNanos;
    private boolean hasFailed;

    /** @param warnWithin a disk that is full in less is a warning, once an hour */
    StorageWatch(Duration warnWithin, Consumer<String> log) {
        this.warnWithin = warnWithin;
        this.log = log;
    }

    /** What was found last; null when the transport cannot tell. */
    StorageGrowth growth() {
        return growth;
    }

    /** Takes a sample of what there is now. May block as the transport does. */
    void sample(Supplier<Optional<StorageUse>> storage, long nanos) {
        Optional<StorageUse> use;
        try {
            use = storage.get();
        } catch (TransportException unknown) {
            if (!hasFailed) {
                hasFailed = true;
                log.accept(Health.oneLine(unknown));
            }
            return;
        }
        use.ifPresent(now -> {
            samples.add(new Sample(nanos, now));
            while (nanos - samples.peek().nanos > MAX_SPAN_NANOS) {
                samples.remove();
            }
            growth = estimated();
            warn(nanos);
        });
    }

    private StorageGrowth estimated() {
        Sample first = samples.peekFirst();
        Sample last = samples.peekLast();
        long bytes = last.use.bytes();
        long free = last.use.freeBytes();
        double hours = (last.nanos - first.nanos) / HOUR_NANOS;
        if (last.nanos - first.nanos < MIN_SPAN_NANOS) {
            return new StorageGrowth(bytes, free, null, null);
        }
        double perHour = (bytes - first.use.bytes()) / hours;
        double fewerPerHour = Math.max(perHour, (first.use.freeBytes() - free) / hours);
        double seconds = free / fewerPerHour * TimeUnit.HOURS.toSeconds(1);
        boolean isKnown = fewerPerHour > 0 && seconds < MAX_SECONDS;
        return new StorageGrowth(bytes, free, Math.round(perHour), isKnown ? Math.round(seconds) : null);
    }

    private void warn(long nanos) {
        Long seconds = growth.secondsUntilFull();
        long watched = TimeUnit.NANOSECONDS.toSeconds(nanos - samples.peekFirst().nanos);
        if (seconds == null || seconds >= Math.min(warnWithin.toSeconds(), RELIED_ON * watched)) {
            return;
        }
        if (!hasWarned || nanos - warnedNanos >= REPEAT_NANOS) {
            hasWarned = true;
            warnedNanos = nanos;
            log.accept("WARNING: the disk of the topics is full in " + Units.span(Duration.ofSeconds(seconds))
                    + " if this goes on: they take " + Units.bytes(growth.bytes()) + " and grow by "
                    + Units.bytes(growth.bytesPerHour()) + " an hour, " + Units.bytes(growth.freeBytes())
                    + " are left; 'Disk' in docs/operations.md says what keeps them");
        }
    }
}
