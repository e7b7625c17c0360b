package dev.baton.benchmark.command;

import dev.baton.benchmark.launch.Workspace;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where files go: options that every measuring command shares. */
final class OutputOptions {
    private static final long RESULT_BYTES = 16 << 20;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "where transports and brokers keep their data while they run (default: the system's directory"
                    + " for temporary files)")
    private Path directory;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "results",
            description = "where each experiment leaves a folder (default: results)")
    private Path out;

    @Option(names = "--keep", description = "keep the transports' data under --dir")
    private boolean keep;

    /**
     * Checks both directories and makes the one for temporary data.
     *
     * @param dataBytes that may be written there
     */
    Workspace openWorkspace(long dataBytes) {
        Workspace.requireWritable(out, "--out");
        Workspace.requireRoom(out, "--out", RESULT_BYTES);
        Path parent = directory == null ? Path.of(System.getProperty("java.io.tmpdir")) : directory;
        Workspace workspace = Workspace.in(parent, "--dir", keep);
        try {
            Workspace.requireRoom(parent, "--dir", dataBytes);
            return workspace;
        } catch (RuntimeException refused) {
            workspace.close();
            throw refused;
        }
    }

    Path out() {
        return out;
    }

    boolean isKept() {
        return keep;
    }
}
