package dev.baton.lab.launch;

import java.util.ArrayList;
import java.util.List;

/**
 * A JVM with its memory manager and further flags: what a trial runs in. Immutable, thread-safe.
 *
 * @param collector null: the JVM's own choice
 * @param heap as after {@code -Xmx}, such as 256m; null: what the command finds enough
 * @param further flags as typed, before which ours come
 */
public record JvmChoice(Jvm jvm, Collector collector, String heap, List<String> further) {
    public JvmChoice {
        further = List.copyOf(further);
    }

    /** The JVM that runs this, as it comes. */
    public static JvmChoice current() {
        return new JvmChoice(Jvm.current(), null, null, List.of());
    }

    /** The same with another heap. @param other null: what the command finds enough */
    public JvmChoice withHeap(String other) {
        return new JvmChoice(jvm, collector, other, further);
    }

    /** The heap that was asked for, or else this one. */
    public String heapOr(String enough) {
        return heap == null ? enough : heap;
    }

    /** The flags of the collector, and the further ones. */
    public List<String> flags() {
        List<String> flags = new ArrayList<>();
        if (collector != null) {
            flags.addAll(collector.flags(jvm.feature()));
        }
        flags.addAll(further);
        return flags;
    }
}
