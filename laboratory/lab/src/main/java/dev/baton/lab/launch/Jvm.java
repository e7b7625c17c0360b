package dev.baton.lab.launch;

import dev.baton.lab.protocol.OmittedFlags;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A JVM to measure in. Immutable, thread-safe.
 *
 * @param executable its {@code java}
 * @param feature its feature version, such as 17
 * @param foreign what it is instead of HotSpot; null: it is HotSpot, which GraalVM is as well
 * @param libraries jars in front of its class path
 */
public record Jvm(Path executable, int feature, Foreign foreign, OtherLibraries libraries) {
    private static final String OF_HOTSPOT = "-XX:";

    /** Creates a JVM with the laboratory's own class path. */
    Jvm(Path executable, int feature, Foreign foreign) {
        this(executable, feature, foreign, OtherLibraries.NONE);
    }

    /**
     * A virtual machine that is not HotSpot.
     *
     * @param name that it gives itself
     * @param kept flags that were typed, and so are passed on whatever they are
     * @param omitted options that were typed, and that it cannot follow
     */
    public record Foreign(String name, List<String> kept, List<String> omitted) {
        public Foreign {
            kept = List.copyOf(kept);
            omitted = List.copyOf(omitted);
        }
    }

    /** @param name that its virtual machine gives itself */
    static Jvm named(Path executable, int feature, String name) {
        boolean isHotSpot = name.startsWith("OpenJDK ") || name.contains("HotSpot");
        return new Jvm(executable, feature, isHotSpot ? null : new Foreign(name, List.of(), List.of()));
    }

    public static Jvm current() {
        return named(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                Runtime.version().feature(),
                System.getProperty("java.vm.name", ""));
    }

    public boolean isHotSpot() {
        return foreign == null;
    }

    /** The same, and for one that is not HotSpot what was typed: flags that it gets, and options that it cannot follow. */
    public Jvm asked(List<String> kept, List<String> omitted) {
        return isHotSpot() ? this : new Jvm(executable, feature, new Foreign(foreign.name(), kept, omitted), libraries);
    }

    /** Returns this JVM with other jars in front of its class path. */
    public Jvm with(OtherLibraries other) {
        return new Jvm(executable, feature, foreign, other);
    }

    /** These flags without those that only HotSpot has, unless they were typed; then one more tells what is missing. */
    public List<String> accepted(List<String> flags) {
        if (isHotSpot()) {
            return flags;
        }
        List<String> accepted = new ArrayList<>();
        List<String> omitted = new ArrayList<>(foreign.omitted());
        for (String flag : flags) {
            boolean isOmitted = flag.startsWith(OF_HOTSPOT) && !foreign.kept().contains(flag);
            (isOmitted ? omitted : accepted).add(flag);
        }
        if (!omitted.isEmpty()) {
            accepted.add(OmittedFlags.told(foreign.name(), omitted));
        }
        return accepted;
    }

    /** What starts it over this JVM's class path; an older one over that of its own as well. */
    public List<String> command(List<String> flags, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(executable.toString()));
        command.addAll(flags);
        command.addAll(libraries.flags());
        command.addAll(List.of("-cp", libraries.classPath(OlderJar.classPath(feature)), main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }
}
