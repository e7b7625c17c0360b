package dev.baton.lab.command;

import dev.baton.lab.launch.ExperimentFolder;
import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.launch.Workspace;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.Interruption;
import dev.baton.operations.line.OptionGroup;
import dev.baton.operations.line.OptionGroup.Heading;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The places of files: options that every measuring command shares. */
public final class OutputOptions {
    private static final long RESULT_BYTES = 16 << 20;

    @OptionGroup(Heading.WHERE)
    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = {
                "directory of the data of transports and brokers",
                "default: the system's directory for temporary files; density and transit prefer memory, /dev/shm"
            })
    private Path directory;

    @OptionGroup(Heading.OUTPUT)
    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "results",
            description = {"directory of results (default: results)", "each experiment creates a folder in it"})
    private Path out;

    @Option(
            names = "--keep",
            description = "keep the data of the transports under --dir, topics included; data elsewhere is removed")
    private boolean keep;

    /**
     * Checks both directories and makes the one for temporary data.
     *
     * @param interruption that waits from now on until the workspace is closed
     * @param dataBytes that may be written there
     * @param otherwise the directory where none was named
     */
    public Workspace openWorkspace(Interruption interruption, long dataBytes, Path otherwise) {
        interruption.hasToClose();
        Path parent = directory == null ? otherwise : directory;
        Workspace.requireWritable(out, "--out");
        Workspace.requireRoom(out, "--out", RESULT_BYTES);
        Workspace.removeAbandoned(parent);
        Workspace workspace = Workspace.in(parent, "--dir", keep);
        try {
            Workspace.requireRoom(parent, "--dir", dataBytes);
            return workspace;
        } catch (RuntimeException refused) {
            workspace.close();
            throw refused;
        }
    }

    /** {@return the directory of the command line; null for none} */
    public Path directory() {
        return directory;
    }

    public static Path temporary() {
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    public Path out() {
        return out;
    }

    /** {@return these options for another command} */
    public List<String> typed() {
        return directory == null ? List.of("--out=" + out) : List.of("--out=" + out, "--dir=" + directory);
    }

    /** Creates a folder for a command's results, with the command line in it. @param planned trials, as far as they are known */
    public ExperimentFolder begin(CommandSpec command, long seed, List<PlannedTrial> planned) {
        ExperimentFolder folder = ExperimentFolder.in(out, command.name());
        folder.begin(command.root().commandLine().getParseResult().expandedArgs(), seed, planned);
        return folder;
    }

    /** Prints the directory of the transports' data, if the command line asks for it. */
    public void tellKept(Workspace workspace, Console console) {
        if (keep) {
            console.complain("baton: data kept in " + workspace.path());
        }
    }

    public boolean isKept() {
        return keep;
    }
}
