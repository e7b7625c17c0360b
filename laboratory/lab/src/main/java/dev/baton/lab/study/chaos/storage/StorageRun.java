package dev.baton.lab.study.chaos.storage;

import dev.baton.chronicle.format.FileDefect;
import dev.baton.chronicle.format.StoredMetadata;
import dev.baton.chronicle.format.StoredPosition;
import dev.baton.lab.launch.TiedJvm;
import dev.baton.lab.launch.Workspace;
import dev.baton.lab.launch.jvm.InstalledJvm;
import dev.baton.lab.results.Json;
import dev.baton.lab.study.chaos.ChainProcesses;
import dev.baton.lab.study.chaos.ChainScenario;
import dev.baton.lab.study.chaos.ChaosPlan;
import dev.baton.lab.study.chaos.ChaosProgress;
import dev.baton.lab.study.chaos.ChaosResult;
import dev.baton.lab.study.chaos.InjectedFault;
import dev.baton.lab.study.chaos.storage.StorageFaultOutcome.Outcome;
import dev.baton.operations.line.CommandException;
import io.aeron.archive.Archive;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.agrona.BitUtil;
import org.agrona.CloseHelper;

/**
 * Makes the faults of storage of one set-up: kills a chain, damages a copy of its files, has another process open them, and accounts for
 * the outcome. Several faults use the files of one chain. Confined to one thread.
 */
public final class StorageRun {
    /** The option with which Chronicle stores in the class {@code host}, and nowhere else. */
    static final Map.Entry<String, String> HOST = Map.entry("durability", "host");

    /**
     * The promise that decides about the outcome of a fault.
     */
    enum Promise {
        /** Every change of the files is detected. */
        DETECTION,
        /** The class {@code host}: everything that was stored is readable. */
        HOST,
        /** The class {@code process} after a restart of the host: what is lost at the end is reported with its numbers. */
        PROCESS,
        /** The class {@code process} without a restart: a topic that has lost frames is refused. */
        SAME_BOOT
    }

    private static final String REPORTED = "; reported: ";
    private static final int HANDLED = 300;
    private static final int UNREAD = 200;
    private static final int FLIPS_PER_CHAIN = 100;
    private static final int LOSSES_PER_CHAIN = 10;
    private static final int MOST_SYNCS = 300;
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration EXAMINE_LIMIT = Duration.ofSeconds(60);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(45); // a client waits for 10 s for an answer
    private static final Duration SYNC_LIMIT = Duration.ofSeconds(20);

    private static final int RECORD_BYTES = 32; // of one copy in a record of an Archive's end
    private static final int LAG_MILLIS = 100; // the record of an Archive's end may lag by 10 ms and a turn
    private static final int LOSSES_PER_SAME_BOOT = 10; // of so many losses one is examined without a restart

    /** The topics of the chain. */
    private static final Pattern TOPIC = Pattern.compile("\\b" + ChainScenario.CHAIN + "-\\d\\b");

    private static final String ABOVE_TOPICS = "the directories above";

    private static final Pattern PLACE = Pattern.compile(
            "\\b(at|byte|line|sequences?|index|position|recording|header of|entry|key)"
                    + " '?(0x[0-9a-f]+|\\d+|baton\\.|[\\w-]+\\.cq4)|the Archive's catalog|be synced|Input/output error");

    private static final Pattern REMEDY = Pattern.compile(
            "restore|delete (the|that|its|it) |forget (the )?consumer|open it again|move it away|start the chain with",
            Pattern.CASE_INSENSITIVE);

    private final ChaosPlan plan;
    private final boolean hasChecksums;
    private final Workspace workspace;
    private final BooleanSupplier isStopRequested;
    private final ChaosProgress progress;
    private final Random random;
    private final List<StorageFaultOutcome> faults = new ArrayList<>();
    private final List<String> inconclusive = new ArrayList<>();
    private final SyncImage library; // null: no kind needs it
    private Examiner examiner;

    /** Prepares. @param hasChecksums whether frames have checksums */
    public StorageRun(
            ChaosPlan plan,
            boolean hasChecksums,
            Workspace workspace,
            BooleanSupplier isStopRequested,
            ChaosProgress progress) {
        this.plan = plan;
        this.hasChecksums = hasChecksums;
        this.workspace = workspace;
        this.isStopRequested = isStopRequested;
        this.progress = progress;
        random = new Random(plan.seed() * 31 + plan.setUp().number());
        boolean isOfSyncs = plan.kinds().stream().anyMatch(kind -> kind != InjectedFault.Kind.FLIP_BIT);
        library = isOfSyncs ? SyncImage.build(workspace.directory("library")) : null;
    }

    /** Makes all of them, those of one kind after those of another. */
    public ChaosResult.Run run() {
        progress.began(plan);
        long begun = System.nanoTime();
        List<InjectedFault.Kind> kinds = plan.kinds().stream().sorted().toList();
        try {
            for (int i = 0; i < kinds.size(); i++) {
                InjectedFault.Kind kind = kinds.get(i);
                int end = plan.faults() * (i + 1) / kinds.size();
                while (faults.size() < end
                        && inconclusive.isEmpty()
                        && !isStopRequested.getAsBoolean()
                        && System.nanoTime() - begun < plan.mostDuration().toNanos()) {
                    chain(kind, Math.min(end - faults.size(), perChain(kind)));
                }
                CloseHelper.close(examiner); // the next one may have other options
                examiner = null;
            }
        } catch (CommandException refused) {
            inconclusive.add(refused.getMessage());
        } finally {
            CloseHelper.close(examiner);
        }
        boolean isOver = isStopRequested.getAsBoolean();
        return new ChaosResult.Run(plan.setUp(), List.of(), List.of(), List.of(), isOver, inconclusive, faults);
    }

    private static int perChain(InjectedFault.Kind kind) {
        return switch (kind) {
            case FLIP_BIT -> FLIPS_PER_CHAIN;
            case LOSE_POWER -> LOSSES_PER_CHAIN;
            default -> 1;
        };
    }

    /** Makes some faults with the files of one chain. */
    private void chain(InjectedFault.Kind kind, int count) {
        String name = "storage-" + (faults.size() + 1);
        Path live = workspace.directory(name);
        Path synced = workspace.path().resolve(name + "-synced");
        int failing = kind == InjectedFault.Kind.FAIL_SYNC ? 1 + random.nextInt(MOST_SYNCS) : 0;
        Written written = write(kind, live, synced, failing);
        if (failing > 0 && !SyncImage.hasFailed(synced)) {
            inconclusive.add("the chain made fewer than " + failing + " syncs in " + SYNC_LIMIT.toSeconds() + " s");
        }
        for (int i = 0; i < count && inconclusive.isEmpty() && !isStopRequested.getAsBoolean(); i++) {
            String copy = name + "-trial-" + i;
            Path trial = workspace.directory(copy);
            String what = CommandException.guarded("cannot damage " + trial, () -> damage(kind, live, synced, trial));
            what = failing == 0 ? what : "from sync " + failing + " on, " + what;
            Promise promise = promise(kind, i % LOSSES_PER_SAME_BOOT == LOSSES_PER_SAME_BOOT - 1);
            what += kind == InjectedFault.Kind.LOSE_POWER && promise == Promise.SAME_BOOT ? ", same boot" : "";
            long[] recorded = new long[StorageChain.TOPICS];
            for (int topic = 0; topic < recorded.length; topic++) {
                recorded[topic] = recordedEnd(trial, topic, written);
            }
            StorageChain.Seen seen = examine(kind, trial, promise == Promise.HOST || promise == Promise.PROCESS);
            StorageFaultOutcome fault = judged(faults.size() + 1, kind, what, written, promise, recorded, seen);
            faults.add(fault);
            progress.injected(plan.setUp(), fault);
            workspace.discard(copy);
        }
        workspace.discard(name);
        workspace.discard(name + "-synced");
    }

    private Promise promise(InjectedFault.Kind kind, boolean isSameBoot) {
        boolean isHost = kind == InjectedFault.Kind.FAIL_SYNC
                || (plan.setUp().hasArchive()
                        ? Archive.Configuration.fileSyncLevel() > 0
                        : HOST.getValue().equals(plan.options().get(HOST.getKey())));
        return kind == InjectedFault.Kind.FLIP_BIT
                ? Promise.DETECTION
                : isHost ? Promise.HOST : isSameBoot ? Promise.SAME_BOOT : Promise.PROCESS;
    }

    /** Returns the end of a topic by its own record; 0 where that was lost, {@link Long#MAX_VALUE} where it cannot be read. */
    private long recordedEnd(Path trial, int topic, Written written) {
        if (plan.setUp().hasArchive()) {
            return CommandException.guarded(
                    "cannot read " + trial, () -> recordedEnd(trial, topic, written.records.getOrDefault(topic, -1L)));
        }
        try {
            StoredPosition.Value end = StoredMetadata.positions(
                            trial.resolve("queues").resolve(ChainScenario.topic(topic)), StoredMetadata.END)
                    .get(StoredMetadata.END);
            return end == null ? 0 : end.sequence();
        } catch (IOException | FileDefect damaged) {
            return Long.MAX_VALUE;
        }
    }

    /**
     * Returns the newest sequence in a recording of an end, whose records have copies with checksums. It is read as an Archive reads
     * it: up to the first place without a fragment, as it continues the recording there.
     */
    static long recordedEnd(Path trial, int topic, long recording) throws IOException {
        long newest = 0;
        Path catalog = trial.resolve("recordings/archive.catalog");
        if (Files.notExists(catalog)
                || !Files.readString(catalog, StandardCharsets.ISO_8859_1).contains(StorageChain.recordOf(topic))) {
            return newest; // an Archive knows a recording by its catalog alone
        }
        try (Stream<Path> files = Files.walk(trial)) {
            for (Path file : files.filter(each -> each.getFileName().toString().startsWith(recording + "-"))
                    .toList()) {
                ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
                int end;
                for (int at = 0; at < bytes.capacity() && bytes.getInt(at) > 0; at = end) {
                    end = at + BitUtil.align(bytes.getInt(at), FrameDescriptor.FRAME_ALIGNMENT);
                    for (int copy = at + DataHeaderFlyweight.HEADER_LENGTH;
                            copy + RECORD_BYTES <= Math.min(end, bytes.capacity());
                            copy += RECORD_BYTES) {
                        CRC32C crc = new CRC32C();
                        crc.update(bytes.clear()
                                .limit(copy + RECORD_BYTES - Integer.BYTES)
                                .position(copy));
                        bytes.clear();
                        boolean isRecord = bytes.getInt(copy + RECORD_BYTES - Integer.BYTES) == (int) crc.getValue();
                        newest = isRecord ? Math.max(newest, bytes.getLong(copy + Long.BYTES)) : newest;
                    }
                }
            }
        }
        return newest;
    }

    private String damage(InjectedFault.Kind kind, Path live, Path synced, Path trial) throws IOException {
        if (kind == InjectedFault.Kind.FLIP_BIT) {
            DiskImage.copy(live, trial);
            return DiskImage.flip(trial, random);
        }
        int way = kind == InjectedFault.Kind.FAIL_SYNC
                ? 0
                : random.nextInt(4); // nothing else is kept, any pages, the first ones
        return DiskImage.losePower(live, synced, trial, random, way == 0 ? 0 : random.nextDouble(), way > 1);
    }

    /** Runs a chain until it is killed. */
    private Written write(InjectedFault.Kind kind, Path live, Path synced, int failing) {
        List<String> prefix = kind == InjectedFault.Kind.FLIP_BIT ? List.of() : library.prefix(live, synced, failing);
        int unread = kind == InjectedFault.Kind.FLIP_BIT ? UNREAD : 0;
        Written written = new Written();
        List<String> flags = new ArrayList<>(ChainProcesses.flags(plan.setUp()));
        flags.addAll(archiveFlags(kind == InjectedFault.Kind.FAIL_SYNC ? 1 : Archive.Configuration.fileSyncLevel()));
        String file = planFile(kind, unread).toString();
        List<String> command = new ArrayList<>(prefix);
        command.addAll(InstalledJvm.current().command(flags, StorageChain.class, "write", file, live.toString()));
        TiedJvm writer = TiedJvm.start("the chain", command, StorageChain.READY, written::onLine);
        try {
            if (failing > 0) {
                ChainScenario.await(SYNC_LIMIT, 5, () -> SyncImage.hasFailed(synced) || !writer.isAlive());
                ChainScenario.await(AFTER_FAILURE, 5, () -> !writer.isAlive());
            } else {
                ChainProcesses.awaitReady("the chain", writer, START_LIMIT, isStopRequested);
                ChainScenario.sleep(kind == InjectedFault.Kind.LOSE_POWER ? random.nextInt(1_000) : LAG_MILLIS);
            }
        } finally {
            writer.kill();
            writer.awaitOutput();
        }
        return written;
    }

    /** The file sync level, which no catalog may have lower. */
    private static List<String> archiveFlags(int level) {
        return List.of(
                "-D" + Archive.Configuration.FILE_SYNC_LEVEL_PROP_NAME + "=" + level,
                "-D" + Archive.Configuration.CATALOG_FILE_SYNC_LEVEL_PROP_NAME + "=" + level);
    }

    private Path planFile(InjectedFault.Kind kind, int unread) {
        Map<String, String> options = new TreeMap<>(plan.options());
        if (kind == InjectedFault.Kind.FAIL_SYNC && !plan.setUp().hasArchive()) {
            options.put(HOST.getKey(), HOST.getValue());
        }
        Path file = workspace.path().resolve("storage-plan.json");
        StorageChain.Plan of =
                new StorageChain.Plan(plan.setUp().transport, options, plan.seed(), HANDLED, unread, hasChecksums);
        CommandException.guarded("cannot write " + file, () -> Json.write(file, of));
        return file;
    }

    /** {@return the observation; null when the process hung or crashed} */
    private StorageChain.Seen examine(InjectedFault.Kind kind, Path trial, boolean isRestarted) {
        if (examiner != null && examiner.isRestarted != isRestarted) {
            examiner.close();
            examiner = null;
        }
        if (examiner == null) {
            examiner = new Examiner(kind, isRestarted);
        }
        StorageChain.Seen seen = examiner.examine(trial);
        if (seen == null || examiner.isStuck) {
            examiner.process.kill();
            examiner = null;
        }
        return seen;
    }

    /**
     * Decides about the outcome of a fault.
     *
     * @param recorded ends of the topics by their own records, as the damage has left them
     * @param seen null: the process that examined the files hung or crashed
     */
    static StorageFaultOutcome judged(
            int number,
            InjectedFault.Kind kind,
            String what,
            Written written,
            Promise promise,
            long[] recorded,
            StorageChain.Seen seen) {
        if (seen == null) {
            return new StorageFaultOutcome(number, kind, what, Outcome.SILENT, "the examining process hung or crashed");
        }
        Outcome reported = promise == Promise.HOST ? Outcome.BROKEN : Outcome.DETECTED;
        boolean isSkipped =
                seen.first() > written.received + 1 && (seen.hole() == 0 || seen.hole() > written.received + 1);
        String wrong = seen.wrong() == null && isSkipped
                ? "messages " + (written.received + 1) + " to " + (seen.first() - 1) + " never reached the receiver"
                : seen.wrong();
        List<Loss> losses = new ArrayList<>();
        if (seen.found() < written.stored) {
            String range = "messages " + (seen.found() + 1) + " to " + written.stored;
            losses.add(new Loss(0, seen.found(), range + " were stored and are lost"));
        }
        if (seen.hole() > 0) {
            losses.add(
                    new Loss(1, seen.hole() - 1, ChainScenario.topic(1) + ": message " + seen.hole() + " is missing"));
        }
        String words = seen.warnings().isEmpty() ? null : seen.warnings().get(0);
        Outcome outcome = words == null ? Outcome.HARMLESS : Outcome.REPAIRED;
        if (seen.altered() != null) {
            words = seen.altered();
            outcome = Outcome.SILENT;
        } else if (seen.refusal() != null) {
            words = seen.refusal();
            outcome = seen.isOfArchive() || isNamed(words, what) ? reported : Outcome.UNCLEAR;
        } else if (wrong != null) {
            String report = report(seen, each -> promise != Promise.PROCESS && isNamed(each, what));
            words = wrong + (report == null ? "" : REPORTED + report);
            outcome = report == null ? Outcome.SILENT : reported;
        } else if (!losses.isEmpty()) {
            outcome = Outcome.HARMLESS;
            for (Loss each : losses) { // the worst one decides
                String report = report(
                        seen, text -> promise == Promise.PROCESS ? each.isAnnouncedBy(text) : isNamed(text, what));
                Outcome ofLoss = lost(promise, report != null, recorded[each.topic] <= each.end);
                if (ofLoss.compareTo(outcome) > 0) {
                    outcome = ofLoss;
                    words = each.words + (report == null ? "" : REPORTED + report);
                }
            }
        } else if (kind == InjectedFault.Kind.FAIL_SYNC && written.failure == null) {
            words = "the chain neither failed nor reported the failed sync";
            outcome = Outcome.SILENT;
        } else if (kind == InjectedFault.Kind.FAIL_SYNC) {
            words = "failed: " + written.failure.text();
            outcome = written.failure.isOfArchive() || isNamed(words, what) ? Outcome.DETECTED : Outcome.UNCLEAR;
        }
        return new StorageFaultOutcome(number, kind, what, outcome, words);
    }

    /** Decides about stored messages that are lost at the end, in a topic that was not refused. */
    private static Outcome lost(Promise promise, boolean isReported, boolean isRecordLost) {
        return switch (promise) {
            case DETECTION -> isReported ? Outcome.DETECTED : Outcome.SILENT;
            case HOST -> isReported ? Outcome.BROKEN : Outcome.SILENT;
            case PROCESS -> isReported ? Outcome.ANNOUNCED : isRecordLost ? Outcome.UNRECORDED : Outcome.SILENT;
            case SAME_BOOT -> isRecordLost ? Outcome.UNRECORDED : Outcome.SILENT;
        };
    }

    private static String report(StorageChain.Seen seen, Predicate<String> isReport) {
        return seen.warnings().stream().filter(isReport).findFirst().orElse(null);
    }

    /** The loss of a topic's frames behind an end. Behind a hole in the last topic later ones follow. Immutable, thread-safe. */
    private record Loss(int topic, long end, String words) {
        /** {@return whether a warning announces it with its numbers} */
        boolean isAnnouncedBy(String text) {
            return Pattern.compile("\\b" + ChainScenario.topic(topic) + "\\b.*ends at sequence " + end
                            + "\\b.* but \\d+ was (stored|reported as stored)")
                    .matcher(text)
                    .find();
        }
    }

    /** {@return whether a text names the damaged file or its topic, the place, and a remedy} */
    static boolean isNamed(String text, String what) {
        String path = what.replaceAll(",.*", "");
        String file = path.replaceAll(".*/", "");
        Matcher topic = TOPIC.matcher(path);
        boolean isSubject = text.contains(file)
                || text.contains(ABOVE_TOPICS)
                || (topic.find()
                        ? text.contains(topic.group())
                        : TOPIC.matcher(text).find());
        return isSubject && PLACE.matcher(text).find() && REMEDY.matcher(text).find();
    }

    /** The reports of the writing process. Thread-safe. */
    static final class Written {
        private volatile long stored;
        private volatile long received;
        private final Map<Integer, Long> records =
                new ConcurrentHashMap<>(); // recordings of an Archive with ends, by topic
        private volatile StorageChain.Failed failure; // null: the process did not fail

        void onLine(String line) {
            if (line.startsWith(StorageChain.STORED)) {
                stored = Long.parseLong(line.substring(StorageChain.STORED.length()));
            } else if (line.startsWith(StorageChain.RECEIVED)) {
                received = Long.parseLong(line.substring(StorageChain.RECEIVED.length()));
            } else if (line.startsWith(StorageChain.RECORD)) {
                String[] words = line.substring(StorageChain.RECORD.length()).split(" ");
                records.put(Integer.parseInt(words[0]), Long.parseLong(words[1]));
            } else if (line.startsWith(StorageChain.FAILED)) {
                failure = Json.parse(line.substring(StorageChain.FAILED.length()), StorageChain.Failed.class);
            }
        }
    }

    /** A process that examines damaged files. Confined to one thread. */
    private final class Examiner implements AutoCloseable {
        private final BlockingQueue<StorageChain.Seen> seen = new ArrayBlockingQueue<>(1);
        private final TiedJvm process;
        private final boolean isRestarted; // runs as after a restart of the host
        private volatile boolean isStuck; // its Archive does not end

        Examiner(InjectedFault.Kind kind, boolean isRestarted) {
            this.isRestarted = isRestarted;
            List<String> flags = new ArrayList<>(ChainProcesses.flags(plan.setUp()));
            flags.addAll(archiveFlags(Archive.Configuration.fileSyncLevel()));
            flags.addAll(isRestarted ? List.of(StorageChain.Plan.restarted()) : List.of());
            List<String> command = InstalledJvm.current()
                    .command(
                            flags,
                            StorageChain.class,
                            "examine",
                            planFile(kind, 0).toString());
            process = TiedJvm.start("the examining process", command, StorageChain.READY, line -> {
                if (line.equals(StorageChain.STUCK)) {
                    isStuck = true;
                } else if (line.startsWith(StorageChain.EXAMINED)) {
                    seen.add(Json.parse(line.substring(StorageChain.EXAMINED.length()), StorageChain.Seen.class));
                } else if (!line.startsWith(StorageChain.RECEIVED)) {
                    progress.said(plan.setUp(), "examiner", line);
                }
            });
            ChainProcesses.awaitReady("the examining process", process, START_LIMIT, isStopRequested);
        }

        StorageChain.Seen examine(Path trial) {
            process.confide(trial.toString());
            StorageChain.Seen result = null;
            long deadline = System.nanoTime() + EXAMINE_LIMIT.toNanos();
            try {
                while (result == null && process.isAlive() && System.nanoTime() < deadline) {
                    result = seen.poll(50, TimeUnit.MILLISECONDS);
                }
            } catch (InterruptedException hurried) {
                Thread.currentThread().interrupt();
            }
            return result;
        }

        @Override
        public void close() {
            process.close();
        }
    }
}
