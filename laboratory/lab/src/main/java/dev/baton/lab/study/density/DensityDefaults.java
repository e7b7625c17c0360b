package dev.baton.lab.study.density;

import dev.baton.lab.command.ChangedDefaults;
import dev.baton.lab.request.Load;
import dev.baton.operations.line.ChosenTransport;
import dev.baton.operations.settings.Subject;
import java.util.Map;
import java.util.TreeMap;

/** What density does unless it is told otherwise: options and first guesses per transport. Stateless, thread-safe. */
final class DensityDefaults extends ChangedDefaults {
    private static final int LEAST_PAYLOAD = 16;
    private static final int LEAST_SLOTS = 256;
    private static final int MOST_SLOTS = 1 << 16;

    /** Whether the file system can take back the space of what has been read: the queues of a trial then stay small. */
    private static final boolean CAN_FREE_SPACE = System.getProperty("os.name").equals("Linux");

    /**
     * So that a sweep's records leave in one request: the producer's thread would send the first of them alone, and the
     * rest had to wait for its answer. 20 instances, p99.9: 89 ms with it, 116 and 134 ms without, 144 ms with 4 ms.
     */
    private static final String LINGER = "2ms";

    /** Excerpts that stay beside the unread ones: some 2 KB each under load, in each of thousands of topics. */
    private static final int INDEX_SPACING = 16;

    /** That a ring holds unread, at the asked rate. */
    private static final double SECONDS_OF_SLOTS = 0.25;

    /** Rates and cores that the first guesses are for. */
    private static final double GUESSED_RATE = 1_000;

    private static final double GUESSED_CORES = 2;

    public DensityDefaults() {
        super(Map.of("--warmup", "20s"));
    }

    /** Options for many small topics, below those that were typed. */
    static Map<String, String> options(ChosenTransport chosen, int payload, double rate) {
        Map<String, String> options = new TreeMap<>();
        if (chosen.provider().name().equals("disruptor")) {
            int wanted = (int) Math.max(LEAST_SLOTS, Math.min(MOST_SLOTS, rate * SECONDS_OF_SLOTS));
            options.put("slots", Integer.toString(Integer.highestOneBit(2 * wanted - 1)));
            options.put("max-payload", Integer.toString(Math.max(LEAST_PAYLOAD, (payload + 7) / 8 * 8)));
        }
        if (chosen.provider().name().equals("chronicle") && CAN_FREE_SPACE) {
            options.put("retention", "unread");
            options.put("index-spacing", Integer.toString(INDEX_SPACING));
        }
        if (chosen.provider().name().equals("kafka")) {
            options.put("linger", LINGER);
        }
        options.putAll(chosen.options());
        return options;
    }

    /** Where a search begins: about a tenth of what a machine holds, so that few trials are spent far below. */
    static int start(String transport, String engine, Load load) {
        int guess = switch (transport) {
            case "disruptor" -> 256;
            case "chronicle" -> 64;
            case "kafka" -> 2;
            default -> 1;
        };
        double scaled = engine.equals(Subject.BATON)
                ? guess
                        * GUESSED_RATE
                        / load.ratePerSecond()
                        * Runtime.getRuntime().availableProcessors()
                        / GUESSED_CORES
                : 1;
        return (int) Math.max(1, Math.min(guess * 8, Math.round(scaled)));
    }
}
