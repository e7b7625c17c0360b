package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.command.JvmOptions;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.trial.TrialRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Trials in a JVM that is not HotSpot: here a script that calls itself OpenJ9 and refuses each flag of HotSpot, before the
 * JVM that runs this.
 */
@Tag("slow")
class ForeignJvmTest {
    private static final String SCRIPT = """
            #!/bin/sh
            case "$*" in *-XshowSettings:properties*)
              echo "    java.version = %s"
              echo "    java.home = %s"
              echo "    java.vendor = Nobody"
              echo "    java.vm.name = Eclipse OpenJ9 VM"
              exit 0;;
            esac
            for each; do
              case "$each" in -XX:*) echo "JVMJ9VM007E Command-line option unrecognised: $each" >&2; exit 1;; esac
            done
            exec '%s/bin/java' "$@"
            """;

    @TempDir
    private Path temporary;

    private Path java;

    @BeforeEach
    void script() throws IOException {
        java = temporary.resolve("java");
        String home = System.getProperty("java.home");
        Files.writeString(java, SCRIPT.formatted(System.getProperty("java.version"), home, home));
        assertThat(java.toFile().setExecutable(true)).isTrue();
    }

    private int run(FakeLaboratory laboratory, String command, String... typed) {
        List<String> arguments = new ArrayList<>(List.of(command));
        arguments.addAll(List.of("--out", temporary.resolve("results").toString()));
        arguments.addAll(List.of("--dir", temporary.resolve("data").toString(), "--jvm", java.toString()));
        arguments.addAll(List.of(typed));
        return laboratory.run(arguments.toArray(String[]::new));
    }

    @Test
    void hotSpotFlagsAreOmittedAndReported() throws IOException {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialRunner.class);
        int code = run(
                laboratory,
                "load",
                "--transport=disruptor",
                "--gc=serial",
                "--memory=128m",
                "--memory-by=flags",
                "--warmup=200ms",
                "--duration=500ms");
        assertThat(code).as(laboratory.err()).isIn(0, 4); // 4: a busy machine disturbed it
        TrialResult result = LeftResults.below(temporary.resolve("results")).get(0);
        assertThat(result.environment().jvm().flags()).noneMatch(flag -> flag.startsWith("-XX:"));
        assertThat(result.machine().absent())
                .anyMatch(text -> text.contains("--gc serial -XX:MaxDirectMemorySize=")
                        && text.endsWith("which only HotSpot has: this is Eclipse OpenJ9 VM"));
    }

    @Test
    void givenFlagIsPassedToForeignJvm() {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialRunner.class);
        assertThat(run(laboratory, "chain", "--transport=disruptor", "--jvm-flags=-XX:+UseNUMA"))
                .isEqualTo(3);
        assertThat(laboratory.complaints()).hasSize(1);
        assertThat(laboratory.complaints().get(0)).contains("option unrecognised: -XX:+UseNUMA");
    }

    @Test
    void hotSpotCollectorsAddNoVariants() {
        JvmOptions options = CommandLine.populateCommand(
                new JvmOptions(), "--jvm=" + java + "," + System.getProperty("java.home"), "--gc=serial,parallel");
        assertThat(options.ways())
                .extracting(way ->
                        way.choice().jvm().isHotSpot() + " " + way.choice().collector() + " " + way.skipped())
                .containsExactly("false null null", "true SERIAL null", "true PARALLEL null");
    }
}
