package dev.baton.lab.study.soak;

import dev.baton.lab.command.ChangedDefaults;
import dev.baton.operations.line.ChosenTransport;
import java.util.Map;
import java.util.TreeMap;

/** What {@code soak} does unless it is told otherwise, where that differs from the other commands. Thread-safe. */
final class SoakDefaults extends ChangedDefaults {
    public SoakDefaults() {
        super(Map.of(
                "--transport", "chronicle",
                "--instances", "100",
                "--rate", "100",
                "--warmup", "2m",
                "--duration", "1h"));
    }

    /** A transport with options for many small topics, below those that were typed. */
    static ChosenTransport with(ChosenTransport chosen) {
        Map<String, String> options = new TreeMap<>(chosen.provider().longRunOptions());
        options.putAll(chosen.options());
        return chosen.with(options);
    }

    /** Whether what has been read leaves the disk. */
    static boolean isFreed(ChosenTransport chosen) {
        return chosen.provider().topicFootprint(chosen.options()).isBounded();
    }
}
