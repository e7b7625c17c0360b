package dev.baton.lab.study.chaos;

import dev.baton.lab.launch.TiedJvm;
import java.util.List;
import java.util.function.Consumer;

/** A process of the chain, and whether it stands by: by what it said last. Threads as {@link TiedJvm}. */
final class ChainMember {
    private static final String STANDBY = "standby: ";

    private final TiedJvm jvm;
    private volatile boolean standsBy;

    private ChainMember(String name, List<String> command, String ready, Consumer<String> lines) {
        jvm = TiedJvm.start(name, command, ready, line -> {
            if (line.contains(STANDBY)) {
                standsBy = true;
            } else if (line.contains(ready)) {
                standsBy = false;
            }
            lines.accept(line);
        });
    }

    /** As {@link TiedJvm#start}. */
    static ChainMember start(String name, List<String> command, String ready, Consumer<String> lines) {
        return new ChainMember(name, command, ready, lines);
    }

    TiedJvm jvm() {
        return jvm;
    }

    /** Whether another process does the same, and this one waits for its end or has made way for it. */
    boolean standsBy() {
        return standsBy;
    }
}
