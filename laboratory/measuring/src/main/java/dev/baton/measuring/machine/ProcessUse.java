package dev.baton.measuring.machine;

import dev.baton.measuring.machine.OtherTasks.Group;
import java.util.Objects;

/**
 * The resources that this process has used since it started. Null: unknown. Immutable, thread-safe.
 *
 * @param peakResidentBytes greatest resident memory at any time: VmHWM
 * @param majorFaults pages that were read from a disk: of files, or swapped ones
 * @param cpuNanos of all threads
 * @param gcCpuNanos of the collector's threads, identified by their names. The Serial collector has none: it works in the VM thread, which
 * is counted, although it also executes other operations at safepoints
 */
public record ProcessUse(Long peakResidentBytes, Long majorFaults, Long cpuNanos, Long gcCpuNanos) {
    private static final int MAJOR_FAULTS = 9; // fields behind the name, from 0
    private static final String VM_THREAD = "VM Thread";

    /** {@return the use so far} Walks all threads. */
    public static ProcessUse now() {
        return read(KernelTree.OF_THIS_MACHINE.in("proc/self"), Jvm.cpuNanos());
    }

    static ProcessUse read(KernelTree process, Long cpuNanos) {
        return new ProcessUse(
                process.bytes("status", "VmHWM"), majorFaults(process.line("stat")), cpuNanos, gcCpuNanos(process));
    }

    /** Parses the faults; the name of the command may contain blanks and parentheses, so fields are counted after the last parenthesis. */
    private static Long majorFaults(String stat) {
        String[] fields = stat == null
                ? new String[0]
                : stat.substring(stat.lastIndexOf(')') + 1).trim().split(" ");
        return fields.length <= MAJOR_FAULTS ? null : KernelTree.leadingNumber(fields[MAJOR_FAULTS]);
    }

    private static Long gcCpuNanos(KernelTree process) {
        return process.entries("task", "*").stream()
                .map(task -> process.in("task/" + task))
                .filter(thread -> {
                    String name = Objects.requireNonNullElse(thread.line("comm"), "");
                    return name.equals(VM_THREAD) || Group.of(name) == Group.COLLECTORS;
                })
                .map(thread -> thread.number("schedstat"))
                .filter(Objects::nonNull)
                .reduce(Long::sum)
                .orElse(null);
    }
}
