package dev.baton.lab.launch.jvm;

import java.util.ArrayList;
import java.util.List;

/**
 * A JVM with its collector, heap and further flags, for trials. Immutable, thread-safe.
 *
 * @param collector null: the JVM's own choice
 * @param heap as after {@code -Xmx}, such as 256m; null: the command's choice
 * @param further flags of the command line, after ours
 */
public record JvmChoice(InstalledJvm jvm, Collector collector, String heap, List<String> further) {
    public JvmChoice {
        further = List.copyOf(further);
    }

    /** The JVM that runs this, as it comes. */
    public static JvmChoice current() {
        return new JvmChoice(InstalledJvm.current(), null, null, List.of());
    }

    /** Returns the JVM with another heap. @param other null: the command's choice */
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
