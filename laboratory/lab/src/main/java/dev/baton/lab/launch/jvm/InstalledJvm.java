package dev.baton.lab.launch.jvm;

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
public record InstalledJvm(Path executable, int feature, Foreign foreign, OtherLibraries libraries) {
    private static final String OF_HOTSPOT = "-XX:";

    /** Creates a JVM with the laboratory's own class path. */
    InstalledJvm(Path executable, int feature, Foreign foreign) {
        this(executable, feature, foreign, OtherLibraries.NONE);
    }

    /**
     * A virtual machine that is not HotSpot.
     *
     * @param name that it reports
     * @param kept flags of the command line, which are always passed on
     * @param omitted options of the command line that it cannot satisfy
     */
    public record Foreign(String name, List<String> kept, List<String> omitted) {
        public Foreign {
            kept = List.copyOf(kept);
            omitted = List.copyOf(omitted);
        }
    }

    /**
     * Creates a JVM.
     *
     * @param name that its virtual machine reports
     */
    static InstalledJvm named(Path executable, int feature, String name) {
        boolean isHotSpot = name.startsWith("OpenJDK ") || name.contains("HotSpot");
        return new InstalledJvm(executable, feature, isHotSpot ? null : new Foreign(name, List.of(), List.of()));
    }

    public static InstalledJvm current() {
        return named(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                Runtime.version().feature(),
                System.getProperty("java.vm.name", ""));
    }

    public boolean isHotSpot() {
        return foreign == null;
    }

    /**
     * Returns the JVM with the options of the command line for one that is not HotSpot: flags that it gets, and options that it cannot
     * satisfy.
     */
    public InstalledJvm asked(List<String> kept, List<String> omitted) {
        return isHotSpot()
                ? this
                : new InstalledJvm(executable, feature, new Foreign(foreign.name(), kept, omitted), libraries);
    }

    /** Returns this JVM with other jars in front of its class path. */
    public InstalledJvm with(OtherLibraries other) {
        return new InstalledJvm(executable, feature, foreign, other);
    }

    /** Returns flags without those that only HotSpot has and the command line does not; a further flag lists the omitted ones. */
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

    /** {@return the command that starts it with this JVM's class path; an older one with its own class path as well} */
    public List<String> command(List<String> flags, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(executable.toString()));
        command.addAll(flags);
        command.addAll(libraries.flags());
        command.addAll(List.of("-cp", libraries.classPath(OlderJar.classPath(feature)), main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }
}
