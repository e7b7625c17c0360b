package dev.baton.lab.doctor;

import java.util.List;

/**
 * Whether memory may be taken to a disk. Immutable, thread-safe.
 *
 * @param totalBytes of swap; null when the kernel does not tell
 * @param usedBytes of it
 * @param swappiness how readily the kernel does it, 0 to 200; null when not told
 */
record Swap(Long totalBytes, Long usedBytes, Long swappiness) implements Reading {
    private static final String MEMORY = "proc/meminfo";
    private static final long KILO = 1024;
    private static final long RELUCTANT = 10;

    static Swap read(KernelTree tree) {
        Long total = tree.number(MEMORY, "SwapTotal");
        Long free = tree.number(MEMORY, "SwapFree");
        return new Swap(
                total == null ? null : Long.valueOf(total * KILO),
                total == null || free == null ? null : Long.valueOf((total - free) * KILO),
                tree.number("proc/sys/vm/swappiness"));
    }

    @Override
    public List<Finding> findings() {
        if (totalBytes == null) {
            return List.of(Finding.hidden("swap", "the kernel does not tell"));
        }
        if (totalBytes == 0) {
            return List.of(Finding.fine("swap", "none"));
        }
        boolean isReluctant = swappiness != null && swappiness <= RELUCTANT;
        boolean isUsed = usedBytes != null && usedBytes > 0;
        return List.of(Finding.of(
                isUsed ? GradeLetter.D : isReluctant ? GradeLetter.B : GradeLetter.C,
                "swap",
                Figures.bytes(totalBytes) + ", " + (usedBytes == null ? "use unknown" : Figures.bytes(usedBytes))
                        + " used" + (swappiness == null ? "" : ", swappiness " + swappiness),
                "a page that comes back from a disk takes milliseconds",
                "sudo swapoff -a"));
    }
}
