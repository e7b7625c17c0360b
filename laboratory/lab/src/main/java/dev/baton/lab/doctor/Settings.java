package dev.baton.lab.doctor;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.baton.measuring.data.Host;
import dev.baton.measuring.data.TrialEnvironment;
import dev.baton.measuring.machine.KernelTree;
import dev.baton.measuring.machine.SystemLimits;
import dev.baton.operations.terminal.Units;
import java.util.ArrayList;
import java.util.List;

/**
 * The settings of the machine: its environment, and further values of the kernel. Each function returns the findings about one property.
 * Immutable, thread-safe.
 *
 * @param clockSources that the kernel could use in place of the current one
 * @param isIntel whether the switch of turbo is that of Intel's driver
 * @param isolated cores from which the kernel keeps other work, in its notation; empty for none, null when unknown
 * @param tickless cores without the timer's interrupt while one thread runs; empty for none, null when unknown
 * @param defrag when the kernel moves memory to make huge pages; null when unknown
 * @param nodes of memory; null when unknown
 * @param isBalanced whether the kernel moves memory after the threads that use it
 */
record Settings(
        @JsonIgnore TrialEnvironment environment,
        SystemLimits limits,
        List<String> clockSources,
        boolean isIntel,
        String isolated,
        String tickless,
        String defrag,
        Integer nodes,
        boolean isBalanced)
        implements Diagnosis.Reading {
    /**
     * The descriptors of 1,000 chains of five services, as {@code density} estimates them, with those of the JVM; a test compares the two.
     */
    static final long WANTED_DESCRIPTORS = 12_100;

    static final long WANTED_MAPS = 27_800;

    private static final String CPUS = "sys/devices/system/cpu/";
    private static final String INTEL = CPUS + "intel_pstate/no_turbo";
    private static final String CLOCKS = "sys/devices/system/clocksource/clocksource0/";
    private static final String PROCESSOR_CLOCK = "tsc";

    /** Two threads that spin, the collector or a broker, and the rest of the system. */
    private static final int ENOUGH_CORES = 4;

    private static final int RELUCTANT = 10;
    private static final long LITTLE_GROUP_BYTES = 2L << 30;
    private static final long LITTLE_BYTES = 1L << 30;

    static Settings read(KernelTree tree, TrialEnvironment environment, SystemLimits limits) {
        String clocks = tree.line(CLOCKS + "available_clocksource");
        boolean isTold = !tree.lines(CPUS + "online").isEmpty();
        int nodes = tree.entries("sys/devices/system/node", "node[0-9]*").size();
        Long balancing = tree.number("proc/sys/kernel/numa_balancing");
        return new Settings(
                environment,
                limits,
                clocks == null ? List.of() : List.of(clocks.split("\\s+")),
                tree.number(INTEL) != null,
                list(tree.line(CPUS + "isolated"), isTold),
                list(tree.line(CPUS + "nohz_full"), isTold),
                tree.chosen("sys/kernel/mm/transparent_hugepage/defrag"),
                nodes == 0 ? null : Integer.valueOf(nodes),
                balancing != null && balancing != 0);
    }

    private static String list(String line, boolean isTold) {
        return line == null || line.equals("(null)") ? isTold ? "" : null : line;
    }

    @Override
    public List<Finding> findings() {
        Host host = environment.host();
        List<Finding> all = new ArrayList<>(List.of(
                host(environment.virtualisation()),
                clock(environment.clockSource(), clockSources, environment.nanoTimeCostNanos())));
        all.addAll(frequency(host.clocking(), isIntel));
        all.addAll(cores(environment.processors(), isolated, tickless));
        all.add(hugePages(host.pages(), defrag));
        all.add(swap(host.swap()));
        all.addAll(group(host.group()));
        all.addAll(process(limits));
        all.add(numa(nodes, isBalanced));
        return all;
    }

    /** Returns the finding about a shared machine. The hints are in the line about the machine, which every report has. */
    static Finding host(List<String> hints) {
        return hints.isEmpty()
                ? Finding.fine("host", "nothing hints at a virtual or shared one")
                : Finding.of(
                        GradeLetter.D,
                        "host",
                        "shared or virtual",
                        "other guests take its cores and caches, unseen from here",
                        "ask your provider for a dedicated machine (bare metal)");
    }

    /**
     * Two readings are in every service time: a clock that costs a system call is most of what is measured.
     *
     * @param current its name; null off Linux
     * @param nanos what one reading costs
     */
    static Finding clock(String current, List<String> available, double nanos) {
        boolean hasBetter = available.contains(PROCESSOR_CLOCK) && !PROCESSOR_CLOCK.equals(current);
        return Finding.of(
                GradeLetter.below(nanos, 60, 150, 400, 1_000, 4_000),
                "clock",
                (current == null ? "" : current + ", ") + Units.time(Math.round(nanos)) + " for a nanoTime()",
                "every latency contains readings of it",
                hasBetter
                        ? "echo tsc | sudo tee /" + CLOCKS + "current_clocksource"
                        : "ask your provider for a machine whose clock is the processor's (tsc)");
    }

    /** Returns the findings about the control of the cores' frequency. */
    static List<Finding> frequency(Host.Clocking clocking, boolean isIntel) {
        Finding governor = clocking.governor() == null
                ? Finding.hidden("frequency", "no governor is visible; the host or the firmware decides")
                : Finding.of(
                        clocking.governor().equals("performance") ? GradeLetter.A : GradeLetter.C,
                        "frequency",
                        "governor " + clocking.governor().replace(",", ", "),
                        "a core that rested between two messages starts slowly",
                        "echo performance | sudo tee /" + CPUS + "cpu*/cpufreq/scaling_governor");
        Finding turbo = clocking.isTurbo() == null
                ? Finding.hidden("turbo", "no switch is visible")
                : Finding.of(
                        clocking.isTurbo() ? GradeLetter.B : GradeLetter.A,
                        "turbo",
                        clocking.isTurbo() ? "on" : "off",
                        "the clock rate follows heat and neighbours, so that repetitions differ",
                        isIntel ? "echo 1 | sudo tee /" + INTEL : "echo 0 | sudo tee /" + CPUS + "cpufreq/boost");
        return List.of(governor, turbo);
    }

    /** The cores that this process may use, and those that the kernel keeps other work from. */
    static List<Finding> cores(int cores, String isolated, String tickless) {
        Finding count = Finding.of(
                cores >= ENOUGH_CORES ? GradeLetter.A : cores > 1 ? GradeLetter.C : GradeLetter.E,
                "cores",
                Integer.toString(cores),
                "two spinning threads, the collector and the system wait for each other",
                "ask your provider for a machine with " + ENOUGH_CORES + " cores or more");
        return List.of(count, setAside(cores, isolated, tickless));
    }

    private static Finding setAside(int cores, String isolated, String tickless) {
        String subject = "isolated cores";
        if (isolated == null) {
            return Finding.hidden(subject, "the kernel does not list them");
        }
        if (!isolated.isEmpty() && tickless != null && !tickless.isEmpty()) {
            return Finding.fine(
                    subject, isolated + ", tickless " + tickless + "; taskset -c " + isolated + " uses them");
        }
        return Finding.of(
                GradeLetter.B,
                subject,
                isolated.isEmpty() ? "none" : isolated + ", none without the timer's tick",
                isolated.isEmpty()
                        ? "any other thread may be put on the core that measures"
                        : "the tick interrupts a spinning thread up to 1,000 times a second",
                boot(cores));
    }

    private static String boot(int cores) {
        if (cores < ENOUGH_CORES) {
            return "ask your provider for " + ENOUGH_CORES + " cores or more, so that some can be set aside";
        }
        String list = cores / 2 + "-" + (cores - 1);
        return "sudo sed -i 's/^GRUB_CMDLINE_LINUX=\"/&isolcpus=" + list + " nohz_full=" + list + " rcu_nocbs=" + list
                + " /' /etc/default/grub && sudo update-grub && sudo reboot";
    }

    /** Memory in pages larger than the usual 4 KiB. */
    static Finding hugePages(Host.Pages pages, String defrag) {
        String mode = pages == null ? null : pages.transparent();
        String explicit = pages == null
                ? ""
                : ", " + (pages.explicit() == 0 ? "no" : Units.count(pages.explicit())) + " explicit ones";
        if (mode == null) {
            return Finding.hidden("huge pages", "no transparent ones are visible" + explicit);
        }
        return Finding.of(
                mode.equals("always") ? GradeLetter.C : GradeLetter.A,
                "huge pages",
                "transparent: " + mode + (defrag == null ? "" : ", defrag " + defrag) + explicit,
                "the kernel moves memory about beneath running programs",
                "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled");
    }

    /** Returns the finding about swapping. */
    static Finding swap(Host.Swap swap) {
        if (swap == null) {
            return Finding.hidden("swap", "the kernel does not report it");
        }
        if (swap.bytes() == 0) {
            return Finding.fine("swap", "none");
        }
        Integer swappiness = swap.swappiness();
        boolean isReluctant = swappiness != null && swappiness <= RELUCTANT;
        return Finding.of(
                swap.usedBytes() > 0 ? GradeLetter.D : isReluctant ? GradeLetter.B : GradeLetter.C,
                "swap",
                Units.bytes(swap.bytes()) + ", " + Units.bytes(swap.usedBytes()) + " used"
                        + (swappiness == null ? "" : ", swappiness " + swappiness),
                "a page that comes back from a disk takes milliseconds",
                "sudo swapoff -a");
    }

    /**
     * Returns the findings about the limits of this process's control groups.
     *
     * @param limits the tightest; null when the kernel lists no control groups
     */
    static List<Finding> group(Host.Group limits) {
        if (limits == null) {
            return List.of(Finding.hidden("control group", "the kernel lists none"));
        }
        Finding cpu = limits.cpuCores() == null
                ? Finding.fine("CPU limit", "none")
                : Finding.of(
                        limits.throttled() != null && limits.throttled() > 0 ? GradeLetter.E : GradeLetter.D,
                        "CPU limit",
                        Units.significant(limits.cpuCores()) + " cores"
                                + (limits.throttled() == null ? "" : ", throttled " + limits.throttled() + " times"),
                        "a group that has used up its time is stopped until the next period, up to 100 ms",
                        "run it without a limit (docker: leave --cpus out; systemd: -p CPUQuota=), or ask who runs the"
                                + " container");
        Finding memory = limits.memoryBytes() == null
                ? Finding.fine("memory limit", "none")
                : Finding.of(
                        limits.memoryBytes() < LITTLE_GROUP_BYTES ? GradeLetter.C : GradeLetter.A,
                        "memory limit",
                        Units.bytes(limits.memoryBytes()),
                        "near its limit a group frees its file pages, those of queues included, while messages wait",
                        "raise it (docker: --memory=4g; systemd: -p MemoryMax=4G), or ask who runs the container");
        return List.of(cpu, memory);
    }

    /** Returns the findings about the limits of one process, compared with the needs of a thousand chains over Chronicle. */
    static List<Finding> process(SystemLimits limits) {
        return List.of(
                Finding.of(
                        limits.memoryBytes() < LITTLE_BYTES ? GradeLetter.D : GradeLetter.A,
                        "free memory",
                        limits.memoryBytes() == Long.MAX_VALUE ? "not told" : Units.bytes(limits.memoryBytes()),
                        "memory beyond that is taken from the pages of queues, or processes are killed",
                        "ps -eo rss,pid,comm --sort=-rss | head, and stop the largest"),
                Finding.of(
                        limits.descriptors() < WANTED_DESCRIPTORS ? GradeLetter.B : GradeLetter.A,
                        "open files",
                        text(limits.descriptors(), WANTED_DESCRIPTORS),
                        "queues are files that stay open",
                        "ulimit -n 1048576; where that is refused:"
                                + " echo '* - nofile 1048576' | sudo tee /etc/security/limits.d/baton.conf"),
                Finding.of(
                        limits.maps() < WANTED_MAPS ? GradeLetter.B : GradeLetter.A,
                        "memory maps",
                        text(limits.maps(), WANTED_MAPS),
                        "queues are mapped piece by piece",
                        "sudo sysctl -w vm.max_map_count=262144"));
    }

    private static String text(long limit, long wanted) {
        return (limit == Long.MAX_VALUE ? "no limit told" : Units.count(limit)) + ", 1,000 chains over Chronicle need "
                + Units.count(wanted);
    }

    /** Returns the finding about memory that is nearer to some cores than to others. */
    static Finding numa(Integer nodes, boolean isBalanced) {
        if (nodes == null) {
            return Finding.hidden("NUMA", "the kernel lists no nodes");
        }
        if (nodes == 1) {
            return Finding.fine("NUMA", "one node");
        }
        return Finding.of(
                isBalanced ? GradeLetter.C : GradeLetter.B,
                "NUMA",
                nodes + " nodes" + (isBalanced ? ", balanced" : ""),
                isBalanced
                        ? "the kernel unmaps memory to learn who uses it"
                        : "a message that changes the node costs more, and threads move",
                isBalanced
                        ? "sudo sysctl -w kernel.numa_balancing=0"
                        : "numactl --cpunodebind=0 --membind=0 ./baton ...");
    }
}
