package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.launch.FakeTrial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reports of all commands on trials beside which other processes used 1.85 of 2 cores. */
@Tag("long")
class DisturbedReportsTest {
    private static final String LOAD = "other processes used 185 % of a core, and took 60 % of the CPU time";

    @TempDir
    private Path temporary;

    private final FakeLaboratory laboratory = new FakeLaboratory(FakeTrial.class);

    private String run(String out, String... typed) {
        List<String> arguments = new ArrayList<>(List.of(typed));
        arguments.add("--out=" + temporary.resolve(out));
        int code = laboratory.run(arguments.toArray(String[]::new));
        assertThat(code).as(laboratory.err()).isIn(0, 4); // 4: some commands refuse to judge disturbed trials
        return laboratory.out().replaceAll("\\s+", " ");
    }

    private Path folder(String out) throws IOException {
        try (Stream<Path> folders = Files.list(temporary.resolve(out))) {
            return folders.findFirst().orElseThrow();
        }
    }

    @Test
    void matrixCompareGateAndPagesNameIt() throws IOException {
        assertThat(run("one", "chain", "--transport=plain", "--trials=2", "-o=do=crowd"))
                .containsPattern("disturbed: while \\d+\\.\\d+-plain was measured, " + LOAD);
        String folder = folder("one").toString();
        assertThat(Path.of(folder, "report.html"))
                .content()
                .contains("disturbed: while plain", LOAD, "\"other processes\"", "\"185 %\"");

        laboratory.run("compare", folder, folder);
        assertThat(laboratory.out().replaceAll("\\s+", " "))
                .containsPattern("disturbed \\(before\\): while \\d+\\.\\d+-plain was measured, " + LOAD)
                .containsPattern("disturbed \\(after\\): while \\d+\\.\\d+-plain was measured, " + LOAD);
        laboratory.run("gate", folder, folder);
        assertThat(laboratory.out().replaceAll("\\s+", " "))
                .containsPattern("disturbed \\(before\\): while \\d+\\.\\d+-plain was measured, " + LOAD);
    }

    @Test
    void densityNamesIt() throws IOException {
        assertThat(run("one", "density", "--transport=plain", "-o=do=crowd", "--limit=p99.9<100ms", "--max=2"))
                .contains("disturbed: while ", "185 % of a core", "60 % of the CPU time")
                .contains("RSS/inst others");
        assertThat(folder("one").resolve("report.html")).content().contains("disturbed: while ");
    }

    @Test
    void adviseNamesIt() throws IOException {
        assertThat(run(
                        "one",
                        "advise",
                        "--gc=serial",
                        "--transport=plain",
                        "--rate=100k",
                        "--limit=p99.9<100ms",
                        "--survives=nothing",
                        "--budget=90s",
                        "-o=do=crowd"))
                .contains("disturbed: while ", "185 % of a core", "60 % of the CPU time");
        assertThat(folder("one").resolve("report.html")).content().contains("disturbed: while ");
    }
}
