package dev.baton.chronicle.admin;

import dev.baton.chronicle.ChronicleOptions;
import dev.baton.chronicle.consumers.Backlog;
import dev.baton.chronicle.consumers.TailerPosition;
import dev.baton.chronicle.directory.TopicDirectory;
import dev.baton.chronicle.directory.TopicHistory;
import dev.baton.chronicle.fencing.DirectoryLocks;
import dev.baton.chronicle.format.Excerpt;
import dev.baton.chronicle.log.Scratch;
import dev.baton.chronicle.log.ScratchPool;
import dev.baton.chronicle.log.TopicLog;
import dev.baton.chronicle.platform.DiskSpace;
import dev.baton.chronicle.platform.SyncedFile;
import dev.baton.chronicle.writing.TopicFile;
import dev.baton.spi.RepairReport;
import dev.baton.spi.RepairReport.Outcome;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.openhft.chronicle.queue.ExcerptAppender;

/**
 * The repair of a topic that two processes wrote at once, each with its own sequences: drops every frame whose sequence
 * an earlier frame has.
 *
 * <p>The process that was ahead continued where the newest frame ended, so the first frames of all sequences are a
 * sequence without a gap. They are copied to a new directory, with the topic's identity and the positions of its
 * consumers. That directory replaces the topic's, which is kept. Until then nothing has changed; if the process ends
 * between the two moves, the topic cannot be created or opened until the repair is run again ({@link
 * TopicDirectory#create}). Used once, by one thread, which it blocks while the topic is read.
 */
public final class QueueRepair {
    private final String topic;
    private final Path directory;

    // what was found
    private long frames;
    private long first; // 0: no frame
    private long last;
    private long dropped;
    private long lowest = Long.MAX_VALUE;
    private long highest;

    public QueueRepair(String topic, Path directory) {
        this.topic = topic;
        this.directory = directory;
    }

    /** The consumer of the frames that stay: those of an excerpt behind the first {@code skipped}. */
    @FunctionalInterface
    private interface Kept {
        void excerpt(ByteBuffer excerpt, int skipped);
    }

    /** Reads the topic, and reports the frames that a repair would drop; writes nothing. */
    public RepairReport look() {
        read((excerpt, skipped) -> {});
        return dropped == 0 ? sound() : report(Outcome.WOULD_DROP, lines("would drop"));
    }

    /**
     * Reads the topic, and replaces it if it has frames to drop.
     *
     * @param log of the topic, which the caller closes; the caller has its writer lock
     * @throws TransportException when a consumer is read, or the topic is damaged otherwise
     */
    public RepairReport run(
            TopicLog log, DirectoryLocks locks, DiskSpace space, ChronicleOptions options, TopicDirectory root) {
        TailerPosition.requireNoReaders(log, locks);
        read((excerpt, skipped) -> {});
        if (dropped == 0) {
            return sound();
        }
        List<String> lines = lines("dropped");
        boolean isDone = false;
        try {
            Path made = root.beginRepair(topic);
            Files.copy(directory.resolve(TopicHistory.FILE), made.resolve(TopicHistory.FILE));
            copy(made, log, locks, space, options);
            Path before = root.finishRepair(topic);
            lines.add(
                    "the topic's files of before are in " + before + ": delete them when they are not needed any more");
            isDone = true;
        } catch (IOException e) {
            throw new TransportException("topic " + topic + " cannot be repaired in " + directory + ": " + e, e);
        } finally {
            if (!isDone) {
                abandon(root);
            }
        }
        return report(Outcome.DROPPED, lines);
    }

    private void abandon(TopicDirectory root) {
        try {
            root.abandonRepair(topic);
        } catch (IOException left) {
            // the next repair removes it
        }
    }

    /** Reads the topic, and counts anew. */
    private void read(Kept kept) {
        frames = 0;
        first = 0;
        dropped = 0;
        try (FileInspector inspector = new FileInspector(topic, directory)) {
            while (inspector.nextExcerpt()) {
                ByteBuffer excerpt = inspector.excerpt();
                int count = Excerpt.frames(excerpt, 0);
                long begin = Excerpt.firstSequence(excerpt, 0);
                if (first == 0) {
                    first = begin;
                    last = begin - 1;
                }
                if (begin > last + 1) {
                    throw new TransportException("topic " + topic + " cannot be repaired in " + directory
                            + ": it lacks sequences " + (last + 1) + " to " + (begin - 1) + "; nothing was written");
                }
                int skipped = (int) Math.min(count, last + 1 - begin);
                if (skipped > 0) {
                    dropped += skipped;
                    lowest = Math.min(lowest, begin);
                    highest = Math.max(highest, begin + skipped - 1);
                }
                if (skipped < count) {
                    kept.excerpt(excerpt, skipped);
                    last = begin + count - 1;
                }
                frames += count;
            }
        } catch (DamagedTopicException e) {
            throw new TransportException(e.getMessage() + "; nothing was repaired, and nothing was written", e);
        } catch (IOException e) {
            throw new TransportException("topic " + topic + " cannot be read in " + directory + ": " + e, e);
        }
    }

    private void copy(Path made, TopicLog old, DirectoryLocks locks, DiskSpace space, ChronicleOptions options)
            throws IOException {
        ChronicleOptions keepsAll = options.withRetention(ChronicleOptions.Retention.ALL);
        TopicLog log = new TopicLog(topic, made, old.format, space, keepsAll, old.clock());
        try (ExcerptAppender appender = log.queue.createAppender()) {
            Backlog backlog = new Backlog(log, options.backlog());
            TopicFile file = new TopicFile(log, appender, backlog, space, null, keepsAll); // synced as a whole below
            ScratchPool pool = new ScratchPool();
            log.holdClock(); // all in one file
            try {
                read((excerpt, skipped) -> {
                    if (Excerpt.bytes(excerpt, 0) > Excerpt.longest(options.blockSize())) {
                        throw old.failed(
                                "was written with larger blocks; set block-size to the former value. Its files are",
                                null);
                    }
                    append(appender, file, pool, excerpt, skipped);
                });
                log.startAfter(first - 1);
                acknowledged(old).forEach((consumer, sequence) -> {
                    TailerPosition position = TailerPosition.open(log, consumer, locks);
                    position.start(0, sequence);
                    position.close();
                });
            } finally {
                log.releaseClock();
                file.close();
                backlog.close();
            }
        } finally {
            log.close();
        }
        try (Stream<Path> files = Files.list(made)) {
            for (Path each : files.toList()) {
                SyncedFile.sync(each);
            }
        }
        SyncedFile.sync(made);
    }

    private static Map<String, Long> acknowledged(TopicLog old) {
        try (FileInspector inspector = new FileInspector(old.topic, old.directory)) {
            return inspector.acknowledged();
        }
    }

    private static void append(
            ExcerptAppender appender, TopicFile file, ScratchPool pool, ByteBuffer excerpt, int skipped) {
        int count = Excerpt.frames(excerpt, 0);
        int frame = Excerpt.FIRST_FRAME;
        for (int i = 0; i < skipped; i++) {
            frame = Excerpt.nextFrame(Excerpt.end(frame, Excerpt.length(excerpt, frame)));
        }
        int cut = frame - Excerpt.FIRST_FRAME;
        int bytes = Excerpt.bytes(excerpt, 0) - cut;
        int content = Excerpt.FIRST_FRAME - Integer.BYTES; // begins with the length of the first frame
        Scratch scratch = pool.take(bytes);
        scratch.buffer.put(content, excerpt, content + cut, bytes - content);
        Excerpt.begin(scratch.buffer, 0, Excerpt.firstSequence(excerpt, 0) + skipped);
        Excerpt.size(scratch.buffer, 0, count - skipped, bytes);
        file.makeRoomFor(bytes);
        appender.writeBytes(scratch.part(0, bytes));
        file.appended(Excerpt.firstSequence(scratch.buffer, 0));
        pool.give(scratch);
    }

    private RepairReport sound() {
        List<String> lines = new ArrayList<>();
        lines.add("topic '" + topic + "': " + count(frames) + sequences());
        lines.add("nothing to drop, and nothing was written");
        return report(Outcome.NOTHING_TO_DROP, lines);
    }

    private RepairReport report(Outcome outcome, List<String> lines) {
        return new RepairReport(outcome, dropped, true, lines);
    }

    private List<String> lines(String verb) {
        List<String> lines = new ArrayList<>();
        lines.add("topic '" + topic + "': " + count(frames) + ", of which " + (frames - dropped) + " count"
                + sequences());
        lines.add(
                verb + ": " + count(dropped) + " that another writer stored under sequences which an earlier frame has,"
                        + " between " + lowest + " and " + highest);
        lines.add("lost: what these frames held, unless the frames that count hold the same");
        lines.add("the next writer continues with sequence " + (last + 1));
        return lines;
    }

    private String sequences() {
        return first == 0 ? "" : ", sequences " + first + " to " + last;
    }

    private static String count(long frames) {
        return frames + (frames == 1 ? " frame" : " frames");
    }
}
