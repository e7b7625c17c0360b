package dev.baton.lab.study.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.FixedResults;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Place;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.results.Verdict;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The differences between the set-ups of two trials. */
class SetUpDifferencesTest {
    private static final TrialPlan PLAN = FixedResults.plan("plain", "cooperative:1", "default");

    private static SetUpDifferences between(Sample one, Sample other) {
        return SetUpDifferences.of(
                StatisticsTest.side(Map.of("plain", List.of(one))),
                List.of(one),
                StatisticsTest.side(Map.of("plain", List.of(other))),
                List.of(other));
    }

    private static Sample under(Load load) {
        return in(PLAN.under(load), null, null);
    }

    private static Sample in(TrialPlan plan, Place.Meeting meeting, Place.Spread spread) {
        Place place = new Place("/results", null, null, List.of(), meeting, spread, false);
        Delivery delivery = new Delivery(10, 10, 0, 0, 0, 0, 0, 0, List.of(), 0);
        Outcome passed = new Outcome(Verdict.PASS, List.of());
        return new Sample(FixedResults.result(plan, place, 1_000, delivery, passed), List.of());
    }

    @Test
    void otherNumberOfClientsIsAnotherQuestion() {
        assertThat(between(under(Load.closed(10, 1)), under(Load.closed(100, 1)))
                        .forbidding())
                .containsExactly("requests in flight: 10 before, 100 after");
    }

    @Test
    void otherSenderIsADifference() {
        Load load = PLAN.load();
        assertThat(between(under(load), under(load.sentFrom(Load.Generator.THREAD)))
                        .others())
                .containsExactly("generator: loop before, thread after");
    }

    @Test
    void otherProcessesAreADifference() {
        Sample plain = in(PLAN, null, null);
        assertThat(between(plain, in(PLAN, new Place.Meeting("/meeting", 4), null))
                        .others())
                .containsExactly("processes that share the trial: 1 before, 4 after");
        assertThat(between(plain, in(PLAN, null, new Place.Spread("trial-1", List.of(4L, 5L))))
                        .others())
                .containsExactly("services in processes of their own: false before, true after");
    }
}
