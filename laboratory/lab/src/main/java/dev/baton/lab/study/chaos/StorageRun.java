package dev.baton.lab.study.chaos;

import dev.baton.lab.launch.TiedJvm;
import dev.baton.lab.launch.Workspace;
import dev.baton.lab.launch.jvm.Jvm;
import dev.baton.lab.results.Json;
import dev.baton.lab.study.chaos.StorageFault.Outcome;
import dev.baton.operations.line.CommandException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.agrona.CloseHelper;

/**
 * Makes the faults of storage of one set-up: kills a chain, damages a copy of its files, has another process open them, and accounts for
 * the outcome. Several faults use the files of one chain. Confined to one thread.
 */
final class StorageRun {
    /** The option with which Chronicle stores in the class {@code host}, and nowhere else. */
    static final Map.Entry<String, String> HOST = Map.entry("durability", "host");

    /** The Archive's own way to store in the class {@code host}. */
    private static final List<String> HOST_OF_ARCHIVE =
            List.of("-Daeron.archive.file.sync.level=1", "-Daeron.archive.catalog.file.sync.level=1");

    private static final int HANDLED = 300;
    private static final int UNREAD = 200;
    private static final int FLIPS_PER_CHAIN = 100;
    private static final int LOSSES_PER_CHAIN = 10;
    private static final int MOST_SYNCS = 300;
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration EXAMINE_LIMIT = Duration.ofSeconds(60);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(15);
    private static final Duration SYNC_LIMIT = Duration.ofSeconds(20);

    private static final Pattern PLACE = Pattern.compile(
            "sequence|position|\\.cq4|baton\\.topic|recording|catalog|be synced", Pattern.CASE_INSENSITIVE);

    private final ChaosPlan plan;
    private final boolean hasChecksums;
    private final Workspace workspace;
    private final BooleanSupplier isStopRequested;
    private final ChaosProgress progress;
    private final Random random;
    private final List<StorageFault> faults = new ArrayList<>();
    private final List<String> inconclusive = new ArrayList<>();
    private final SyncImage library; // null: no kind needs it
    private Examiner examiner;

    /** Prepares. @param hasChecksums whether frames have checksums */
    StorageRun(
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
        boolean isOfSyncs = plan.kinds().stream().anyMatch(kind -> kind != Fault.Kind.FLIP_BIT);
        library = isOfSyncs ? SyncImage.build(workspace.directory("library")) : null;
    }

    /** Makes all of them, those of one kind after those of another. */
    ChaosResult.Run run() {
        progress.began(plan);
        long begun = System.nanoTime();
        List<Fault.Kind> kinds = plan.kinds().stream().sorted().toList();
        try {
            for (int i = 0; i < kinds.size(); i++) {
                Fault.Kind kind = kinds.get(i);
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

    private static int perChain(Fault.Kind kind) {
        return switch (kind) {
            case FLIP_BIT -> FLIPS_PER_CHAIN;
            case LOSE_POWER -> LOSSES_PER_CHAIN;
            default -> 1;
        };
    }

    /** Makes some faults with the files of one chain. */
    private void chain(Fault.Kind kind, int count) {
        String name = "storage-" + (faults.size() + 1);
        Path live = workspace.directory(name);
        Path synced = workspace.path().resolve(name + "-synced");
        int failing = kind == Fault.Kind.FAIL_SYNC ? 1 + random.nextInt(MOST_SYNCS) : 0;
        boolean isHost = kind == Fault.Kind.FAIL_SYNC || isHost();
        Written written = write(kind, live, synced, failing);
        if (failing > 0 && !SyncImage.hasFailed(synced)) {
            inconclusive.add("the chain made fewer than " + failing + " syncs in " + SYNC_LIMIT.toSeconds() + " s");
        }
        for (int i = 0; i < count && inconclusive.isEmpty() && !isStopRequested.getAsBoolean(); i++) {
            String copy = name + "-trial-" + i;
            Path trial = workspace.directory(copy);
            String what = CommandException.guarded("cannot damage " + trial, () -> damage(kind, live, synced, trial));
            what = failing == 0 ? what : "from sync " + failing + " on, " + what;
            StorageFault fault = judged(faults.size() + 1, kind, what, written, isHost, examine(kind, trial));
            faults.add(fault);
            progress.injected(plan.setUp(), fault);
            workspace.discard(copy);
        }
        workspace.discard(name);
        workspace.discard(name + "-synced");
    }

    private boolean isHost() {
        return plan.setUp().hasArchive()
                || HOST.getValue().equals(plan.options().get(HOST.getKey()));
    }

    private String damage(Fault.Kind kind, Path live, Path synced, Path trial) throws IOException {
        if (kind == Fault.Kind.FLIP_BIT) {
            DiskImage.copy(live, trial);
            return DiskImage.flip(trial, random);
        }
        double share = kind == Fault.Kind.FAIL_SYNC ? 0 : random.nextInt(3) / 2.0 * random.nextDouble();
        return DiskImage.losePower(live, synced, trial, random, share);
    }

    /** Runs a chain until it is killed. */
    private Written write(Fault.Kind kind, Path live, Path synced, int failing) {
        List<String> prefix = kind == Fault.Kind.FLIP_BIT ? List.of() : library.prefix(live, synced, failing);
        int unread = kind == Fault.Kind.FLIP_BIT ? UNREAD : 0;
        Written written = new Written();
        List<String> flags = new ArrayList<>(ChainProcesses.flags(plan.setUp()));
        flags.addAll(kind == Fault.Kind.FLIP_BIT ? List.of() : HOST_OF_ARCHIVE);
        String file = planFile(kind, unread).toString();
        List<String> command = new ArrayList<>(prefix);
        command.addAll(Jvm.current().command(flags, StorageChain.class, "write", file, live.toString()));
        TiedJvm writer = TiedJvm.start("the chain", command, StorageChain.READY, written::onLine);
        try {
            if (failing > 0) {
                ChainScenario.await(SYNC_LIMIT, 5, () -> SyncImage.hasFailed(synced) || !writer.isAlive());
                ChainScenario.await(AFTER_FAILURE, 5, () -> !writer.isAlive());
            } else {
                ChainProcesses.awaitReady("the chain", writer, START_LIMIT, isStopRequested);
                ChainScenario.sleep(kind == Fault.Kind.LOSE_POWER ? random.nextInt(1_000) : 0);
            }
        } finally {
            writer.kill();
            writer.awaitOutput();
        }
        return written;
    }

    private Path planFile(Fault.Kind kind, int unread) {
        Map<String, String> options = new TreeMap<>(plan.options());
        if (kind == Fault.Kind.FAIL_SYNC && !plan.setUp().hasArchive()) {
            options.put(HOST.getKey(), HOST.getValue());
        }
        Path file = workspace.path().resolve("storage-plan.json");
        StorageChain.Plan of =
                new StorageChain.Plan(plan.setUp().transport, options, plan.seed(), HANDLED, unread, hasChecksums);
        CommandException.guarded("cannot write " + file, () -> Json.write(file, of));
        return file;
    }

    /** {@return the observation; null when the process hung or crashed} */
    private StorageChain.Seen examine(Fault.Kind kind, Path trial) {
        if (examiner == null) {
            examiner = new Examiner(kind);
        }
        StorageChain.Seen seen = examiner.examine(trial);
        if (seen == null) {
            examiner.process.kill();
            examiner = null;
        }
        return seen;
    }

    /**
     * Decides about the outcome of a fault.
     *
     * @param isHost whether the class {@code host} was chosen
     * @param seen null: the process that examined the files hung or crashed
     */
    static StorageFault judged(
            int number, Fault.Kind kind, String what, Written written, boolean isHost, StorageChain.Seen seen) {
        if (seen == null) {
            return new StorageFault(number, kind, what, Outcome.SILENT, "the examining process hung or crashed");
        }
        boolean isOfPower = kind != Fault.Kind.FLIP_BIT;
        Outcome reported = isOfPower && isHost ? Outcome.BROKEN : Outcome.DETECTED;
        String lost = seen.found() < written.stored
                ? "messages " + (seen.found() + 1) + " to " + written.stored + " were stored and are lost"
                : null;
        String skipped = seen.first() > written.received + 1
                ? "messages " + (written.received + 1) + " to " + (seen.first() - 1) + " never reached the receiver"
                : null;
        String hole = seen.wrong() == null ? skipped : seen.wrong();
        String words = seen.warnings().isEmpty() ? null : seen.warnings().get(0);
        Outcome outcome = words == null ? Outcome.HARMLESS : Outcome.REPAIRED;
        if (seen.altered() != null) {
            words = seen.altered();
            outcome = Outcome.SILENT;
        } else if (seen.refusal() != null) {
            words = seen.refusal();
            outcome = isNamed(words, what) ? reported : Outcome.UNCLEAR;
        } else if (hole != null || lost != null) {
            words = hole == null ? lost : hole;
            boolean isReported = seen.warnings().stream().anyMatch(each -> isNamed(each, what));
            boolean isAnnounced = hole == null && isOfPower && !isHost;
            outcome = isAnnounced ? Outcome.ANNOUNCED : isReported ? reported : Outcome.SILENT;
        } else if (kind == Fault.Kind.FAIL_SYNC && written.failure == null) {
            words = "the chain neither failed nor reported the failed sync";
            outcome = Outcome.SILENT;
        } else if (kind == Fault.Kind.FAIL_SYNC) {
            words = written.failure;
            outcome = isNamed(words, what) ? Outcome.DETECTED : Outcome.UNCLEAR;
        }
        return new StorageFault(number, kind, what, outcome, words);
    }

    /** {@return whether a text names the damaged file, or a place in a topic or an Archive} */
    private static boolean isNamed(String text, String what) {
        String file = what.replaceAll(",.*", "").replaceAll(".*/", "");
        return text.contains(file) || PLACE.matcher(text).find();
    }

    /** The reports of the writing process. Thread-safe. */
    static final class Written {
        private volatile long stored;
        private volatile long received;
        private volatile String failure; // the last line of a process that failed; null: it did not

        void onLine(String line) {
            if (line.startsWith(StorageChain.STORED)) {
                stored = Long.parseLong(line.substring(StorageChain.STORED.length()));
            } else if (line.startsWith(StorageChain.RECEIVED)) {
                received = Long.parseLong(line.substring(StorageChain.RECEIVED.length()));
            } else if (line.startsWith("failed: ")) {
                failure = line;
            }
        }
    }

    /** A process that examines damaged files. Confined to one thread. */
    private final class Examiner implements AutoCloseable {
        private final BlockingQueue<StorageChain.Seen> seen = new ArrayBlockingQueue<>(1);
        private final TiedJvm process;

        Examiner(Fault.Kind kind) {
            List<String> command = Jvm.current()
                    .command(
                            ChainProcesses.flags(plan.setUp()),
                            StorageChain.class,
                            "examine",
                            planFile(kind, 0).toString());
            process = TiedJvm.start("the examining process", command, StorageChain.READY, line -> {
                if (line.startsWith(StorageChain.EXAMINED)) {
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
