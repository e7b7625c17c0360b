package dev.baton.lab.doctor;

import dev.baton.measuring.data.Host;
import java.util.List;

/**
 * Whether memory may be taken to a disk. Immutable, thread-safe.
 *
 * @param swap null when the kernel does not tell
 */
record Swap(Host.Swap swap) implements Reading {
    private static final int RELUCTANT = 10;

    @Override
    public List<Finding> findings() {
        if (swap == null) {
            return List.of(Finding.hidden("swap", "the kernel does not tell"));
        }
        if (swap.bytes() == 0) {
            return List.of(Finding.fine("swap", "none"));
        }
        Integer swappiness = swap.swappiness();
        boolean isReluctant = swappiness != null && swappiness <= RELUCTANT;
        return List.of(Finding.of(
                swap.usedBytes() > 0 ? GradeLetter.D : isReluctant ? GradeLetter.B : GradeLetter.C,
                "swap",
                Figures.bytes(swap.bytes()) + ", " + Figures.bytes(swap.usedBytes()) + " used"
                        + (swappiness == null ? "" : ", swappiness " + swappiness),
                "a page that comes back from a disk takes milliseconds",
                "sudo swapoff -a"));
    }
}
