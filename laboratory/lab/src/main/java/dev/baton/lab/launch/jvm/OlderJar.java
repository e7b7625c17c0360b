package dev.baton.lab.launch.jvm;

import dev.baton.operations.line.CommandException;
import dev.baton.operations.settings.Subject;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The jar from which a JVM before {@value #WHOLE} measures reference engines: the laboratory's own classes, converted to an
 * older class file format by a script. The conversion leaves what a loop does as it is. Stateless, thread-safe.
 */
public final class OlderJar {
    /** The first JDK that runs Baton. */
    static final int WHOLE = 17;

    /** The first one that the classes are converted for; Kafka's clients and the Disruptor need it as well. */
    static final int OLDEST = 11;

    private static final Path PLACE = Path.of("laboratory", "older", "target", "baton-11.jar");
    private static final String SCRIPT = "laboratory/older/build";

    private OlderJar() {}

    /**
     * {@return why a JVM cannot be measured; null when it can}
     *
     * @param version that it reports
     */
    static String complaint(int feature, String version) {
        if (feature >= WHOLE) {
            return null;
        }
        if (feature < OLDEST) {
            return "is version " + version + "; " + WHOLE + " or later is needed, and " + OLDEST
                    + " for reference engines";
        }
        Path jar = path();
        String remedy = "run " + SCRIPT + ", or name a JVM of version " + WHOLE + " or later";
        if (!Files.isRegularFile(jar)) {
            return "is version " + version + ", which runs reference engines from a jar of their own; " + jar
                    + " is missing: " + remedy;
        }
        return isStale(jar)
                ? "is version " + version + "; " + jar + " is older than the laboratory itself: " + remedy
                : null;
    }

    /** The class path of a JVM of this version. */
    static String classPath(int feature) {
        String own = System.getProperty("java.class.path");
        return feature >= WHOLE ? own : path() + File.pathSeparator + own;
    }

    /**
     * Requires that a JVM can run an engine.
     *
     * @throws CommandException when a JVM of this version cannot
     */
    public static void require(int feature, String engine) {
        if (feature < WHOLE && engine.equals(Subject.BATON)) {
            throw CommandException.usage("--jvm: JDK " + feature + " measures reference engines alone; add"
                    + " --engine reference where the command has it, or name a JVM of version " + WHOLE + " or later");
        }
    }

    private static Path path() {
        return Path.of(System.getProperty("baton.home", ".")).resolve(PLACE);
    }

    /** {@return whether it was built before the present jar; classes in folders are a build in progress} */
    private static boolean isStale(Path jar) {
        Path own = Path.of(System.getProperty("java.class.path").split(File.pathSeparator)[0]);
        try {
            return Files.isRegularFile(own)
                    && Files.getLastModifiedTime(jar).compareTo(Files.getLastModifiedTime(own)) < 0;
        } catch (IOException unreadable) {
            return true;
        }
    }
}
