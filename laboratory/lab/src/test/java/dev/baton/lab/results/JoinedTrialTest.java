package dev.baton.lab.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lab.FixedResults;
import dev.baton.measuring.data.Histograms;
import dev.baton.measuring.data.Percentile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JoinedTrialTest {
    @TempDir
    Path directory;

    @Test
    void histogramsOfAllProcessesAreMerged() throws IOException {
        ResultFolder folder = new ResultFolder(directory);
        TrialResult one = part("a-p1", 1, 10_000);
        TrialResult other = part("a-p2", 10_001, 20_000);
        TrialResult joined =
                JoinedTrial.of(FixedResults.plan("a", "cooperative:1", "default"), List.of(one, other), folder);

        Histogram response = Histograms.decoded(joined.histograms().response());
        assertThat(response.getTotalCount()).isEqualTo(20_000);
        assertThat(joined.response().count()).isEqualTo(20_000);
        for (Percentile each : joined.response().percentiles()) {
            assertThat(response.getValueAtPercentile(each.percentile())).isEqualTo(each.nanos());
        }
        assertThat(joined.response().at(50).nanos()).isBetween(9_980L, 10_020L);
        assertThat(Histograms.decoded(joined.histograms().sendDelay()).getTotalCount())
                .isEqualTo(20_000);
        assertThat(Histograms.decoded(joined.histograms().service()).getTotalCount())
                .isZero();
    }

    @Test
    void aTextThatIsNoHistogramIsRefused() {
        for (String text : List.of("", "!", "AAAA", "HISTFAAA")) {
            assertThatThrownBy(() -> Histograms.decoded(text))
                    .as(text)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("not a compressed histogram");
        }
    }

    /** Every value once as a response, and as a send delay. */
    private TrialResult part(String id, long first, long last) throws IOException {
        Histogram histogram = new Histogram(60_000_000_000L, 3);
        for (long value = first; value <= last; value++) {
            histogram.recordValue(value);
        }
        try (IntervalLog log = IntervalLog.create(directory.resolve(id + ".hlog"), id, 0)) {
            log.add(null, 0, 1_000_000_000, histogram);
            log.add(IntervalLog.SEND_DELAY, 0, 1_000_000_000, histogram);
            log.publish();
        }
        return FixedResults.passed(id, 1_000);
    }
}
