package dev.baton.proofs;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Runs jcstress in a separate process, in a directory that is removed with it. Several may run, one after another; {@link #stop} is
 * thread-safe, everything else confined to one thread.
 */
final class Jcstress {
    /** The line before jcstress's results of all proofs. */
    private static final String RESULTS = "RUN RESULTS:";

    private static final int INTERRUPTED = 130;

    private static final String FORBIDDEN = "Observed forbidden state";

    /**
     * The result of a run.
     *
     * @param exitCode 0 when no forbidden state was seen and nothing failed
     * @param output of jcstress
     */
    record Outcome(int exitCode, String output) {
        boolean isForbiddenSeen() {
            return output.contains(FORBIDDEN);
        }

        /** The results of all proofs, each with its table; the whole output when the run did not reach them. */
        String results() {
            int begin = output.lastIndexOf(RESULTS);
            return begin < 0 ? output : output.substring(begin + RESULTS.length());
        }
    }

    private final Path target;
    private final List<String> flags;
    private Process running; // guarded by this
    private Path directory; // guarded by this
    private boolean isStopped; // guarded by this

    /**
     * Creates nothing yet.
     *
     * @param target parent of the directory
     * @param flags of the JVMs that run proofs
     */
    Jcstress(Path target, List<String> flags) {
        this.target = target;
        this.flags = flags;
    }

    /**
     * Runs the proofs whose names match.
     *
     * @param first a directory or jar to find classes in before all others, null for none
     */
    Outcome run(Mode mode, String selection, Path first) throws IOException, InterruptedException {
        try {
            Process process = start(mode, selection, first);
            String output = new String(process.getInputStream().readAllBytes());
            int exitCode = process.waitFor();
            exitIfStopped();
            return new Outcome(exitCode, output);
        } finally {
            cleanUp();
        }
    }

    /** Ends a running process, with its children, and allows no further one. */
    synchronized void stop() {
        isStopped = true;
        cleanUp();
    }

    /** Waits for the end of the JVM if it has been stopped, as the output of a killed process is not a result. */
    private void exitIfStopped() {
        synchronized (this) {
            if (!isStopped) {
                return;
            }
        }
        System.exit(INTERRUPTED);
    }

    private synchronized Process start(Mode mode, String selection, Path first) throws IOException {
        if (isStopped) {
            throw new IOException("stopped");
        }
        Files.createDirectories(target);
        directory = Files.createTempDirectory(target, "jcstress-");
        String classPath = System.getProperty("java.class.path");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                first == null ? classPath : first + File.pathSeparator + classPath,
                "org.openjdk.jcstress.Main",
                "-v",
                "-t",
                selection,
                "-r",
                directory.resolve("report").toString(),
                "-jvmArgs",
                String.join(" ", flags) + " -Dbaton.proofs.directory=" + directory));
        command.addAll(mode.options());
        running = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        return running;
    }

    private synchronized void cleanUp() {
        if (running != null) {
            running.descendants().forEach(ProcessHandle::destroyForcibly);
            running.destroyForcibly();
            running = null;
        }
        if (directory != null) {
            delete(directory);
            directory = null;
        }
    }

    private static void delete(Path tree) {
        try (Stream<Path> paths = Files.walk(tree)) {
            paths.sorted(Comparator.reverseOrder())
                    .forEach(path -> path.toFile().delete());
        } catch (IOException gone) {
            // what is left lies below target
        }
    }
}
