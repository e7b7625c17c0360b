package dev.baton.measuring.machine;

import dev.baton.measuring.data.Memory;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Figures of other processes of this machine. A process that has ended counts as 0. */
final class Processes {
    private Processes() {}

    /** CPU time of these processes so far, to 10 ms; null without any, or where the system does not report it. */
    static Long cpuNanos(Collection<Long> pids) {
        return pids.stream()
                .map(ProcessHandle::of)
                .flatMap(Optional::stream)
                .map(handle -> handle.info().totalCpuDuration())
                .flatMap(Optional::stream)
                .map(Duration::toNanos)
                .reduce(Long::sum)
                .orElse(null);
    }

    /** Resident memory of these processes; null without any, and off Linux. */
    static Memory memory(Collection<Long> pids) {
        return pids.stream()
                .map(pid -> memory(KernelTree.OF_THIS_MACHINE.lines("proc/" + pid + "/status")))
                .filter(memory -> memory != null)
                .reduce(Processes::sum)
                .orElse(null);
    }

    static Memory memory(List<String> status) {
        Long resident = KernelTree.bytes(status, "VmRSS");
        if (resident == null) {
            return null;
        }
        Long files = sum(KernelTree.bytes(status, "RssFile"), KernelTree.bytes(status, "RssShmem"));
        return new Memory(resident, KernelTree.bytes(status, "RssAnon"), files);
    }

    /** Switches of all threads of this process that are alive now; null off Linux. */
    static Long contextSwitches() {
        KernelTree tasks = KernelTree.OF_THIS_MACHINE.in("proc/self/task");
        return tasks.entries("", "*").stream()
                .map(task -> contextSwitches(tasks.lines(task + "/status")))
                .reduce(Long::sum)
                .orElse(null);
    }

    /** Adds the times of a process's threads by their numbers; nothing where the kernel does not count them. */
    static void addThreads(long pid, Map<Long, CounterReading.TaskTimes> threads) {
        KernelTree tasks = KernelTree.OF_THIS_MACHINE.in("proc/" + pid + "/task");
        for (String task : tasks.entries("", "[0-9]*")) {
            String line = tasks.line(task + "/schedstat");
            String[] words = line == null ? new String[0] : line.split(" ");
            if (words.length > 1) {
                Long ran = KernelTree.leadingNumber(words[0]);
                Long waited = KernelTree.leadingNumber(words[1]);
                if (ran != null && waited != null) {
                    threads.put(Long.valueOf(task), new CounterReading.TaskTimes(ran, waited));
                }
            }
        }
    }

    static long contextSwitches(List<String> status) {
        return number(status, "voluntary_ctxt_switches") + number(status, "nonvoluntary_ctxt_switches");
    }

    private static long number(List<String> status, String key) {
        Long number = KernelTree.leadingNumber(KernelTree.value(status, key));
        return number == null ? 0 : number;
    }

    private static Memory sum(Memory one, Memory other) {
        return new Memory(
                one.residentBytes() + other.residentBytes(),
                sum(one.anonymousBytes(), other.anonymousBytes()),
                sum(one.fileBytes(), other.fileBytes()));
    }

    static Long sum(Long one, Long other) {
        return one == null || other == null ? null : Long.valueOf(one + other);
    }
}
