package dev.baton.lab.study.density;

import dev.baton.lab.results.InstanceFigures;
import dev.baton.lab.results.PrivateFile;
import dev.baton.lab.results.TrialResult;
import dev.baton.measuring.data.Latency;
import dev.baton.measuring.data.Machine;
import dev.baton.measuring.data.Memory;
import dev.baton.operations.line.CommandException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code density.csv}: a line for each trial of all searches, in nanoseconds and bytes; an empty field is unknown. Rewritten after each
 * trial. Confined to one thread.
 */
public final class CurveFile {
    private static final String NAME = "density.csv";
    private static final String HEADINGS =
            "trial,transport,engine,threading,jvm,instances,deciding,provisional,verdict,"
                    + "worst_instance,worst_p99_9_ns,p50_ns,p99_ns,p99_9_ns,max_ns,latency_from,send_p99_9_ns,jvm_cpu_cores,broker_cpu_cores,"
                    + "cpu_ns_per_hop,context_switches_per_s,rss_bytes,anonymous_bytes,broker_rss_bytes,reason";

    private final Path file;

    public CurveFile(Path folder) {
        file = folder.resolve(NAME);
    }

    public void write(List<Contender> contenders) {
        String text = Stream.concat(
                        Stream.of(HEADINGS),
                        contenders.stream()
                                .flatMap(each -> each.trials().stream().map(trial -> line(each, trial))))
                .collect(Collectors.joining("\n", "", "\n"));
        CommandException.guarded("cannot write " + file, () -> PrivateFile.write(file, text));
    }

    static String line(Contender contender, Measured trial) {
        Contender.Name name = contender.name();
        InstanceFigures worst = trial.worst();
        Latency response = of(trial.result(), TrialResult::response);
        Machine machine = of(trial.result(), TrialResult::machine);
        Memory memory = of(machine, Machine::memory);
        return Stream.of(
                        trial.plan().id(),
                        name.transport(),
                        name.engine(),
                        name.threading(),
                        name.jvm().isEmpty() ? null : name.jvm(),
                        trial.step().instances(),
                        trial.step().isDeciding(),
                        trial.isProvisional(),
                        trial.verdict(),
                        of(worst, InstanceFigures::instance),
                        trial.worstNanos(),
                        of(response, each -> each.at(50).nanos()),
                        of(response, each -> each.at(99).nanos()),
                        of(response, each -> each.at(99.9).nanos()),
                        of(response, Latency::maxNanos),
                        trial.plan().load().isReadFromSend() ? "send" : "slot",
                        of(
                                of(trial.result(), TrialResult::service),
                                each -> each.at(99.9).nanos()),
                        of(machine, Machine::jvmCpuCores),
                        of(machine, Machine::brokerCpuCores),
                        trial.cpuNanosPerHop(),
                        trial.contextSwitchesPerSecond(),
                        of(memory, Memory::residentBytes),
                        of(memory, Memory::anonymousBytes),
                        of(of(machine, Machine::brokerMemory), Memory::residentBytes),
                        trial.reasons().isEmpty() ? null : trial.reasons().get(0))
                .map(CurveFile::field)
                .collect(Collectors.joining(","));
    }

    private static <S, T> T of(S source, Function<S, T> figure) {
        return source == null ? null : figure.apply(source);
    }

    private static String field(Object value) {
        String text = value == null ? "" : value.toString();
        return text.matches("[^,\"\\r\\n]*")
                ? text
                : '"' + text.replace("\"", "\"\"").replaceAll("\\R", " ") + '"';
    }
}
