package dev.baton.measuring.machine;

import java.util.BitSet;
import java.util.Objects;
import net.openhft.affinity.Affinity;

/**
 * The CPUs of this machine and of this process, in the notation of Linux, {@code 0-3,6}; and the pinning of threads to them. Stateless,
 * thread-safe.
 */
public final class Cores {
    private Cores() {}

    /** {@return the CPUs that the calling thread may run on, by the kernel's numbers, in order; not empty} */
    public static int[] ofThisThread() {
        int[] cores = Affinity.getAffinity().stream().toArray();
        return cores.length > 0 ? cores : new int[] {0};
    }

    /** Keeps the calling thread on one core until it ends. @throws UnsupportedOperationException when that is impossible */
    public static void pinThisThread(int core) {
        BitSet only = new BitSet();
        only.set(core);
        Affinity.setAffinity(only);
        if (!only.equals(Affinity.getAffinity())) {
            throw new UnsupportedOperationException(
                    "threads cannot be pinned here: requested core " + core + ", got " + Affinity.getAffinity());
        }
    }

    /** {@return the CPUs from which the kernel keeps other threads, in its notation; empty for none, or when it is unknown} */
    public static String isolated() {
        return Objects.requireNonNullElse(KernelTree.OF_THIS_MACHINE.line("sys/devices/system/cpu/isolated"), "");
    }

    /** {@return the CPUs that this process may run on; where the system does not list them, as many as the JVM counts, from 0} */
    public static BitSet allowed() {
        String listed = KernelTree.value(KernelTree.OF_THIS_MACHINE.lines("proc/self/status"), "Cpus_allowed_list");
        return parse(listed == null ? "0-" + (Runtime.getRuntime().availableProcessors() - 1) : listed);
    }

    /** Reads a list; an empty text is an empty set. */
    static BitSet parse(String list) {
        BitSet cpus = new BitSet();
        for (String part : list.isEmpty() ? new String[0] : list.split(",")) {
            String[] ends = part.trim().split("-", 2);
            int first = Integer.parseInt(ends[0]);
            cpus.set(first, Integer.parseInt(ends[ends.length - 1]) + 1);
        }
        return cpus;
    }

    public static String text(BitSet cpus) {
        StringBuilder text = new StringBuilder();
        for (int first = cpus.nextSetBit(0); first >= 0; ) {
            int last = cpus.nextClearBit(first) - 1;
            text.append(text.length() == 0 ? "" : ",").append(first).append(last > first ? "-" + last : "");
            first = cpus.nextSetBit(last + 1);
        }
        return text.toString();
    }
}
