package dev.baton.lab.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lab.protocol.Event;
import dev.baton.lab.request.Limit;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.PlacedTrial;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.IntervalLog;
import dev.baton.lab.results.ResultFolder;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.measuring.data.Histograms;
import dev.baton.measuring.data.Latency;
import dev.baton.measuring.data.Percentile;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.CommandException.Kind;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.settings.Subject;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogProcessor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class TrialRunnerTest {
    @TempDir
    Path results;

    private final List<Event> events = new ArrayList<>();

    @AfterEach
    void nothingIsLeftBehind() throws IOException {
        assertThat(LossyTransport.LEFT_BEHIND).isEmpty();
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("baton-"));
        try (Stream<Path> files = Files.list(results)) {
            assertThat(files).allMatch(file -> file.toString().matches(".*\\.(trial\\.json|hlog)"));
        }
    }

    @Test
    void twoSecondsOverMemoryAccountForEveryMessage() throws IOException {
        TrialResult result =
                new TrialRunner(Plans.of(results, "memory", Map.of()), ChainWorkload::open, events::add).run();

        assertThat(result.delivery().sent()).isBetween(2498L, 2502L);
        assertThat(result.delivery().delivered()).isEqualTo(result.delivery().sent());
        assertThat(result.delivery().isFaultless()).isTrue();
        assertThat(result.response().count()).isBetween(1999L, 2001L);
        assertThat(result.sendDelay().count()).isEqualTo(result.response().count());
        assertThat(result.service().at(50).nanos())
                .isLessThanOrEqualTo(result.response().at(50).nanos());
        assertThat(result.response().at(99.99).hasFewSamples()).isTrue();
        assertThat(result.timeline()).hasSize(2);
        assertThat(result.machine().jvmCpuCores()).isPositive();
        assertThat(result.machine().allocatedBytesPerMessage()).isPositive();
        assertThat(result.outcome().verdict()).isIn(Verdict.PASS, Verdict.INCONCLUSIVE, Verdict.FAIL);
        assertThat(ResultFolder.readTrial(results.resolve("memory-1.trial.json")))
                .isEqualTo(result);
        assertThat(countsIn(results.resolve("memory-1.hlog"), null))
                .isEqualTo(result.response().count());
        assertThat(countsIn(results.resolve("memory-1.hlog"), IntervalLog.SEND_DELAY))
                .isEqualTo(result.sendDelay().count());
    }

    @ParameterizedTest
    @CsvSource({"500, 1", "3000, 2"})
    void longWarmUpsRequestASecondCollection(long warmupMillis, int collections) {
        TrialPlan plan = Plans.of(results, "memory", Map.of()).plan();
        Phases phases = new Phases(warmupMillis * 1_000_000, 100_000_000, 2_000_000_000L);
        TrialPlan warmed =
                new TrialPlan(plan.id(), plan.subject(), plan.shape(), plan.load(), plan.loops(), phases, List.of());
        PlacedTrial trial =
                new PlacedTrial(warmed, Plans.of(results, "memory", Map.of()).place());
        long before = longCollections();
        new TrialRunner(trial, ChainWorkload::open, events::add).run();
        assertThat(longCollections() - before).isEqualTo(collections);
    }

    private static long longCollections() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .filter(collector ->
                        collector.getName().equals("MarkSweepCompact")) // of the serial collector, as in the POM
                .findAny()
                .orElseThrow()
                .getCollectionCount();
    }

    @Test
    void histogramsContainThePrintedPercentiles() {
        TrialResult result =
                new TrialRunner(Plans.of(results, "memory", Map.of()), ChainWorkload::open, events::add).run();

        sameFigures(Histograms.decoded(result.histograms().response()), result.response());
        sameFigures(Histograms.decoded(result.histograms().service()), result.service());
        sameFigures(Histograms.decoded(result.histograms().sendDelay()), result.sendDelay());
    }

    private static void sameFigures(Histogram histogram, Latency latency) {
        assertThat(histogram.getTotalCount()).isEqualTo(latency.count()).isPositive();
        assertThat(histogram.getMaxValue()).isEqualTo(latency.maxNanos());
        for (Percentile each : latency.percentiles()) {
            assertThat(histogram.getValueAtPercentile(each.percentile())).isEqualTo(each.nanos());
        }
    }

    @Test
    void hdrHistogramsOwnLogProcessorReadsTheIntervals(@TempDir Path elsewhere) throws IOException {
        TrialResult result =
                new TrialRunner(Plans.of(results, "memory", Map.of()), ChainWorkload::open, events::add).run();
        Path out = elsewhere.resolve("out");
        new HistogramLogProcessor(new String[] {
                    "-i",
                    results.resolve("memory-1.hlog").toString(),
                    "-o",
                    out.toString(),
                    "-outputValueUnitRatio",
                    "1"
                })
                .run();

        List<String> distribution = Files.readAllLines(elsewhere.resolve("out.hgrm"));
        assertThat(distribution)
                .anyMatch(line -> line.matches(
                        "#\\[Max .* Total count\\s+=\\s+" + result.response().count() + "\\]"))
                .anyMatch(line ->
                        line.matches("#\\[Max\\s+=\\s+" + result.response().maxNanos() + "[.]000,.*"));
    }

    @Test
    void trialReportsItsProgress() {
        new TrialRunner(Plans.of(results, "memory", Map.of()), ChainWorkload::open, events::add).run();

        assertThat(events.get(0)).isInstanceOf(Event.Ready.class);
        assertThat(events.get(events.size() - 1)).isInstanceOf(Event.Result.class);
        assertThat(events.stream()
                        .filter(Event.Progress.class::isInstance)
                        .map(event -> ((Event.Progress) event).phase())
                        .distinct())
                .containsSubsequence(Event.Phase.OPENING, Event.Phase.MEASURING, Event.Phase.CLOSING);
        assertThat(events)
                .anyMatch(event -> event instanceof Event.Progress progress
                        && progress.phase() == Event.Phase.MEASURING
                        && progress.p99Nanos() != null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cooperative:2", "per-service"})
    void severalInstancesAccountForEveryMessage(String threading) {
        PlacedTrial plan =
                Plans.of(results, "memory", Map.of(), new Shape(3, 4, 33), Plans.POISSON_1000, threading, 1_000);
        TrialResult result = new TrialRunner(plan, ChainWorkload::open, events::add).run();

        assertThat(result.delivery().isFaultless()).isTrue();
        assertThat(result.delivery().sent())
                .isEqualTo(result.delivery().delivered())
                .isBetween(5_500L, 6_500L);
        assertThat(result.instances()).hasSize(4).allMatch(instance -> instance.count() > 800);
    }

    @Test
    void lostMessageFailsTheTrial() {
        TrialResult result = new TrialRunner(
                        Plans.of(results, "memory", Map.of("lose", "700")), ChainWorkload::open, events::add)
                .run();

        assertThat(result.outcome().verdict()).isEqualTo(Verdict.FAIL);
        assertThat(result.outcome().reasons().get(0))
                .contains("instance 1 stopped")
                .contains("701");
        assertThat(result.outcome().stop()).contains(result.outcome().reasons().get(0));
        assertThat(result.delivery().lost()).isPositive();
        assertThat(result.delivery().incidents().get(0).sequence()).isEqualTo(700);
        assertThat(result.response().maxNanos()).isNotNull();
    }

    @Test
    void alteredPayloadFailsTheTrial() {
        PlacedTrial plan = Plans.of(
                results, "memory", Map.of("alter", "5"), new Shape(2, 1, 8), Plans.EVEN_1000, "cooperative:1", 500);
        TrialResult result = new TrialRunner(plan, ChainWorkload::open, events::add).run();

        assertThat(result.outcome().verdict()).isEqualTo(Verdict.FAIL);
        assertThat(result.outcome().reasons())
                .anyMatch(reason ->
                        reason.contains("1 of") && reason.contains("corrupted; the first: instance 1, message 5"));
    }

    @Test
    void interruptedTrialKeepsItsMeasurement() {
        List<TrialRunner> runner = new ArrayList<>();
        runner.add(new TrialRunner(Plans.of(results, "memory", Map.of()), ChainWorkload::open, event -> {
            if (event instanceof Event.Progress progress && progress.phase() == Event.Phase.MEASURING) {
                runner.get(0).interrupt("interrupted by a test");
            }
        }));
        TrialResult result = runner.get(0).run();

        assertThat(result.outcome().verdict()).isEqualTo(Verdict.INTERRUPTED);
        assertThat(result.outcome().reasons()).containsExactly("interrupted by a test");
        assertThat(result.span().measureNanos()).isBetween(400_000_000L, 1_500_000_000L);
        assertThat(result.delivery().isFaultless()).isTrue();
        assertThat(result.response().count()).isBetween(400L, 1_500L);
    }

    @Test
    void certainFailureEndsTheMeasurement() {
        PlacedTrial whole =
                Plans.of(results, "memory", Map.of(), new Shape(5, 1, 0), Plans.EVEN_1000, "cooperative:1", 60_000);
        TrialPlan plan = whole.plan();
        TrialPlan search = new TrialPlan(
                plan.id(),
                plan.subject(),
                plan.shape(),
                plan.load(),
                plan.loops(),
                plan.phases().endingWhenBroken(),
                List.of(new Limit(99.9, 1)));
        TrialResult result =
                new TrialRunner(new PlacedTrial(search, whole.place()), ChainWorkload::open, events::add).run();

        assertThat(result.outcome().verdict()).isEqualTo(Verdict.FAIL);
        assertThat(result.outcome().reasons())
                .hasSize(2)
                .last()
                .asString()
                .matches("measured for [0-9.]+m?s of 60s: more messages were late by then than p99.9<1ns allows in all"
                        + " of it");
        assertThat(result.span().measureNanos()).isBetween(400_000_000L, 10_000_000_000L);
        assertThat(result.delivery().isFaultless()).isTrue();
        assertThat(result.delivery().delivered()).isEqualTo(result.delivery().sent());
        assertThat(result.rate().worstShare()).isGreaterThan(0.99);
    }

    @Test
    void trialInterruptedEarlyHasAResult() {
        List<TrialRunner> runner = new ArrayList<>();
        runner.add(new TrialRunner(
                Plans.of(results, "memory", Map.of()),
                ChainWorkload::open,
                event -> runner.get(0).interrupt("interrupted by a test")));
        TrialResult result = runner.get(0).run();

        assertThat(result.outcome().verdict()).isEqualTo(Verdict.INTERRUPTED);
        assertThat(result.machine()).isNull();
        assertThat(result.response().at(99).nanos()).isNull();
    }

    @Test
    void refusalsAreUsageOrEnvironmentErrors() {
        refuses("nowhere", Map.of(), new Shape(1, 1, 0), "cooperative:1", Kind.USAGE, "known: ");
        refuses("memory", Map.of("colour", "red"), new Shape(1, 1, 0), "cooperative:1", Kind.USAGE, "known: lose (");
        refuses("memory", Map.of(), new Shape(1, 1, 1025), "cooperative:1", Kind.USAGE, "carries up to 1024");
        refuses("memory", Map.of(), new Shape(1, 1, 0), "cooperative:x", Kind.USAGE, "known: cooperative:N");
        refuses("memory", Map.of("down", "true"), new Shape(1, 1, 0), "cooperative:1", Kind.ENVIRONMENT, "memory:1");
        assertThatThrownBy(() -> new LoopPlan("per-service", "park:fast", 0).open())
                .hasMessageContaining("fast");
    }

    @Test
    void unknownEngineIsRefusedWithKnownOnes() {
        PlacedTrial plan = Plans.of(results, "memory", Map.of());
        PlacedTrial other = new PlacedTrial(plan.plan().about(new Subject("steam", "memory", Map.of())), plan.place());
        assertThatThrownBy(() -> new TrialRunner(other, ChainWorkload::open, events::add).run())
                .hasMessage(
                        "unknown engine 'steam'; known: baton, reference, reference-cooperative, reference-article, primitive,"
                                + " system:NAME");
    }

    private void refuses(
            String transport, Map<String, String> options, Shape shape, String threading, Kind kind, String text) {
        PlacedTrial plan = Plans.of(results, transport, options, shape, Plans.EVEN_1000, threading, 100);
        assertThatThrownBy(() -> new TrialRunner(plan, ChainWorkload::open, events::add).run())
                .isInstanceOfSatisfying(
                        CommandException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(kind))
                .hasMessageContaining(text);
    }

    private static long countsIn(Path log, String tag) throws IOException {
        LongAdder count = new LongAdder();
        IntervalLog.read(log, tag, (start, length, each) -> count.add(each.getTotalCount()));
        return count.sum();
    }
}
