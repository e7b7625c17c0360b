package dev.baton.measuring.machine;

import java.util.BitSet;
import net.openhft.affinity.Affinity;

/** The cores that this JVM may run on, and the pinning of threads to them. Stateless, thread-safe. */
public final class Cores {
    private Cores() {}

    /** As the kernel numbers them, in order; not empty. */
    public static int[] allowed() {
        int[] cores = Affinity.getAffinity().stream().toArray();
        return cores.length > 0 ? cores : new int[] {0};
    }

    /** Keeps the calling thread on one core until it ends. @throws UnsupportedOperationException when it cannot be */
    public static void pinThisThread(int core) {
        BitSet only = new BitSet();
        only.set(core);
        Affinity.setAffinity(only);
        if (!only.equals(Affinity.getAffinity())) {
            throw new UnsupportedOperationException(
                    "threads cannot be pinned here: asked for core " + core + ", got " + Affinity.getAffinity());
        }
    }
}
