package dev.baton.lab.doctor;

import dev.baton.measuring.machine.SystemLimits;
import java.util.List;

/**
 * What one process may have, against what a thousand chains over Chronicle need. Immutable, thread-safe.
 *
 * @param memoryBytes that programs may still take
 * @param descriptors open at a time
 * @param maps of memory
 */
record ProcessLimits(long memoryBytes, long descriptors, long maps) implements Reading {
    /**
     * Of 1,000 chains of five services, as {@code density} reckons it, with what the JVM needs besides; a test holds the
     * two together.
     */
    static final long WANTED_DESCRIPTORS = 12_100;

    static final long WANTED_MAPS = 27_800;

    private static final long LITTLE_BYTES = 1L << 30;

    static ProcessLimits of(SystemLimits limits) {
        return new ProcessLimits(limits.memoryBytes(), limits.descriptors(), limits.maps());
    }

    @Override
    public List<Finding> findings() {
        return List.of(
                Finding.of(
                        memoryBytes < LITTLE_BYTES ? GradeLetter.D : GradeLetter.A,
                        "free memory",
                        memoryBytes == Long.MAX_VALUE ? "not told" : Figures.bytes(memoryBytes),
                        "what does not fit is taken from the pages of queues, or kills",
                        "ps -eo rss,pid,comm --sort=-rss | head, and stop what takes it"),
                Finding.of(
                        descriptors < WANTED_DESCRIPTORS ? GradeLetter.B : GradeLetter.A,
                        "open files",
                        text(descriptors, WANTED_DESCRIPTORS),
                        "queues are files that stay open",
                        "ulimit -n 1048576; where that is refused:"
                                + " echo '* - nofile 1048576' | sudo tee /etc/security/limits.d/baton.conf"),
                Finding.of(
                        maps < WANTED_MAPS ? GradeLetter.B : GradeLetter.A,
                        "memory maps",
                        text(maps, WANTED_MAPS),
                        "queues are mapped piece by piece",
                        "sudo sysctl -w vm.max_map_count=262144"));
    }

    private static String text(long limit, long wanted) {
        return (limit == Long.MAX_VALUE ? "no limit told" : Figures.count(limit))
                + ", 1,000 chains over Chronicle need " + Figures.count(wanted);
    }
}
