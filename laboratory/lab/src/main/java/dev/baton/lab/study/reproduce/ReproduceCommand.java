package dev.baton.lab.study.reproduce;

import dev.baton.lab.command.LaboratoryCommand;
import dev.baton.lab.command.Workbench;
import dev.baton.lab.launch.ExperimentFolder;
import dev.baton.lab.launch.Workspace;
import dev.baton.lab.launch.jvm.JvmProbe;
import dev.baton.lab.reporting.Remarks;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.ExitCode;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import dev.baton.operations.terminal.Wrapped;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code baton reproduce}: repeats a published study with its own settings, and compares its figures with ours. */
@Command(
        name = "reproduce",
        sortOptions = false,
        description = {
            "Measures a published study with the settings of the study, and compares its figures with those of this machine.",
            "Steps, deviations and time are printed first.",
            "",
            "Studies: cloud-cost, which-jvm, jitter, gc-rematch, green-threads, small-memory. Without a study they are"
                    + " listed."
        },
        footer = {
            "",
            "Exit code: that of the most severe step. A step that cannot run on this machine does not stop the others."
                    + " --resume continues after the finished steps."
        })
public final class ReproduceCommand extends LaboratoryCommand {
    private static final String TEXT = "reproduction.txt";

    @Parameters(paramLabel = "STUDY", arity = "0..1", description = "name of the study")
    private String name;

    @Option(names = "--quick", description = "exploratory: short trials, some minutes, marked as provisional")
    private boolean isQuick;

    @Option(names = "--plan", description = "print settings, deviations, steps and time, and run nothing")
    private boolean isPlan;

    @Option(names = "--resume", paramLabel = "DIR", description = "continue an interrupted study in its folder")
    private Path resumed;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "directory of the data of transports and brokers (default: that of each step)")
    private Path directory;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "results",
            description = "directory of results (default: results)")
    private Path out;

    public ReproduceCommand(Console console, Workbench bench) {
        super(console, bench);
    }

    @Override
    public Integer call() {
        int width = console.terminal().columns();
        Workspace.requireWritable(out, "--out");
        if (directory != null) {
            Workspace.requireWritable(directory, "--dir");
        }
        if (name == null) {
            Checks.require(resumed == null, "--resume " + resumed + ": name the study to continue");
            PublishedStudy.all()
                    .forEach(study -> console.print(Wrapped.lines(study.name() + ": ", study.question(), width)));
            return ExitCode.OK;
        }
        PublishedStudy study = PublishedStudy.named(name);
        checkResumed();
        int jvms = study.steps().stream().anyMatch(StudyStep::isPerJvm)
                ? Math.max(1, JvmProbe.everywhere().size())
                : 1;
        console.print(head(study, jvms));
        return isPlan ? ExitCode.OK : run(study, jvms);
    }

    private List<String> head(PublishedStudy study, int jvms) {
        TextReport report = new TextReport(console.terminal())
                .text(Tone.BOLD, study.name() + ": " + study.question())
                .text("from: ", study.source())
                .gap()
                .line(Tone.BOLD, "as in the study")
                .texts("- ", study.settings())
                .line(Tone.BOLD, "not as in the study")
                .texts("- ", study.deviations())
                .line(Tone.BOLD, "steps");
        Duration all = Duration.ZERO;
        int number = 0;
        for (StudyStep step : study.steps()) {
            Duration time = step.time(isQuick, jvms);
            all = all.plus(time);
            report.text(
                    ++number + ". ",
                    step.label() + " (" + Units.span(time) + "): ./baton " + shown(step.typed(isQuick)));
        }
        return report.line("time: at most about " + Units.span(all)
                        + (isQuick ? " (--quick: exploratory trials, no answer)" : " and some seconds for each trial"))
                .lines();
    }

    private static String shown(List<String> arguments) {
        return arguments.stream()
                .map(each -> each.matches("[-A-Za-z0-9_=.,:%/+]+") ? each : "'" + each + "'")
                .collect(Collectors.joining(" "));
    }

    private int run(PublishedStudy study, int jvms) {
        Path folder = resumed == null ? ExperimentFolder.in(out, stem()).path() : resumed;
        StepRun runner = new StepRun(console, bench);
        List<Reproduced> reproduced = new ArrayList<>();
        int code = ExitCode.OK;
        int number = 0;
        for (StudyStep step : study.steps()) {
            Path own = folder.resolve(step.folder(++number));
            String typed = shown(step.typed(isQuick));
            Integer earlier = StepRun.ended(own, typed);
            console.complain("step " + number + " of " + study.steps().size() + ": " + step.label()
                    + (earlier == null ? ", about " + Units.span(step.time(isQuick, jvms)) : " is kept from before"));
            int ended = earlier == null ? runner.run(step, arguments(step, own)) : earlier;
            if (bench.interruption().isRequested()) {
                console.complain("baton: interrupted; continue with the same command and --resume " + folder);
                return ExitCode.INTERRUPTED;
            }
            StepRun.end(own, typed, ended);
            code = ExitCode.graver(code, ended);
            reproduced.add(new Reproduced(step, StepRun.left(own)));
        }
        conclude(study, reproduced, folder, jvms);
        return code;
    }

    private List<String> arguments(StudyStep step, Path own) {
        List<String> arguments = new ArrayList<>(step.typed(isQuick));
        arguments.add("--out=" + own);
        if (directory != null) {
            arguments.add("--dir=" + directory);
        }
        return arguments;
    }

    private void conclude(PublishedStudy study, List<Reproduced> reproduced, Path folder, int jvms) {
        TextReport report = new TextReport(console.terminal());
        if (isQuick) {
            report.line(Tone.WARNING, Remarks.PROVISIONAL);
        }
        report.lines(study.figures(reproduced, report.paint(), report.width()));
        String text = String.join("\n", head(study, jvms)) + "\n\n" + String.join("\n", report.lines()) + "\n";
        console.print(report.gap().line("files: " + folder).lines());
        StepRun.write(folder.resolve(TEXT), text);
    }

    private void checkResumed() {
        Path last =
                resumed == null ? null : resumed.toAbsolutePath().normalize().getFileName();
        Checks.require(
                resumed == null
                        || Files.isDirectory(resumed)
                                && last != null
                                && last.toString().startsWith(stem() + "-"),
                "--resume " + resumed + " is not a folder that 'baton reproduce " + name + (isQuick ? " --quick" : "")
                        + "' made; name the one that the interrupted run printed");
    }

    /** Returns the beginning of the folder's name, as exploratory trials are never mixed with others. */
    private String stem() {
        return "reproduce-" + name + (isQuick ? "-quick" : "-full");
    }
}
