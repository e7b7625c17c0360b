package dev.baton.lab.command;

import dev.baton.lab.doctor.Diagnosis;
import dev.baton.lab.doctor.Doctor;
import dev.baton.lab.doctor.Finding;
import dev.baton.lab.doctor.GradeLetter;
import dev.baton.lab.launch.Workspace;
import dev.baton.lab.launch.jvm.Collector;
import dev.baton.lab.launch.jvm.JvmChoice;
import dev.baton.lab.launch.jvm.JvmProbe;
import dev.baton.lab.reporting.DoctorReport;
import dev.baton.lab.reporting.DoctorReport.ReportedJvm;
import dev.baton.lab.results.Json;
import dev.baton.measuring.data.TrialEnvironment;
import dev.baton.measuring.machine.EnvironmentProbe;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.ExitCode;
import dev.baton.operations.line.RootCommand;
import dev.baton.operations.settings.Secrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code baton doctor}: how fit this machine is for latency work, and what would make it fitter. */
@Command(
        name = "doctor",
        sortOptions = false,
        description = {
            "Grades this machine for latency measurements, from A to F, and explains how to improve it.",
            "For each finding it prints the figure, why it matters, and the command that fixes it. Lists the JVMs found with"
                    + " their collectors. Needs no root, and takes about six seconds and the time to start each JVM with each"
                    + " collector."
        },
        footer = {
            "",
            "Each finding has a letter: the best grade that such a machine can have;",
            "the grade is the worst of these letters. An unknown property does not lower it.",
            "  A  latencies hardly depend on the machine",
            "  B  latencies above p99.99 depend partly on the machine",
            "  C  latencies above p99.9 depend on settings of the machine",
            "  D  relative only: figures are comparable with others of this machine only",
            "  E  the machine stalled programs for milliseconds during the check",
            "  F  figures depend more on the machine than on the program",
            "Every experiment stores the grade that follows from settings, limits and steal since boot, without measurements.",
            "",
            "Exit codes: 0 graded, with any letter; 2 usage error; 3 --dir is not writable; 130 interrupted."
        })
public final class DoctorCommand implements Callable<Integer> {
    private static final int SCHEMA = 1;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description =
                    "directory of queue files, whose file system is tested (default: the system's directory for temporary files)")
    private Path directory;

    @Option(
            names = "--media-driver",
            paramLabel = "DIR",
            description =
                    "directory of a running media driver of Aeron, whose counters are examined as well: version, threading"
                            + " mode, longest cycles, timeouts, errors, loss, back-pressure, room (default: none)")
    private Path mediaDriver;

    @Option(
            names = "--quick",
            description = "measure for one second instead of six, and do not test the collectors of the JVMs")
    private boolean isQuick;

    @Option(names = "--json", description = "print one line of JSON: letter (the grade), findings, readings, JVMs")
    private boolean isJson;

    @ParentCommand
    private RootCommand root;

    private record Report(
            int schema,
            GradeLetter letter,
            String meaning,
            boolean isQuick,
            List<Finding> findings,
            Map<String, Object> readings,
            TrialEnvironment environment,
            List<ReportedJvm> jvms) {}

    @Override
    public Integer call() {
        Checks.require(
                mediaDriver == null || Files.isDirectory(mediaDriver),
                "--media-driver " + mediaDriver + " is not a directory; name that of a running media driver, such as"
                        + " /dev/shm/aeron-orders");
        if (directory != null && !Files.isDirectory(directory)) {
            throw CommandException.environment(
                    "--dir " + directory + (Files.exists(directory) ? " is not a directory" : " does not exist")
                            + "; name an existing directory");
        }
        root.interruption().hasToClose();
        Path asked = directory == null ? OutputOptions.temporary() : directory;
        try (Workspace workspace = Workspace.in(asked, "--dir", false)) {
            Workspace.requireRoom(asked, "--dir", Doctor.MOST_BYTES);
            Path scratch = workspace.directory("appends");
            List<ReportedJvm> jvms =
                    JvmProbe.everywhere().stream().map(this::reported).toList();
            TrialEnvironment environment = EnvironmentProbe.look(scratch, Secrets::redacted);
            Diagnosis diagnosis =
                    Doctor.examine(environment, asked, scratch, isQuick, root.interruption()::isRequested);
            if (root.interruption().isRequested()) {
                root.console().complain("baton: interrupted; too little was measured for a grade");
                return ExitCode.INTERRUPTED;
            }
            Diagnosis whole = mediaDriver == null ? diagnosis : diagnosis.and(Doctor.ofMediaDriver(mediaDriver));
            print(whole.and(List.of(found(jvms))), environment, jvms);
            return ExitCode.OK;
        } catch (IOException failed) {
            throw CommandException.environment(
                    "--dir " + asked + " cannot be appended to: " + failed.getMessage() + "; name another directory",
                    failed);
        }
    }

    private ReportedJvm reported(JvmProbe.FoundJvm jvm) {
        List<String> collectors = isQuick
                ? List.of()
                : Arrays.stream(Collector.values())
                        .filter(each -> !root.interruption().isRequested()
                                && JvmProbe.complaint(new JvmChoice(jvm.jvm(), each, null, List.of())) == null)
                        .map(Checks::typed)
                        .toList();
        return new ReportedJvm(jvm.home().toString(), jvm.version(), jvm.vendor(), jvm.name(), collectors);
    }

    private static Finding found(List<ReportedJvm> jvms) {
        String versions = jvms.stream().map(ReportedJvm::version).collect(Collectors.joining(", "));
        return new Finding(GradeLetter.A, "JVMs", jvms.size() + " found: " + versions, null, null);
    }

    private void print(Diagnosis diagnosis, TrialEnvironment environment, List<ReportedJvm> jvms) {
        if (isJson) {
            root.console()
                    .print(List.of(Json.line(new Report(
                            SCHEMA,
                            diagnosis.letter(),
                            diagnosis.letter().meaning(),
                            isQuick,
                            diagnosis.findings(),
                            diagnosis.readings(),
                            environment,
                            jvms))));
            return;
        }
        root.console()
                .print(DoctorReport.lines(
                        diagnosis, environment, jvms, root.console().terminal()));
    }
}
