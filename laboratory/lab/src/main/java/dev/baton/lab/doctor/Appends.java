package dev.baton.lab.doctor;

import java.util.List;

/**
 * What it costs to append to files of the directory in which queues would lie. Immutable, thread-safe.
 *
 * @param directory that was written to
 * @param fileSystem its type; null when not told
 * @param mapped of small records to a mapped file, new pages included
 * @param queue of small messages to a topic of Chronicle; null when it does not open
 * @param trouble why it does not; null otherwise
 */
record Appends(String directory, String fileSystem, Quantiles mapped, Quantiles queue, String trouble)
        implements Reading {
    private static final List<String> MEMORY = List.of("tmpfs", "ramfs");
    private static final List<String> REMOTE = List.of("nfs", "nfs4", "cifs", "smb3", "9p", "virtiofs", "fuse");
    private static final List<String> COPYING = List.of("btrfs", "zfs", "overlay");
    private static final String ELSEWHERE = "./baton ... --dir /dev/shm";

    @Override
    public List<Finding> findings() {
        String subject = "queue directory";
        Finding place = Finding.of(
                fileSystem == null ? null : place(),
                subject,
                directory + " is " + (fileSystem == null ? "on an unknown file system" : "on " + fileSystem),
                "its write-back, copies or network hold up whoever appends",
                ELSEWHERE);
        Finding toFile =
                cost("append to a mapped file", mapped, GradeLetter.below(mapped.p99Nanos(), 5_000, 20_000, 100_000));
        Finding toQueue = queue == null
                ? Finding.hidden("append to Chronicle", String.valueOf(trouble))
                : cost("append to Chronicle", queue, GradeLetter.below(queue.p99Nanos(), 20_000, 50_000, 200_000));
        return List.of(place, toFile, toQueue);
    }

    /** The maximum counts, too: a quick examination is short, and who appends for longer sees more of them. */
    private static Finding cost(String subject, Quantiles cost, GradeLetter usual) {
        GradeLetter worst = GradeLetter.below(cost.maxNanos(), 2_000_000, 10_000_000, 50_000_000);
        return Finding.of(
                cost.count() == 0 ? null : cost.tells(99) ? usual.or(worst) : worst,
                subject,
                cost.words(),
                "each hop over files pays it at least once",
                ELSEWHERE);
    }

    private GradeLetter place() {
        if (REMOTE.stream().anyMatch(fileSystem::startsWith)) {
            return GradeLetter.E;
        }
        if (COPYING.contains(fileSystem)) {
            return GradeLetter.C;
        }
        return MEMORY.contains(fileSystem) ? GradeLetter.A : GradeLetter.B;
    }
}
