package dev.baton.lab.command;

import static dev.baton.operations.line.Checks.require;

import dev.baton.lab.launch.jvm.Collector;
import dev.baton.lab.launch.jvm.InstalledJvm;
import dev.baton.lab.launch.jvm.JvmChoice;
import dev.baton.lab.launch.jvm.JvmProbe;
import dev.baton.lab.launch.jvm.JvmProbe.FoundJvm;
import dev.baton.lab.launch.jvm.OtherLibraries;
import dev.baton.lab.request.Shape;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.OptionGroup;
import dev.baton.operations.line.OptionGroup.Heading;
import dev.baton.spi.options.ByteSize;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** The JVMs that are measured in: options that every measuring command shares. */
@OptionGroup(Heading.JVM)
public final class JvmOptions {
    /** The word for all installed JVMs, in place of a path. */
    private static final String FOUND = "found";

    private static final String OLDER = "older";

    /** Flags that change how a JVM runs, and none that make it run something else or nothing at all. */
    private static final Pattern ALLOWED =
            Pattern.compile("-X.+|-D.+|-(ea|da|esa|dsa)\\b.*|-(agentlib|agentpath|javaagent):.+"
                    + "|--(add-modules|add-exports|add-opens|add-reads|patch-module|limit-modules)=.+"
                    + "|--(enable|disable|sun|illegal|finalization)-.+|-(server|verbose:.+)");

    private static final long LEAST_BYTES = 16 << 20;
    private static final long MOST_BYTES = 1L << 40;
    private static final long LEAST_DEFAULT_MEGABYTES = 256;

    /** The heap of a trial without any chain. */
    private static final long BASE_BYTES = 64 << 20;

    /** The Disruptor's default ring takes 304 KiB, the others less; what is off the heap is bounded by the same flag. */
    private static final long BYTES_PER_TOPIC = 400 << 10;

    /** A large table is allocated as a whole, for which a collector needs more room than the table takes. */
    private static final int TABLE_ROOM = 2;

    @Option(
            names = "--jvm",
            split = ",",
            paramLabel = "PATH",
            description = {
                "JVMs, or found: all that 'baton doctor' lists",
                "each a JDK's home or its java executable (default: the JVM that runs this command)",
                "older: all JVMs of version 11 to 16 that are found; they measure reference engines only, and need the jar that laboratory/older/build makes"
            })
    private List<String> paths = List.of();

    @Option(
            names = "--gc",
            split = ",",
            paramLabel = "NAME",
            description = {
                "collectors of HotSpot (default: the JVM's own choice)",
                "serial, parallel, g1, zgc, gen-zgc, shenandoah, gen-shenandoah, epsilon; ignored for JVMs that are not HotSpot"
            })
    private List<String> collectors = List.of();

    @Option(
            names = "--heap",
            split = ",",
            paramLabel = "SIZE",
            description = {
                "maximum heap sizes, such as 256m or 2g",
                "several are measured in turn (default: calculated from the number of topics, at least 256m)"
            })
    private List<String> heaps = List.of();

    @Option(
            names = "--jvm-flags",
            split = ";",
            paramLabel = "FLAGS",
            description = {"further flags, separated by blanks", "several sets of flags are separated by semicolons"})
    private List<String> flags = List.of();

    @OptionGroup(Heading.EXPERT)
    @Option(
            names = "--library",
            paramLabel = "NAME=JARS",
            description =
                    "jars of another version of a library, in front of the class path; several sets separated by commas are measured in turn, 'own' is the built-in version: kafka=own,/lib/kafka-clients-4.4.0.jar (repeatable)")
    private List<String> libraries = List.of();

    /**
     * A JVM with its settings.
     *
     * @param name distinct values among the others, empty for none
     * @param skipped why this JVM does not run so; null when it does
     */
    public record Way(String name, JvmChoice choice, String skipped) {}

    /** {@return whether there may be more than one} */
    boolean isSeveral() {
        return paths.size() > 1
                || paths.contains(FOUND)
                || paths.contains(OLDER)
                || collectors.size() > 1
                || heaps.size() > 1
                || flags.size() > 1
                || OtherLibraries.combinations(libraries).size() > 1;
    }

    /** Returns the only JVM and settings of the command line. */
    public JvmChoice choice() {
        Way only = ways().get(0);
        if (only.skipped() != null) {
            throw CommandException.environment("the JVM does not start with these options: " + only.skipped());
        }
        return only.choice();
    }

    /**
     * Returns every combination of JVM, collector, heap and set of flags; starts each JVM that has flags to see whether it
     * accepts them.
     */
    public List<Way> ways() {
        List<Way> ways = new ArrayList<>();
        List<FoundJvm> jvms = jvms();
        List<OtherLibraries> versions = OtherLibraries.combinations(libraries);
        for (FoundJvm found : jvms) {
            for (OtherLibraries other : versions) {
                InstalledJvm jvm = (found == null ? InstalledJvm.current() : found.jvm()).with(other);
                String name = joined(name(found, jvms), versions.size() > 1 ? other.label() : "");
                for (String collector : orNull(jvm.isHotSpot() ? collectors : List.of())) {
                    for (String heap : orNull(heaps)) {
                        for (String set : orNull(flags)) {
                            ways.add(way(name, jvm, collector, heap, set));
                        }
                    }
                }
            }
        }
        return ways;
    }

    /** Returns those in which a JVM starts, at least one, and complains about the others. */
    public List<Way> startingWays(Console console) {
        List<Way> typed = ways();
        if (typed.size() == 1) {
            choice(); // refuses one that does not start
        }
        typed.stream()
                .filter(way -> way.skipped() != null)
                .forEach(way -> console.complain("baton: " + way.name() + ": skipped, " + way.skipped()));
        List<Way> starting = typed.stream().filter(way -> way.skipped() == null).toList();
        if (starting.isEmpty()) {
            throw CommandException.environment("no JVM starts in any of the ways that were named");
        }
        return starting;
    }

    private Way way(String jvmName, InstalledJvm jvm, String collector, String heap, String set) {
        List<String> omitted = collectors.isEmpty() ? List.of() : List.of("--gc " + String.join(",", collectors));
        JvmChoice choice = new JvmChoice(
                jvm.asked(further(set), omitted),
                collector == null ? null : Collector.named(collector.trim()),
                heap == null ? null : checked(heap.trim()),
                further(set));
        String collectorName = collectors.size() > 1 && collector != null ? Checks.typed(choice.collector()) : "";
        String heapName = heaps.size() > 1 ? choice.heap() : "";
        String flagNames = flags.size() > 1 ? String.join(" ", choice.further()) : "";
        boolean isPlain = collector == null && set == null && heap == null;
        return new Way(
                joined(jvmName, collectorName, heapName, flagNames),
                choice,
                isPlain ? null : JvmProbe.complaint(choice));
    }

    /** A name of those parts that are not empty. */
    static String joined(String... parts) {
        return Stream.of(parts).filter(part -> !part.isEmpty()).collect(Collectors.joining(" "));
    }

    private List<FoundJvm> jvms() {
        if (paths.isEmpty()) {
            return Collections.singletonList(null);
        }
        List<FoundJvm> jvms = new ArrayList<>();
        for (String path : paths) {
            require(!path.isBlank(), "--jvm: the path is empty; name a JDK's home or its java");
            jvms.addAll(
                    switch (path.trim()) {
                        case FOUND -> JvmProbe.everywhere();
                        case OLDER -> JvmProbe.older();
                        default -> List.of(JvmProbe.at(Path.of(path.trim())));
                    });
        }
        require(
                !jvms.isEmpty(),
                "--jvm " + OLDER + ": needs a JVM of version 11 to 16, and the jar that laboratory/older/build makes"
                        + " for it");
        return jvms.stream().distinct().toList();
    }

    /** Returns the version of a JVM, or the last part of its home directory where two have the same version. */
    private static String name(FoundJvm jvm, List<FoundJvm> all) {
        if (jvm == null || all.size() == 1) {
            return "";
        }
        boolean isUnique = all.stream()
                        .filter(each -> each.jvm().feature() == jvm.jvm().feature())
                        .count()
                == 1;
        return isUnique
                ? "jdk" + jvm.jvm().feature()
                : String.valueOf(jvm.home().getFileName());
    }

    private static List<String> orNull(List<String> typed) {
        return typed.isEmpty() ? Collections.singletonList(null) : typed;
    }

    /** Returns a heap that is large enough for the chains. */
    public static String enough(Shape shape) {
        long topics = (long) shape.chains() * (shape.services() + 1);
        long table = shape.keys() == null ? 0 : shape.keys().tableBytes();
        long bytes = BASE_BYTES + topics * BYTES_PER_TOPIC + TABLE_ROOM * table;
        return Math.max(LEAST_DEFAULT_MEGABYTES, bytes >> 20) + "m";
    }

    /** A size as a JVM takes it, and enough for one. */
    static String checked(String heap) {
        try {
            long bytes = ByteSize.parse(heap);
            if (bytes >= LEAST_BYTES && bytes <= MOST_BYTES) {
                return heap.contains(".") ? ByteSize.text(bytes) : heap;
            }
        } catch (IllegalArgumentException malformed) {
            // refused below, with the same words as a heap that is too small
        }
        throw CommandException.usage("--heap '" + heap + "' is not allowed; " + ByteSize.range(LEAST_BYTES, MOST_BYTES)
                + ", such as 256m or 2g");
    }

    /** Bytes of a size that was checked. */
    public static long bytes(String heap) {
        return ByteSize.parse(heap);
    }

    /** The flags of a set that was typed. */
    private static List<String> further(String set) {
        if (set == null || set.isBlank()) {
            return List.of();
        }
        require(
                set.indexOf('"') < 0 && set.indexOf('\'') < 0,
                "--jvm-flags: quotes have no meaning here; blanks separate flags, and none may contain one");
        List<String> flags = List.of(set.trim().split("\\s+"));
        for (String each : flags) {
            require(
                    ALLOWED.matcher(each).matches(),
                    "--jvm-flags: '" + each
                            + "' is not allowed; flags of the JVM such as -XX:+UseNUMA, -Dname=value or"
                            + " --add-opens=java.base/java.nio=ALL-UNNAMED");
        }
        return flags;
    }
}
