package dev.baton.lab.launch.jvm;

import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Garbage collectors by their names on the command line, with their flags, which differ by the JVM's version. Only the build itself shows
 * whether it contains one: {@link JvmProbe} tries it.
 */
public enum Collector {
    SERIAL("-XX:+UseSerialGC"),
    PARALLEL("-XX:+UseParallelGC"),
    G1("-XX:+UseG1GC"),
    /** ZGC with this JVM's default: in one generation before 23, generational from then on. */
    ZGC("-XX:+UseZGC"),
    /** From 21 on. */
    GEN_ZGC("-XX:+UseZGC"),
    SHENANDOAH("-XX:+UseShenandoahGC"),
    /** From 25 on; before that it was an experiment. */
    GEN_SHENANDOAH("-XX:+UseShenandoahGC"),
    /** Never collects: a program ends when its heap is full. */
    EPSILON("-XX:+UseEpsilonGC");

    private static final int NO_EXPERIMENTS = 15; // from then on ZGC and Shenandoah are none
    private static final int ZGC_HAS_GENERATIONS = 21;
    private static final int ZGC_IS_GENERATIONAL = 23;
    private static final int SHENANDOAH_HAS_GENERATIONS = 25;

    private static final String UNLOCK = "-XX:+UnlockExperimentalVMOptions";

    private final String flag;

    Collector(String flag) {
        this.flag = flag;
    }

    public static String known() {
        return Arrays.stream(values()).map(Checks::typed).collect(Collectors.joining(", "));
    }

    /**
     * {@return the collector with a name}
     *
     * @throws CommandException that lists the known ones
     */
    public static Collector named(String words) {
        return Arrays.stream(values())
                .filter(each -> Checks.typed(each).equals(words))
                .findFirst()
                .orElseThrow(() -> CommandException.usage("unknown collector '" + words + "'; known: " + known()));
    }

    /** {@return why no JVM of this version has it; null when builds of it may} */
    public String missingIn(int feature) {
        int since = this == GEN_ZGC ? ZGC_HAS_GENERATIONS : this == GEN_SHENANDOAH ? SHENANDOAH_HAS_GENERATIONS : 0;
        return feature >= since
                ? null
                : (this == GEN_ZGC ? "ZGC" : "Shenandoah") + " has generations from JDK " + since + " on, this is JDK "
                        + feature;
    }

    /** {@return the flags that select it on a JVM of this version} */
    public List<String> flags(int feature) {
        return switch (this) {
            case EPSILON -> List.of(UNLOCK, flag);
            case ZGC, SHENANDOAH -> feature < NO_EXPERIMENTS ? List.of(UNLOCK, flag) : List.of(flag);
            case GEN_ZGC -> feature < ZGC_IS_GENERATIONAL ? List.of(flag, "-XX:+ZGenerational") : List.of(flag);
            case GEN_SHENANDOAH -> List.of(flag, "-XX:ShenandoahGCMode=generational");
            default -> List.of(flag);
        };
    }
}
