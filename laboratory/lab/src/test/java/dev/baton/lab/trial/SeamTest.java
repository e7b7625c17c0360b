package dev.baton.lab.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lab.protocol.Event;
import dev.baton.lab.request.Limit;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.Json;
import dev.baton.measuring.data.Percentile;
import dev.baton.operations.chains.NamedChain;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SeamTest {
    private static final TrialPlan PLAN = new TrialPlan(
            "disruptor-1",
            new Subject(Subject.BATON, "disruptor", Map.of("slots", "64", "sasl.password", "hush")),
            new Shape(5, 2, 16),
            new Load(1000, Load.Arrivals.POISSON, 7),
            new LoopPlan("cooperative:1", null, 0),
            new Phases(1_000_000_000L, 2_000_000_000L, 1_000_000_000L),
            List.of(new Limit(99.9, 100_000_000)));

    @Test
    void aPlanSurvivesItsFile() {
        assertThat(Json.parse(Json.line(PLAN), TrialPlan.class)).isEqualTo(PLAN);
    }

    @Test
    void aResultNeverHoldsASecret() {
        assertThat(Json.line(PLAN.redacted())).contains("\"slots\":\"64\"").doesNotContain("hush");
    }

    @Test
    void resultContainsNoSecretOfChain() {
        NamedChain chain =
                new NamedChain("orders", new TreeMap<>(Map.of("db.password", "mumble-mumble", "risky", "5")), "", "");
        TrialPlan plan = new TrialPlan(
                "x", PLAN.subject(), new Shape(5, 1, 48, chain), PLAN.load(), PLAN.loops(), PLAN.phases(), List.of());

        assertThat(Json.parse(Json.line(plan), TrialPlan.class)).isEqualTo(plan);
        assertThat(Json.line(plan.redacted())).contains("\"risky\":\"5\"").doesNotContain("mumble");
        assertThat(plan.redacted().isRedacted()).isTrue();
        assertThat(plan.secrets().hiddenIn("no mumble-mumble here")).isEqualTo("no *** here");
    }

    @Test
    void eventsAreNamedOneLineObjects() {
        Event failed = new Event.Failed(CommandException.Kind.USAGE, "unknown\ntransport");
        assertThat(Json.line(failed))
                .isEqualTo("{\"event\":\"error\",\"kind\":\"usage\",\"message\":\"unknown\\ntransport\"}");
        List<Event> all = List.of(
                failed,
                new Event.Ready(1),
                new Event.Result("/tmp/x.trial.json"),
                new Event.Progress(Event.Phase.WARMUP, 1, 2L, 3, null, 7L));
        assertThat(all)
                .allSatisfy(event ->
                        assertThat(Json.parse(Json.line(event), Event.class)).isEqualTo(event));
    }

    @Test
    void onlyFactsAreWritten() {
        assertThat(Json.line(new Percentile(99.9, 1L, 2, true, 3))).contains("\"hasFewSamples\":true");
        assertThat(Json.line(new Delivery(1, 1, 0, 0, 0, 0, 0, 0, List.of(), 0)))
                .doesNotContain("aultless");
    }

    @Test
    void outOfRangeValueIsRefusedWithRange() {
        assertThatThrownBy(() -> new Shape(-1, 1, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("services -1 is out of range; 0 to 1000");
        assertThatThrownBy(() ->
                        Json.parse(Json.line(PLAN).replace("\"instances\":2", "\"instances\":-2"), TrialPlan.class))
                .hasMessageContaining("instances -2 is out of range");
        assertThat(new Limit(99.9, 100_000_000)).hasToString("p99.9<100ms");
    }
}
