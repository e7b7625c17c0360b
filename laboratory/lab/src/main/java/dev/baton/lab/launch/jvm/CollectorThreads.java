package dev.baton.lab.launch.jvm;

import java.util.ArrayList;
import java.util.List;

/**
 * The number of threads of a JVM's collector that run concurrently with the program, by HotSpot's own rules: a program whose threads never
 * rest has to leave a core to each. Stateless, thread-safe.
 */
public final class CollectorThreads {
    private static final String CONCURRENT = "-XX:ConcGCThreads=";
    private static final String PARALLEL = "-XX:ParallelGCThreads=";
    private static final int QUARTER = 4;
    private static final int SMALL = 8;

    private CollectorThreads() {}

    /**
     * Returns the number for a JVM on a machine with this many processors; 0 for a collector that works only while the program is stopped.
     *
     * @param processors that are visible to the JVM
     */
    public static int concurrent(JvmChoice choice, int processors) {
        List<String> flags = choice.flags();
        Integer typed = last(flags, CONCURRENT);
        if (isStopping(flags, processors)) {
            return 0;
        }
        if (typed != null) {
            return typed;
        }
        if (flags.contains("-XX:+UseZGC")) {
            return Math.max(1, (processors + QUARTER - 1) / QUARTER);
        }
        if (flags.contains("-XX:+UseShenandoahGC")) {
            return Math.max(1, processors / QUARTER);
        }
        Integer parallel = last(flags, PARALLEL);
        return Math.max(1, ((parallel == null ? parallel(processors) : parallel) + 2) / QUARTER);
    }

    /** Returns the JVM with this number of concurrent threads. */
    public static JvmChoice with(JvmChoice choice, int threads) {
        List<String> further = new ArrayList<>(choice.further());
        further.add(CONCURRENT + threads);
        return new JvmChoice(choice.jvm(), choice.collector(), choice.heap(), further);
    }

    /**
     * {@return the number that {@link #with} set; null: the collector's own number}
     *
     * @param flags of a JVM
     */
    public static Integer typed(List<String> flags) {
        return last(flags, CONCURRENT);
    }

    /** Returns whether the collector stops the program; the default is Serial on a single processor, otherwise G1. */
    private static boolean isStopping(List<String> flags, int processors) {
        boolean isChosen = flags.stream().anyMatch(flag -> flag.matches("-XX:\\+Use(G1|Z|Shenandoah)GC"));
        return flags.stream().anyMatch(flag -> flag.matches("-XX:\\+Use(Serial|Parallel|Epsilon)GC"))
                || (!isChosen && processors == 1);
    }

    /** Returns the number of threads that collect while the program is stopped. */
    private static int parallel(int processors) {
        return processors <= SMALL ? processors : SMALL + (processors - SMALL) * 5 / SMALL;
    }

    private static Integer last(List<String> flags, String name) {
        return flags.stream()
                .filter(flag -> flag.matches(name + "[0-9]{1,6}"))
                .reduce((first, next) -> next)
                .map(flag -> Integer.valueOf(flag.substring(name.length())))
                .orElse(null);
    }
}
