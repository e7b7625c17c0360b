package dev.baton.chronicle;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Assumptions;

/** Programs of the system that some tests need. */
final class Programs {
    private Programs() {}

    /** Returns whether a program is on the PATH. */
    static boolean isInstalled(String name) {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
    }

    /** Skips the test, with a line of the log, unless what it needs is there. */
    static void require(boolean isThere, String missing) {
        if (!isThere) {
            System.err.println("SKIPPED, as " + missing);
        }
        Assumptions.assumeTrue(isThere, missing);
    }
}
