package dev.baton.chronicle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * A directory whose power can be lost: what a process that runs with {@link #environment} has synced of it is kept aside, and
 * can be laid out as a directory of its own. Needs a C compiler.
 */
final class LosablePower {
    private static final String ROOT = "BATON_POWER_ROOT";
    private static final String IMAGE = "BATON_POWER_IMAGE";
    private static final String FAIL = "BATON_POWER_FAIL";
    private static final Path SOURCE = Path.of("src", "test", "c", "power.c");
    private static final long LONGEST_SECONDS = 60;

    private LosablePower() {}

    /**
     * Compiles the library, and makes a directory for a child.
     *
     * @param parent of all that is made
     * @return the environment of the child
     */
    static Map<String, String> environment(Path parent) throws IOException, InterruptedException {
        Path library = parent.resolve("power.so");
        Process compiler;
        try {
            compiler = new ProcessBuilder(List.of(
                            "cc", "-shared", "-fPIC", "-O1", "-o", library.toString(), SOURCE.toString(), "-ldl"))
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            System.err.println("SKIPPED, no C compiler: what survives a power failure is not tested");
            Assumptions.abort("no C compiler: " + e.getMessage());
            throw e;
        }
        String said = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!compiler.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS) || compiler.exitValue() != 0) {
            throw new IOException("cannot compile " + SOURCE.toAbsolutePath() + ": " + said);
        }
        Path root = Files.createDirectory(parent.resolve("root"));
        Path image = Files.createDirectory(parent.resolve("image"));
        return Map.of(
                "LD_PRELOAD",
                library.toString(),
                ROOT,
                root.toString(),
                IMAGE,
                image.toString(),
                FAIL,
                parent.resolve("fail").toString());
    }

    /** Returns, in the child, the directory that loses its power. */
    static Path root() {
        return Path.of(System.getenv(ROOT));
    }

    /** Lets, in the child, this number of syncs fail from now on. */
    static void failSyncs(int count) {
        try {
            Files.writeString(Path.of(System.getenv(FAIL)), Integer.toString(count));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lays out, in the child, what a power failure would leave of a directory below the root; nothing where it has no name. */
    static Path lose(Path directory, Path to) {
        try {
            String key = "root";
            for (Path name : root().relativize(directory)) {
                key = entries(key).stream()
                        .map(line -> line.split(" ", 3))
                        .filter(entry -> entry[2].equals(name.toString()))
                        .map(entry -> entry[1])
                        .findFirst()
                        .orElse("none");
            }
            layOut(key, to);
            return to;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void layOut(String key, Path directory) throws IOException {
        Files.createDirectories(directory);
        for (String line : entries(key)) {
            String[] entry = line.split(" ", 3);
            Path made = directory.resolve(entry[2]);
            if (entry[0].equals("d")) {
                layOut(entry[1], made);
            } else if (Files.exists(image(entry[1]))) {
                Files.copy(image(entry[1]), made);
            } else {
                Files.createFile(made);
            }
        }
    }

    /** Returns the entries of a directory whose names were synced; otherwise none. */
    private static List<String> entries(String key) throws IOException {
        Path names = image(key + ".dir");
        return Files.exists(names) ? Files.readAllLines(names) : List.of();
    }

    private static Path image(String name) {
        return Path.of(System.getenv(IMAGE)).resolve(name);
    }
}
