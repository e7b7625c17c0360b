package dev.baton.lab.outside;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.FakeLaboratory;
import dev.baton.lab.results.ReadExperiment;
import dev.baton.lab.results.ResultReader;
import dev.baton.lab.trial.TrialRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A study from outside: typed, measured in a JVM of its own, shown, kept, read back and put on a page. */
class AddedStudyTest {
    @TempDir
    private Path temporary;

    @Test
    void oneFolderAndOneLineAddAStudy() throws IOException {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialRunner.class);

        int code = laboratory.run(
                "echo",
                "--transport=disruptor",
                "--services=2",
                "--rate=100",
                "--warmup=200ms",
                "--duration=500ms",
                "--out=" + temporary);

        assertThat(code).as(laboratory::err).isIn(0, 4); // 4: a busy machine disturbed it
        assertThat(laboratory.out()).contains("heard: hello");
        ReadExperiment read = ResultReader.read(only(temporary));
        assertThat(read.trials())
                .singleElement()
                .satisfies(trial -> assertThat(trial.plan().study()).isEqualTo(new EchoStudy("hello")))
                .satisfies(trial -> assertThat(trial.findings()).isEqualTo(new EchoFindings("hello")));
        assertThat(only(temporary).resolve("report.html")).content().contains("what is heard when something is said");
    }

    private static Path only(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            List<Path> folders = all.filter(Files::isDirectory).toList();
            assertThat(folders).hasSize(1);
            return folders.get(0);
        }
    }
}
