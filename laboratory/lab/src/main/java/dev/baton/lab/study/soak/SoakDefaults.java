package dev.baton.lab.study.soak;

import dev.baton.lab.command.ChangedDefaults;
import dev.baton.operations.line.ChosenTransport;
import java.util.Map;
import java.util.TreeMap;

/** What {@code soak} does unless it is told otherwise, where that differs from the other commands. Thread-safe. */
final class SoakDefaults extends ChangedDefaults {
    /** Whether the file system can take back the space of what has been read. */
    private static final boolean CAN_FREE_SPACE = System.getProperty("os.name").equals("Linux");

    /** Hundreds of topics that are written for hours: what has been read goes, and files change often enough to see it. */
    private static final Map<String, String> CHRONICLE =
            Map.of("retention", "unread", "roll", "five-minutely", "block-size", "65536", "index-spacing", "64");

    private static final Map<String, String> KAFKA = Map.of("linger", "2ms");

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
        Map<String, String> options = new TreeMap<>();
        switch (chosen.provider().name()) {
            case "chronicle" -> options.putAll(CAN_FREE_SPACE ? CHRONICLE : Map.of());
            case "kafka" -> options.putAll(KAFKA);
            default -> {
                // as it is
            }
        }
        options.putAll(chosen.options());
        return chosen.with(options);
    }

    /** Whether what has been read leaves the disk. */
    static boolean isFreed(ChosenTransport chosen) {
        return "unread".equals(chosen.options().get("retention"));
    }
}
