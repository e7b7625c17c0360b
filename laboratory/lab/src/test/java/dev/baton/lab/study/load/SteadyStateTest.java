package dev.baton.lab.study.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.study.load.LoadFindings.Interval;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SteadyStateTest {
    private static final long TENTH = 100_000_000;

    private static List<Interval> series(long... answers) {
        List<Interval> series = new ArrayList<>();
        for (int i = 0; i < answers.length; i++) {
            series.add(new Interval((i + 1) * TENTH, answers[i]));
        }
        return series;
    }

    private static long[] constant(int count, long answers) {
        long[] series = new long[count];
        java.util.Arrays.fill(series, answers);
        return series;
    }

    @Test
    void constantRateIsSteadyFromFirstAnswer() {
        assertThat(SteadyState.nanos(series(constant(40, 1000)))).isEqualTo(TENTH);
        long[] late = constant(40, 1000);
        late[0] = 0;
        late[1] = 0;
        assertThat(SteadyState.nanos(series(late))).isEqualTo(3 * TENTH);
    }

    @Test
    void aRampIsSteadyWhereItEnds() {
        long[] ramp = constant(60, 1000);
        for (int i = 0; i < 10; i++) {
            ramp[i] = 50 * (i + 1); // the tenth is half of the final rate
        }
        // medians of five lie within the band as soon as three of them are of the final rate
        assertThat(SteadyState.nanos(series(ramp))).isEqualTo(9 * TENTH);
    }

    @Test
    void shortStallKeepsSteadyState() {
        long[] stalled = constant(60, 1000);
        stalled[40] = 0;
        stalled[41] = 0;
        assertThat(SteadyState.nanos(series(stalled))).isEqualTo(TENTH);
    }

    @Test
    void longDipDelaysSteadyState() {
        long[] dip = constant(60, 1000);
        for (int i = 10; i < 15; i++) {
            dip[i] = 100;
        }
        assertThat(SteadyState.nanos(series(dip))).isEqualTo(14 * TENTH);
    }

    @Test
    void unsteadyRateHasNoSteadyState() {
        long[] swinging = new long[60];
        long[] slowing = new long[60];
        for (int i = 0; i < swinging.length; i++) {
            swinging[i] = i / 6 % 2 == 0 ? 500 : 1000;
            slowing[i] = 10_000 - 160L * i;
        }
        assertThat(SteadyState.nanos(series(swinging))).isNull();
        assertThat(SteadyState.nanos(series(slowing))).isNull();
    }

    @Test
    void fewIntervalsHaveNoSteadyState() {
        assertThat(SteadyState.nanos(series(constant(SteadyState.LEAST_INTERVALS - 1, 1000))))
                .isNull();
        assertThat(SteadyState.nanos(List.of())).isNull();
        assertThat(SteadyState.nanos(series(constant(40, 0)))).isNull();
    }

    @Test
    void intervalLengthDoesNotMatter() {
        List<Interval> series = series(constant(40, 1000));
        series.add(new Interval(44 * TENTH, 4_000));
        assertThat(SteadyState.nanos(series)).isEqualTo(TENTH);
    }
}
