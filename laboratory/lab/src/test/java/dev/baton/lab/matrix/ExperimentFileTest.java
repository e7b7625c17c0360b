package dev.baton.lab.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.operations.line.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Experiments in YAML. */
class ExperimentFileTest {
    @TempDir
    private Path directory;

    private ExperimentFile read(String text) throws IOException {
        return ExperimentFile.read(Files.writeString(directory.resolve("some.yaml"), text));
    }

    @Test
    void anExperimentIsReadWithItsOrder() throws IOException {
        ExperimentFile file = read("""
                # a remark
                title: which, then?
                command: window
                trials: 5
                options:
                  state: boxed
                  gc: [g1, zgc]
                  keys:
                    - 5000
                    - 10_000
                quick:
                  keys: 100
                """);
        assertThat(file.title()).isEqualTo("which, then?");
        assertThat(file.command()).isEqualTo("window");
        assertThat(file.trials()).isEqualTo(5);
        assertThat(file.options(false).keySet()).containsExactly("state", "gc", "keys");
        assertThat(file.options(false).get("gc")).isEqualTo(new ExperimentFile.Values(7, List.of("g1", "zgc")));
        assertThat(file.options(true).get("keys").all()).containsExactly("100");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    title: x                        | line 1: no command; name one, such as chain
                    `command: a\\nwarmups: 3`        | line 2: unknown key 'warmups'; known: title, command, trials, options, quick
                    `command: a\\ntrials: many`      | line 2: trials: 'many' is not a number from 1 to 100
                    `command: a\\noptions: 7`        | line 2: options is to have keys with values
                    `command: a\\noptions:\\n x: {}`  | line 3: x: a single value belongs here
                    `command: a\\noptions:\\n x: []`  | line 3: x is empty; omit it, or give it a value
                    `command: a\\ncommand: b`        | line 2: 'command' for the second time
                    `command: [a\\n`                 | line 2: not YAML:
                    `- a`                           | line 1: the experiment is to have keys with values
                    """)
    void invalidTextIsReportedWithLine(String text, String complaint) {
        assertThatThrownBy(() -> read(text.replace("\\n", "\n")))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("some.yaml, " + complaint);
    }

    @Test
    void missingOrBinaryFileIsRefused() throws IOException {
        assertThatThrownBy(() -> ExperimentFile.read(directory.resolve("none.yaml")))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("there is no file");
        Path binary = Files.write(directory.resolve("b.yaml"), new byte[] {(byte) 0xFF, (byte) 0xFE, 0, 1, 2});
        assertThatThrownBy(() -> ExperimentFile.read(binary)).isInstanceOf(CommandException.class);
        Path foreign = Files.write(directory.resolve("c.yaml"), new byte[] {'a', ':', ' ', (byte) 0xE9, '\n'});
        assertThatThrownBy(() -> ExperimentFile.read(foreign))
                .hasMessageEndingWith("c.yaml as text: it is not UTF-8")
                .hasMessageNotContaining("Exception");
    }

    @Test
    void everyValueMeetsEveryOther() {
        Combinations both = Combinations.of(
                new java.util.TreeMap<>(Map.of("a", List.of("1", "2"), "b", List.of("x"), "c", List.of("y", "z"))));
        assertThat(both.all()).hasSize(4);
        assertThat(both.all().stream().map(both::name)).containsExactly("a 1 c y", "a 1 c z", "a 2 c y", "a 2 c z");
    }
}
