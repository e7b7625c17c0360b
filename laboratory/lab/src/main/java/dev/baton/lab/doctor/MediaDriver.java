package dev.baton.lab.doctor;

import dev.baton.operations.terminal.Units;
import io.aeron.AeronVersion;
import io.aeron.CncFileDescriptor;
import io.aeron.CommonContext;
import io.aeron.driver.status.SystemCounterDescriptor;
import java.io.File;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.DirectBuffer;
import org.agrona.IoUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.errors.ErrorLogReader;
import org.agrona.concurrent.status.CountersReader;

/**
 * An Aeron media driver that runs as a program of its own, read from its CnC file: nothing is sent to it. Immutable, thread-safe.
 *
 * @param directory of the driver
 * @param isActive whether its heartbeat is newer than {@value #HEARTBEAT_MILLIS} ms
 * @param version of Aeron as its counters tell it; empty if they do not
 * @param mode its threading mode; empty if its counters do not tell it
 * @param livenessNanos its client liveness timeout
 * @param counters values of its system counters, by {@link SystemCounterDescriptor}
 * @param newestError first line of the newest entry of its error log; empty without one
 * @param fileSystem type of the file system that its buffers are on
 * @param freeBytes free there
 * @param cores of this machine
 */
record MediaDriver(
        String directory,
        boolean isActive,
        String version,
        String mode,
        long livenessNanos,
        Map<SystemCounterDescriptor, Long> counters,
        String newestError,
        String fileSystem,
        long freeBytes,
        int cores)
        implements Diagnosis.Reading {
    private static final long HEARTBEAT_MILLIS = 1_000;
    private static final Pattern VERSION = Pattern.compile("version=(\\S+)");
    private static final Pattern MODE = Pattern.compile("\\b(DEDICATED|SHARED_NETWORK|SHARED|INVOKER)\\b");
    private static final String SHARED = "SHARED";
    private static final String DEDICATED = "DEDICATED";

    /** Threads of a dedicated driver, and one for the chains. */
    private static final int CORES_OF_DEDICATED = 4;

    private static final long SHORT_LIVENESS_NANOS = 5_000_000_000L;
    private static final long LONG_CYCLE_NANOS = 20_000_000;
    private static final long SCARCE = 256L << 20;

    /** A counter that should be zero. */
    private record Fault(SystemCounterDescriptor counter, GradeLetter letter, String why, String remedy) {}

    private static final List<Fault> FAULTS = List.of(
            new Fault(
                    SystemCounterDescriptor.CLIENT_TIMEOUTS,
                    GradeLetter.D,
                    "a client that the driver has timed out loses its publications and subscriptions",
                    "raise aeron.client.liveness.timeout above the longest pause of a client, or find what stalled it"),
            new Fault(
                    SystemCounterDescriptor.UNBLOCKED_PUBLICATIONS,
                    GradeLetter.D,
                    "a publisher died or stalled between claim and commit, and readers waited for it",
                    "raise aeron.publication.unblock.timeout above the longest pause of a client"),
            new Fault(
                    SystemCounterDescriptor.LOSS_GAP_FILLS,
                    GradeLetter.D,
                    "frames of an unreliable stream are lost for its readers",
                    "use reliable=true, or find where packets are dropped: LossStat, netstat -su"),
            new Fault(
                    SystemCounterDescriptor.NAK_MESSAGES_SENT,
                    GradeLetter.C,
                    "packets were lost; their frames wait for a retransmission",
                    "raise net.core.rmem_max and aeron.socket.so_rcvbuf; see LossStat and netstat -su"),
            new Fault(
                    SystemCounterDescriptor.RETRANSMIT_OVERFLOW,
                    GradeLetter.C,
                    "losses were not repaired at once, as too many were being repaired",
                    "raise aeron.max.resend"),
            new Fault(
                    SystemCounterDescriptor.SHORT_SENDS,
                    GradeLetter.C,
                    "the socket's send buffer was full, and packets were sent later",
                    "raise net.core.wmem_max and aeron.socket.so_sndbuf"),
            new Fault(
                    SystemCounterDescriptor.FLOW_CONTROL_OVER_RUNS,
                    GradeLetter.C,
                    "packets beyond the receiver's window were dropped, and are sent again",
                    "raise aeron.rcv.initial.window.length on the receiver, or lower it on the sender's side"),
            new Fault(
                    SystemCounterDescriptor.RECEIVER_PROXY_FAILS,
                    GradeLetter.C,
                    "the receiver's thread does not keep up with the conductor",
                    "give the driver's threads cores of their own"),
            new Fault(
                    SystemCounterDescriptor.SENDER_PROXY_FAILS,
                    GradeLetter.C,
                    "the sender's thread does not keep up with the conductor",
                    "give the driver's threads cores of their own"),
            new Fault(
                    SystemCounterDescriptor.CONDUCTOR_PROXY_FAILS,
                    GradeLetter.C,
                    "the conductor's thread does not keep up with sender and receiver",
                    "give the driver's threads cores of their own"));

    /** Reads the CnC file of a driver; all but the directory is empty if there is none, or it is of another layout, cut or not accessible. */
    static MediaDriver read(Path directory, int cores) {
        File file = CommonContext.newCncFile(directory.toString());
        MediaDriver none = new MediaDriver(
                directory.toString(), false, "", "", 0, Map.of(), "", fileSystem(directory), free(directory), cores);
        if (!file.isFile()) {
            return none;
        }
        try {
            boolean isActive = CommonContext.isDriverActive(directory.toFile(), HEARTBEAT_MILLIS, text -> {});
            MappedByteBuffer mapped = IoUtil.mapExistingFile(file, CncFileDescriptor.CNC_FILE);
            try {
                return none.with(isActive, mapped);
            } finally {
                IoUtil.unmap(mapped);
            }
        } catch (Exception otherLayout) { // or not accessible: Agrona throws an IOException that it does not declare
            return none;
        }
    }

    private MediaDriver with(boolean active, MappedByteBuffer mapped) {
        DirectBuffer meta = CncFileDescriptor.createMetaDataBuffer(mapped);
        CountersReader reader = new CountersReader(
                CncFileDescriptor.createCountersMetaDataBuffer(mapped, meta),
                CncFileDescriptor.createCountersValuesBuffer(mapped, meta),
                StandardCharsets.US_ASCII);
        Map<SystemCounterDescriptor, Long> values = new TreeMap<>();
        String[] told = {"", ""};
        reader.forEach((id, type, key, label) -> {
            SystemCounterDescriptor known = type == SystemCounterDescriptor.SYSTEM_COUNTER_TYPE_ID
                            && id < SystemCounterDescriptor.values().length
                    ? SystemCounterDescriptor.get(id)
                    : null;
            if (known != null) {
                values.put(known, reader.getCounterValue(id));
                told[0] = known == SystemCounterDescriptor.AERON_VERSION ? first(VERSION, label) : told[0];
                told[1] = known == SystemCounterDescriptor.CONDUCTOR_MAX_CYCLE_TIME ? first(MODE, label) : told[1];
            }
        });
        return new MediaDriver(
                directory,
                active,
                told[0],
                told[1],
                CncFileDescriptor.clientLivenessTimeoutNs(meta),
                values,
                newestError(CncFileDescriptor.createErrorLogBuffer(mapped, meta)),
                fileSystem,
                freeBytes,
                cores);
    }

    private static String first(Pattern pattern, String label) {
        Matcher found = pattern.matcher(label);
        return found.find() ? found.group(1) : "";
    }

    private static String newestError(AtomicBuffer log) {
        long[] newest = {0};
        String[] text = {""};
        ErrorLogReader.read(log, (count, firstMillis, lastMillis, encoded) -> {
            if (lastMillis >= newest[0]) {
                newest[0] = lastMillis;
                text[0] = encoded.lines().findFirst().orElse("");
            }
        });
        return text[0];
    }

    private static String fileSystem(Path directory) {
        try {
            return Files.getFileStore(existing(directory)).type();
        } catch (IOException | RuntimeException unknown) {
            return "";
        }
    }

    private static long free(Path directory) {
        try {
            return Files.getFileStore(existing(directory)).getUsableSpace();
        } catch (IOException | RuntimeException unknown) {
            return 0;
        }
    }

    private static Path existing(Path directory) {
        Path parent = directory.toAbsolutePath().getParent();
        return Files.exists(directory) || parent == null ? directory : parent;
    }

    private long value(SystemCounterDescriptor counter) {
        return counters.getOrDefault(counter, 0L);
    }

    @Override
    public List<Finding> findings() {
        if (!isActive) {
            return List.of(new Finding(
                    GradeLetter.F,
                    "media driver",
                    "none runs in " + directory,
                    "no client of Aeron can start there",
                    "start io.aeron.driver.MediaDriver or aeronmd with that directory, as docs/aeron.md shows"));
        }
        List<Finding> all = new ArrayList<>();
        boolean isOther = !version.equals(AeronVersion.VERSION);
        all.add(Finding.of(
                isOther ? GradeLetter.C : GradeLetter.A,
                "media driver",
                "Aeron " + (version.isEmpty() ? "of an unknown version" : version) + " in " + directory,
                "Baton's client is Aeron " + AeronVersion.VERSION + ", and was tested with that version only",
                "start a driver of Aeron " + AeronVersion.VERSION));
        all.add(threading());
        all.add(cycles());
        all.add(Finding.of(
                livenessNanos < SHORT_LIVENESS_NANOS ? GradeLetter.C : GradeLetter.A,
                "aeron.client.liveness.timeout",
                Units.time(livenessNanos),
                "a client whose loop is blocked for longer is timed out: a collection or a stall of the host is enough",
                "start the driver with -Daeron.client.liveness.timeout=10s"));
        long errors = value(SystemCounterDescriptor.ERRORS);
        all.add(Finding.of(
                errors > 0 ? GradeLetter.D : GradeLetter.A,
                "errors of the driver",
                errors + (newestError.isEmpty() ? "" : ", the newest: " + newestError),
                "each is a command that failed, or a socket or file that the driver could not use",
                "read its error log: io.aeron.samples.ErrorStat"));
        for (Fault fault : FAULTS) {
            long count = value(fault.counter);
            all.add(Finding.of(
                    count > 0 ? fault.letter : GradeLetter.A,
                    fault.counter.label(),
                    Units.count(count),
                    fault.why,
                    fault.remedy));
        }
        all.add(Finding.fine(
                "back-pressure", Units.count(value(SystemCounterDescriptor.SENDER_FLOW_CONTROL_LIMITS)) + " events"));
        all.add(room());
        all.add(Finding.hidden(
                "idle strategies, MTU",
                "the driver's counters do not have them; see its configuration printed at its start"));
        return all;
    }

    private Finding threading() {
        if (mode.isEmpty()) {
            return Finding.hidden("threading mode", "the driver's counters do not tell it");
        }
        boolean isCrowded = mode.equals(DEDICATED) && cores < CORES_OF_DEDICATED;
        boolean isShared = !mode.equals(DEDICATED) && cores >= CORES_OF_DEDICATED;
        return Finding.of(
                isCrowded ? GradeLetter.C : isShared ? GradeLetter.B : GradeLetter.A,
                "threading mode",
                mode + " on " + cores + " cores",
                isCrowded
                        ? "three threads of the driver and yours wait for each other"
                        : "commands of clients and timers delay what is sent and received",
                "start the driver with -Daeron.threading.mode=" + (isCrowded ? SHARED : DEDICATED));
    }

    private Finding cycles() {
        long longest = Math.max(
                value(SystemCounterDescriptor.CONDUCTOR_MAX_CYCLE_TIME),
                Math.max(
                        value(SystemCounterDescriptor.SENDER_MAX_CYCLE_TIME),
                        value(SystemCounterDescriptor.RECEIVER_MAX_CYCLE_TIME)));
        long exceeded = value(SystemCounterDescriptor.CONDUCTOR_CYCLE_TIME_THRESHOLD_EXCEEDED)
                + value(SystemCounterDescriptor.SENDER_CYCLE_TIME_THRESHOLD_EXCEEDED)
                + value(SystemCounterDescriptor.RECEIVER_CYCLE_TIME_THRESHOLD_EXCEEDED);
        GradeLetter letter = livenessNanos > 0 && longest > livenessNanos / 2
                ? GradeLetter.E
                : exceeded > 0 ? GradeLetter.D : longest > LONG_CYCLE_NANOS ? GradeLetter.B : GradeLetter.A;
        return Finding.of(
                letter,
                "longest cycle",
                Units.time(longest) + ", " + exceeded + " beyond the driver's threshold",
                "everything in the driver waited as long; a client is timed out after " + Units.time(livenessNanos),
                "give the driver's threads cores of their own; -Daeron.pre.touch.mapped.memory=true; a memory file system");
    }

    private Finding room() {
        boolean isMemory = fileSystem.equals("tmpfs") || fileSystem.equals("ramfs") || fileSystem.isEmpty();
        return Finding.of(
                freeBytes < SCARCE ? GradeLetter.D : isMemory ? GradeLetter.A : GradeLetter.C,
                "log buffers",
                directory + " is on " + (fileSystem.isEmpty() ? "an unknown file system" : fileSystem) + ", "
                        + Units.bytes(freeBytes) + " free",
                isMemory
                        ? "a publication takes three terms there, and is refused when they do not fit"
                        : "the write-back of a disk delays publications",
                isMemory
                        ? "sudo mount -o remount,size=50% /dev/shm"
                        : "start the driver with -Daeron.dir=/dev/shm/...");
    }
}
