package dev.baton.lab.engines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.request.Load;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.operations.settings.Subject;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Closed loops: as many messages as go through. */
@Tag("long")
class SaturationTest {
    @TempDir
    private Path results;

    @ParameterizedTest
    @ValueSource(strings = {Subject.BATON, Subject.REFERENCE})
    void saturatedRingsLoseNothing(String engine) {
        isSaturated(ShortTrial.of(engine, "disruptor", Map.of())
                .with(Load.saturating(7))
                .run(results));
    }

    /** Short terms: their ends are passed many times. */
    @ParameterizedTest
    @ValueSource(strings = {Subject.BATON, Subject.REFERENCE})
    void saturatedStreamsLoseNothing(String engine) {
        isSaturated(ShortTrial.of(engine, "aeron", Map.of("term-length", "64k"))
                .with(Load.saturating(7))
                .run(results));
    }

    @ParameterizedTest
    @ValueSource(strings = {Subject.BATON, Subject.REFERENCE})
    void unboundedQueuesAreDrained(String engine) {
        isSaturated(ShortTrial.of(
                        engine,
                        "chronicle",
                        Map.of("dir", results.resolve("queues").toString()))
                .with(Load.saturating(7))
                .run(results));
    }

    private static void isSaturated(TrialResult result) {
        assertThat(result.delivery().incidents()).isEmpty();
        assertThat(result.outcome().reasons()).isEmpty();
        assertThat(result.outcome().verdict()).isEqualTo(Verdict.PASS);
        assertThat(result.delivery().sent()).isEqualTo(result.delivery().delivered());
        assertThat(result.rate().achievedPerSecond()).isGreaterThan(5_000);
        assertThat(result.sendDelay().maxNanos()).isZero();
        assertThat(result.response().maxNanos()).isEqualTo(result.service().maxNanos());
    }
}
