package dev.baton.lab.command;

import dev.baton.lab.page.Gallery;
import dev.baton.lab.page.Report;
import dev.baton.lab.results.PrivateFile;
import dev.baton.lab.results.ResultFolder;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.CommandLines;
import dev.baton.operations.line.ExitCode;
import dev.baton.operations.line.RootCommand;
import dev.baton.operations.line.Version;
import dev.baton.operations.terminal.Units;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code baton report}: pages for a browser, made again from results. */
@Command(
        name = "report",
        commandListHeading = "Results",
        sortOptions = false,
        description = {
            "Writes report.html from an experiment's results: one page that needs no network and no server.",
            "",
            "Several folders make one page. Each measuring command writes the page of its own results."
        })
public final class ReportCommand implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", arity = "1..*", description = "folders of experiments")
    private List<Path> folders;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "the page (default: report.html in the folder; of several folders ./report.html)")
    private Path out;

    @Option(
            names = "--gallery",
            description =
                    "write an index.html of all experiments below the folder, and each missing or outdated report.html")
    private boolean isGallery;

    @ParentCommand
    private RootCommand root;

    @Override
    public Integer call() {
        for (Path folder : folders) {
            if (!Files.isDirectory(folder)) {
                throw CommandException.usage("there is no folder " + folder
                        + "; name one that an experiment left, such as those" + " below results");
            }
        }
        if (out != null && Files.isDirectory(out)) {
            throw CommandException.usage(
                    "--out " + out + " is a folder; name a file in it, such as " + out.resolve(Report.FILE));
        }
        if (out != null && PrivateFile.isSomethingElse(out)) {
            throw CommandException.usage(
                    "--out " + out + " is not a regular file; name another one, such as " + Report.FILE);
        }
        PrivateFile.require("--out", out);
        return CommandException.guarded("cannot write the page", () -> isGallery ? gallery() : report());
    }

    private int report() throws IOException {
        for (Path folder : folders) {
            if (!holdsResults(folder)) {
                throw CommandException.usage(
                        folder + " contains no experiment; name a folder with an experiment.json, or"
                                + " --gallery for an index of all below it");
            }
        }
        Path page =
                out != null ? out : folders.size() == 1 ? folders.get(0).resolve(Report.FILE) : Path.of(Report.FILE);
        Report.Written written = Report.write(folders, page.toAbsolutePath(), Version.ofBaton());
        written.complaints().forEach(complaint -> root.console().complain("baton: " + CommandLines.oneLine(complaint)));
        root.console()
                .print(List.of("report: " + page + " (" + Units.counted(written.trials(), "trial") + ", "
                        + Units.bytes(Files.size(page)) + ")"));
        return written.trials() == 0 ? ExitCode.USAGE : ExitCode.OK;
    }

    private int gallery() throws IOException {
        if (folders.size() != 1) {
            throw CommandException.usage(
                    "--gallery takes one folder, not " + folders.size() + "; name the one above all of them");
        }
        Path page = out != null ? out : folders.get(0).resolve(Gallery.FILE);
        Gallery.Written written = Gallery.write(folders.get(0), page.toAbsolutePath(), Version.ofBaton());
        written.complaints().forEach(complaint -> root.console().complain("baton: " + CommandLines.oneLine(complaint)));
        if (written.experiments() == 0) {
            throw CommandException.usage("there is no experiment below " + folders.get(0)
                    + "; name the folder that --out of a measuring command named, such as results");
        }
        root.console()
                .print(List.of("gallery: " + page + " (" + Units.counted(written.experiments(), "experiment") + ")"));
        return ExitCode.OK;
    }

    private static boolean holdsResults(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.anyMatch(file -> file.equals(new ResultFolder(folder).experimentFile())
                    || file.toString().endsWith(".trial.json"));
        }
    }
}
