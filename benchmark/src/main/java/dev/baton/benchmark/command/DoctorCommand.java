package dev.baton.benchmark.command;

import dev.baton.benchmark.launch.Collector;
import dev.baton.benchmark.launch.FoundJvm;
import dev.baton.benchmark.launch.JvmChoice;
import dev.baton.benchmark.launch.JvmProbe;
import dev.baton.benchmark.launch.JvmSearch;
import dev.baton.benchmark.machine.EnvironmentProbe;
import dev.baton.benchmark.view.JvmList;
import dev.baton.benchmark.view.Remarks;
import dev.baton.benchmark.view.Wrapped;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code baton doctor}: what this machine has to measure with. */
@Command(
        name = "doctor",
        description = "Tells what this machine is, and lists the JVMs found on it with the collectors that each has.")
public final class DoctorCommand implements Callable<Integer> {
    private final Console console;

    public DoctorCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        int width = console.terminal().columns();
        List<String> lines =
                new ArrayList<>(Wrapped.lines("machine: ", Remarks.onMachine(EnvironmentProbe.look(null)), width));
        lines.add("");
        Map<FoundJvm, List<Collector>> jvms = new LinkedHashMap<>();
        JvmSearch.everywhere().forEach(jvm -> jvms.put(jvm, collectors(jvm)));
        lines.addAll(JvmList.lines(jvms, console.terminal().paint(), width));
        console.print(lines);
        return ExitCode.OK;
    }

    private static List<Collector> collectors(FoundJvm jvm) {
        return Arrays.stream(Collector.values())
                .filter(each -> JvmProbe.complaint(new JvmChoice(jvm.jvm(), each, null, List.of())) == null)
                .toList();
    }
}
