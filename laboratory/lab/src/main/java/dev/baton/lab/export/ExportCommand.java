package dev.baton.lab.export;

import dev.baton.lab.results.PrivateFile;
import dev.baton.lab.results.ReadExperiment;
import dev.baton.lab.results.ResultReader;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.CommandLines;
import dev.baton.operations.line.RootCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code baton export}: results in the formats of other programs. */
@Command(
        name = "export",
        sortOptions = false,
        description = {
            "Prints the results of experiments in a format that other programs read.",
            "",
            "Trials of the same configuration are repetitions of one benchmark. Trials that failed are exported with"
                    + " their verdict (csv) or omitted (jmh, bmf)."
        })
public final class ExportCommand implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", arity = "1..*", description = "folders of experiments")
    private List<Path> folders;

    @Option(
            names = "--format",
            required = true,
            paramLabel = "jmh|csv|bmf",
            description = "jmh (JSON of JMH: JMH Visualizer, Apache Otava), csv (a row per trial and figure) or bmf"
                    + " (Bencher Metric Format)")
    private String typed;

    @Option(names = "--out", paramLabel = "FILE", description = "file to write (default: standard output)")
    private Path out;

    @ParentCommand
    private RootCommand root;

    @Override
    public Integer call() {
        ExportFormat format = ExportFormat.of(typed);
        if (out != null && (Files.isDirectory(out) || PrivateFile.isSomethingElse(out))) {
            throw CommandException.usage("--out " + out + " is not a regular file; name another one");
        }
        PrivateFile.require("--out", out);
        List<TrialResult> trials = new ArrayList<>();
        for (Path folder : folders) {
            if (!Files.isDirectory(folder)) {
                throw CommandException.usage("there is no folder " + folder
                        + "; name the folder of an experiment, such as those below results");
            }
            ReadExperiment read = ResultReader.read(folder);
            read.complaints()
                    .forEach(complaint -> root.console().complain("baton: " + CommandLines.oneLine(complaint)));
            trials.addAll(read.trials());
        }
        if (format != ExportFormat.CSV) {
            trials.removeIf(trial ->
                    trial.outcome().verdict() == Verdict.FAIL || trial.outcome().verdict() == Verdict.INTERRUPTED);
        }
        if (trials.isEmpty()) {
            throw CommandException.usage("there is no trial to export in " + folders
                    + "; name the folder of an experiment with trials that did not fail");
        }
        String text = format.text(ExportedSeries.of(trials));
        if (out == null) {
            root.console().print(List.of(text.stripTrailing()));
            return ExitCode.OK;
        }
        return CommandException.guarded("cannot write " + out, () -> {
            PrivateFile.write(out, text);
            return ExitCode.OK;
        });
    }
}
