package dev.baton.measuring.machine;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What this process has used since it started. Null: the system does not tell. Immutable, thread-safe.
 *
 * @param peakResidentBytes the most that was resident at any time: VmHWM
 * @param majorFaults pages that had to be read from a disk: a file's, or swapped ones
 * @param cpuNanos of all threads
 * @param gcCpuNanos of the collector's threads, known by their names. The Serial collector has none: it works in the VM
 *     thread, which is counted, though it also does what else needs a safepoint
 */
public record ProcessUse(Long peakResidentBytes, Long majorFaults, Long cpuNanos, Long gcCpuNanos) {
    private static final Path SELF = Path.of("/proc/self");
    private static final int MAJOR_FAULTS = 9; // fields behind the name, from 0
    private static final long KILO = 1024;

    private static final String VM_THREAD = "VM Thread";

    /** Now; walks all threads. */
    public static ProcessUse now() {
        return read(SELF, Jvm.cpuNanos());
    }

    static ProcessUse read(Path process, Long cpuNanos) {
        Long peak = ProcFile.value(ProcFile.lines(process.resolve("status")), "VmHWM")
                .flatMap(ProcFile::number)
                .map(kilos -> kilos * KILO)
                .orElse(null);
        Long faults = ProcFile.firstLine(process.resolve("stat"))
                .flatMap(ProcessUse::majorFaults)
                .orElse(null);
        return new ProcessUse(peak, faults, cpuNanos, gcCpuNanos(process.resolve("task")));
    }

    /** The name of the command may hold blanks and parentheses: the fields count from behind the last one. */
    static Optional<Long> majorFaults(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).trim().split(" ");
        return fields.length <= MAJOR_FAULTS ? Optional.empty() : ProcFile.number(fields[MAJOR_FAULTS]);
    }

    private static Long gcCpuNanos(Path tasks) {
        if (!Files.isDirectory(tasks)) {
            return null;
        }
        long nanos = 0;
        boolean isTold = false;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
            for (Path thread : threads) {
                String name = ProcFile.firstLine(thread.resolve("comm")).orElse("");
                if (name.equals(VM_THREAD) || GcThreads.isOne(name)) {
                    Optional<Long> run =
                            ProcFile.firstLine(thread.resolve("schedstat")).flatMap(ProcFile::number);
                    isTold |= run.isPresent();
                    nanos += run.orElse(0L);
                }
            }
        } catch (IOException | RuntimeException gone) {
            return null;
        }
        return isTold ? nanos : null;
    }
}
