package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.launch.FakeTrial;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code baton chain} with many instances, over children that measure nothing. */
class ManyChainsTest {
    @TempDir
    private Path temporary;

    @ParameterizedTest
    @CsvSource({"99,-o aeron.max-payload=1k,", "1000,-o aeron.max-payload=1k,65536", "1000,-o term-length=128k,128k"})
    void manyInstancesUseAdvisedOptionsByDefault(int instances, String typed, String term) throws IOException {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(FakeTrial.class);
        String[] option = typed.split(" ");
        assertThat(laboratory.run(
                        "chain",
                        "--transport=aeron",
                        "--instances=" + instances,
                        option[0],
                        option[1],
                        "--out=" + temporary.resolve("results")))
                .as(laboratory.err())
                .isZero();
        Map<String, String> options = LeftResults.below(temporary.resolve("results"))
                .get(0)
                .plan()
                .subject()
                .options();
        assertThat(options.get("term-length")).isEqualTo(term);
    }
}
