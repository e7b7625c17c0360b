package dev.baton.operations.service;

import dev.baton.manage.StorageWatch.StorageGrowth;
import dev.baton.operations.terminal.Units;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Warns before the disk of a process's topics is full, once an hour while that lasts. Confined to one thread. */
public final class StorageWarning {
    /** Ratio of the loss of free space to the growth of topics above which other files are named. */
    private static final double FASTER = 1.05;

    /** The longest forecast, as a multiple of the time over which a rate was observed: new topics take much space at once. */
    private static final long RELIED_ON = 60;

    private static final long REPEAT_NANOS = TimeUnit.HOURS.toNanos(1);

    private final Duration within;
    private final Consumer<String> log;
    private boolean hasWarned;
    private long warnedNanos;

    /**
     * Creates a check of one disk.
     *
     * @param within a disk that will be full in less time causes a warning
     */
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

    /**
     * Checks the forecast.
     *
     * @param watched time over which the growth was estimated
     * @param nanos now, by {@link System#nanoTime}
     */
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
                    + " at this rate: they take " + Units.bytes(growth.bytes()) + " and grow by "
                    + Units.bytes(growth.bytesPerHour()) + " an hour, " + Units.bytes(growth.freeBytes())
                    + " are left"
                    + (shrinking == null
                            ? ""
                            : ", which shrink by " + Units.bytes(shrinking) + " an hour, as other files grow too")
                    + "; 'Disk' in docs/operations.md explains what retains them");
        }
    }
}
