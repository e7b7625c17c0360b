package dev.baton.operations.service;

import dev.baton.manage.StorageGrowth;
import dev.baton.operations.terminal.Units;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Warns before the disk of a process's topics is full, once an hour while that lasts. Confined to one thread. */
final class StorageWarning {
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

    /** @param watched how much time the growth was estimated from @param nanos now, by {@link System#nanoTime} */
    void check(StorageGrowth growth, Duration watched, long nanos) {
        Long seconds = growth.secondsUntilFull();
        if (seconds == null || seconds >= Math.min(within.toSeconds(), RELIED_ON * watched.toSeconds())) {
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
