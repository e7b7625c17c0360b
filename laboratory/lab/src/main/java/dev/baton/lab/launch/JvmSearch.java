package dev.baton.lab.launch;

import dev.baton.operations.line.CommandException;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the JVMs of this machine where they usually are: the one that runs this, {@code JAVA_HOME}, the {@code PATH},
 * and the directories of packages and version managers. Each once, whatever its links. Stateless, thread-safe.
 */
public final class JvmSearch {
    private static final List<String> PLACES = List.of(
            "/usr/lib/jvm", "/usr/java", "/opt", "/opt/java", "/usr/local/java", "/Library/Java/JavaVirtualMachines");
    private static final List<String> PLACES_AT_HOME = List.of(
            ".sdkman/candidates/java",
            ".jdks",
            ".asdf/installs/java",
            ".jenv/versions",
            ".local/share/mise/installs/java");
    private static final String MAC_HOME = "Contents/Home";

    private JvmSearch() {}

    /** All that are new enough, oldest version first. Starts each of them; takes a tenth of a second per JVM. */
    public static List<FoundJvm> everywhere() {
        return among(candidates(System.getenv(), Path.of(System.getProperty("user.home", "."))));
    }

    /** Those of the given homes that are JVMs and new enough. */
    static List<FoundJvm> among(List<Path> homes) {
        Map<Path, FoundJvm> found = new LinkedHashMap<>();
        for (Path home : homes) {
            Path java = home.resolve("bin").resolve("java");
            if (!Files.isExecutable(java)) {
                continue;
            }
            try {
                Path real = home.toRealPath();
                if (!found.containsKey(real)) {
                    found.put(real, JvmProbe.at(real));
                }
            } catch (IOException | CommandException none) {
                // not one to measure in
            }
        }
        List<FoundJvm> all = new ArrayList<>(found.values());
        all.sort(Comparator.comparingInt((FoundJvm each) -> each.jvm().feature())
                .thenComparing(FoundJvm::version)
                .thenComparing(each -> each.home().toString()));
        return all;
    }

    private static List<Path> candidates(Map<String, String> environment, Path userHome) {
        List<Path> homes = new ArrayList<>();
        homes.add(Path.of(System.getProperty("java.home")));
        if (environment.get("JAVA_HOME") != null) {
            homes.add(Path.of(environment.get("JAVA_HOME")));
        }
        for (String directory : environment.getOrDefault("PATH", "").split(File.pathSeparator)) {
            Path java = Path.of(directory.isEmpty() ? "." : directory, "java");
            if (Files.isExecutable(java)) {
                homes.add(homeOf(java));
            }
        }
        PLACES.forEach(place -> homes.addAll(below(Path.of(place))));
        PLACES_AT_HOME.forEach(place -> homes.addAll(below(userHome.resolve(place))));
        return homes;
    }

    private static Path homeOf(Path java) {
        try {
            Path bin = java.toRealPath().getParent();
            return bin.getParent();
        } catch (IOException gone) {
            return java;
        }
    }

    private static List<Path> below(Path place) {
        List<Path> homes = new ArrayList<>();
        if (Files.isDirectory(place)) {
            try (DirectoryStream<Path> each = Files.newDirectoryStream(place)) {
                each.forEach(home -> {
                    homes.add(home);
                    homes.add(home.resolve(MAC_HOME));
                });
            } catch (IOException unreadable) {
                // nothing to be found there
            }
        }
        return homes;
    }

    /**
     * A JVM as it describes itself. Immutable, thread-safe.
     *
     * @param home its {@code java.home}, links resolved
     * @param version such as 17.0.15
     * @param vendor such as Eclipse Adoptium
     * @param name of the virtual machine, such as OpenJDK 64-Bit Server VM
     */
    public record FoundJvm(Jvm jvm, Path home, String version, String vendor, String name) {}
}
