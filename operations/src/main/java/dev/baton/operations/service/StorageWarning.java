package dev.baton.operations.service;

import dev.baton.manage.StorageGrowth;
import dev.baton.operations.terminal.Units;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Warns before the disk of a process's topics is full, once an hour while that lasts. Confined to one thread. */
public final class StorageWarning {
    /** Ratio of the loss of free space to the growth of topics above which other files are named. */
    private static final double FASTER = 1.05;

    /** How many times as long as it was watched a rate is relied on: topics that have just begun take space at once. */
    private static final long RELIED_ON = 60;

    private static final long REPEAT_NANOS = TimeUnit.HOURS.toNanos(1);

    private final Duration within;
    private final Consumer<String> log;
    private boolean hasWarned;
    private long warnedNanos;

    /** @param within a disk that is full in less is a warning */
    StorageWarning(Duration within, Consumer<String> log) {
        this.within = within;
        this.log = log;
    }

    /**
     * {@return by how much the free space shrinks in an hour, where that is more than the topics grow: other files on the disk
     * grow as well; null where it is not}
     */
    public static Long shrinkingByOthers(StorageGrowth growth) {
        if (growth.secondsUntilFull() == null) {
            return null;
        }
        double perHour =
                growth.freeBytes() * (double) TimeUnit.HOURS.toSeconds(1) / Math.max(1, growth.secondsUntilFull());
        boolean isFaster = growth.bytesPerHour() == null || perHour > FASTER * growth.bytesPerHour();
        return isFaster ? Long.valueOf(Math.round(perHour)) : null;
    }

    /** @param watched how much time the growth was estimated from @param nanos now, by {@link System#nanoTime} */
    void check(StorageGrowth growth, Duration watched, long nanos) {
        Long seconds = growth.secondsUntilFull();
        if (seconds == null || seconds >= Math.min(within.toSeconds(), RELIED_ON * watched.toSeconds())) {
            return;
        }
        if (!hasWarned || nanos - warnedNanos >= REPEAT_NANOS) {
            hasWarned = true;
            warnedNanos = nanos;
            Long shrinking = shrinkingByOthers(growth);
            log.accept("WARNING: the disk of the topics is full in " + Units.span(Duration.ofSeconds(seconds))
                    + " if this goes on: they take " + Units.bytes(growth.bytes()) + " and grow by "
                    + Units.bytes(growth.bytesPerHour()) + " an hour, " + Units.bytes(growth.freeBytes())
                    + " are left"
                    + (shrinking == null
                            ? ""
                            : ", which shrink by " + Units.bytes(shrinking) + " an hour, as other files grow too")
                    + "; 'Disk' in docs/operations.md says what keeps them");
        }
    }
}
