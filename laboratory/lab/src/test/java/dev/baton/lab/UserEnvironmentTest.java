package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.baton.lab.command.Workbench;
import dev.baton.lab.launch.FakeTrialHost;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.trial.TrialRunner;
import dev.baton.operations.line.KnownTransports;
import dev.baton.operations.line.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A laboratory in a process of its own, with real children, under what the environment of a user sets. */
@Tag("long")
@Timeout(120)
class UserEnvironmentTest {
    @TempDir
    private Path temporary;

    private String output;

    @ParameterizedTest
    @ValueSource(strings = {"de_DE", "fa_IR"})
    void pausesAreCountedInAnyLocale(String locale) throws Exception {
        int code = run(
                locale(locale),
                "window",
                "--keys=1000",
                "--rate=200k",
                "--window=200ms",
                "--loops=1",
                "--gc=serial",
                "--jvm-flags=-Xmn3m",
                "--limit=p50<9s",
                "--warmup=300ms",
                "--duration=1s");

        assertThat(code).as(output).isIn(0, 1, 4); // 1, 4: a busy machine delayed the sender, or disturbed the trial
        TrialResult result = results().get(0);
        assertThat(result.machine().gcCount()).isPositive();
        assertThat(result.machine().gcWorstNanos()).isPositive();
        assertThat(output).containsPattern("[0-9]\\.[0-9]+ ms").doesNotContainPattern("[0-9],[0-9]{1,2} ms");
    }

    @ParameterizedTest
    @CsvSource({
        "-Xmx96m, --heap=128m;512m, MaxHeapSize is 96, 1", // several rows failed
        "-XX:-UsePerfData, --jvm-flags=-XX:+UsePerfData, UsePerfData is false, 3",
        "-XX:ActiveProcessorCount=1, --jvm-flags=-XX:ActiveProcessorCount=2, ActiveProcessorCount is 1, 3",
    })
    void effectiveFlagsThatDifferFailEachTrial(String variable, String option, String has, int expected)
            throws Exception {
        int code = run(Map.of("_JAVA_OPTIONS", variable), chain(option.replace(';', ',')));

        assertThat(code).as(output).isEqualTo(expected);
        assertThat(output).contains(has, "requested", "the environment sets _JAVA_OPTIONS");
        assertThat(results()).isEmpty();
    }

    @Test
    void effectiveFlagsThatAreTheSameAreMeasured() throws Exception {
        int code = run(Map.of("_JAVA_OPTIONS", "-Xmx96m -XX:+UseParallelGC"), chain("--heap=96m"));

        assertThat(code).as(output).isIn(0, 1, 4); // 1, 4: too short to be judged on a busy machine
        assertThat(results()).hasSize(1);
    }

    @Test
    void undecodableWorkingDirectoryIsNamed() throws Exception {
        String inUmlaut = "d=$(printf '%s/m\\303\\274' \"$0\") && mkdir \"$d\" && cd \"$d\" && exec \"$@\"";
        int code = run(
                List.of("/bin/sh", "-c", inUmlaut, temporary.toString()), Map.of("LC_ALL", "C"), chain("--heap=96m"));

        if (Runtime.version().feature() > 17 && code != 3) { // later JDKs can work there
            assertThat(code).as(output).isIn(0, 1, 4); // 1, 4: too short to be judged on a busy machine
            return;
        }
        assertThat(code).as(output).isEqualTo(3);
        assertThat(output.lines())
                .singleElement()
                .asString()
                .startsWith("baton: the working directory '" + temporary + "/m")
                .contains("is not text in ")
                .endsWith("the encoding of this locale; set LC_ALL=C.UTF-8");
    }

    @ParameterizedTest
    @CsvSource({
        "--transport=disruptor, 4, cannot be written to: File too large",
        "--transport=aeron, 4000, no media driver could be started in /dev/shm: File too large"
    })
    void aFileSizeLimitIsNamed(String transport, int blocks, String complaint) throws Exception {
        int code = run(
                List.of("/bin/sh", "-c", "ulimit -f " + blocks + " && exec \"$@\"", "limited"),
                Map.of(),
                "chain",
                transport,
                "--duration=300ms");

        assertThat(code).as(output).isEqualTo(3);
        assertThat(output).contains(complaint, "the file size limit of this process (ulimit -f) is ");
    }

    private static String[] chain(String option) {
        return new String[] {
            "chain", "--transport=disruptor", "--services=1", "--rate=100", "--warmup=100ms", "--duration=300ms", option
        };
    }

    private int run(Map<String, String> environment, String... arguments) throws IOException, InterruptedException {
        return run(List.of(), environment, arguments);
    }

    private int run(List<String> prefix, Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED", // for Aeron
                "-cp",
                System.getProperty("java.class.path"),
                RealLaboratory.class.getName()));
        command.addAll(List.of(arguments));
        command.add("--out=" + temporary.resolve("results"));
        Path printed = temporary.resolve("printed");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(printed.toFile());
        builder.environment().putAll(environment);
        Process laboratory = builder.start();
        try {
            assertThat(laboratory.waitFor(100, TimeUnit.SECONDS)).isTrue();
        } finally {
            laboratory.destroyForcibly();
        }
        output = Files.readString(printed, StandardCharsets.UTF_8);
        return laboratory.exitValue();
    }

    private List<TrialResult> results() throws IOException {
        Path results = temporary.resolve("results");
        return Files.exists(results) ? LeftResults.below(results) : List.of();
    }

    /** The environment of a user whose locale is this one, which is compiled for it. */
    private Map<String, String> locale(String name) throws IOException, InterruptedException {
        Path locales = Files.createDirectory(temporary.resolve("locales"));
        Path compiled = locales.resolve(name + ".UTF-8");
        boolean isMade;
        try {
            Process localedef = new ProcessBuilder("localedef", "-i", name, "-f", "UTF-8", compiled.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(temporary.resolve("localedef").toFile())
                    .start();
            isMade = localedef.waitFor(60, TimeUnit.SECONDS) && Files.exists(compiled);
        } catch (IOException missing) {
            isMade = false;
        }
        if (!isMade) {
            System.err.println("SKIPPED, localedef makes no " + name + ": trials under it are not tested");
        }
        assumeThat(isMade)
                .as("localedef and the sources of locales (Debian's package locales)")
                .isTrue();
        return Map.of("LC_ALL", compiled.getFileName().toString(), "LOCPATH", locales.toString());
    }

    /** The command line as users have it, but for the transports, which are those on the class path. */
    static final class RealLaboratory {
        private RealLaboratory() {}

        public static void main(String[] arguments) {
            Program.run(arguments, (console, interruption) -> {
                Workbench bench = new Workbench(
                        KnownTransports.onClassPath(),
                        (directory, count, further) -> {
                            throw new IllegalStateException("no broker here");
                        },
                        FakeTrialHost.program(TrialRunner.class),
                        interruption);
                return Laboratory.commandLine(console, bench, arguments);
            });
        }
    }
}
