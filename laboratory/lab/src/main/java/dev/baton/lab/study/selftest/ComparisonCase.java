package dev.baton.lab.study.selftest;

import static dev.baton.lab.study.selftest.SelftestPlans.BUILDS;

import dev.baton.lab.request.SelftestCase;
import dev.baton.lab.study.comparison.ComparisonSide;
import dev.baton.lab.study.comparison.Difference;
import dev.baton.lab.study.comparison.Sample;
import dev.baton.lab.study.comparison.Statistics;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The case of two builds, one of which holds each message back by a fifth more: the comparison has to find it, by that
 * much, from either side, and nothing between a build and itself. Stateless, thread-safe.
 */
final class ComparisonCase {
    private static final double P50 = 50;
    private static final double BUILD_NANOS = 10e6;
    private static final double SLOWER_NANOS = 12e6;

    private ComparisonCase() {}

    static Case of() {
        return new Case(SelftestCase.COMPARISON, BUILDS, "10 ms, then 12 ms", (all, laboratory) -> question(all));
    }

    private static List<Check> question(Map<String, Evidence> all) {
        List<Sample> build = samples(all, BUILDS.get(0), BUILDS.get(2));
        List<Sample> slower = samples(all, BUILDS.get(1), BUILDS.get(3));
        double late = Stream.of(BUILDS)
                .flatMap(List::stream)
                .mapToLong(id -> Tolerance.of(all.get(id), 0).wakeNanos())
                .max()
                .orElse(0);
        Difference worse = p50(build, slower);
        double least = SLOWER_NANOS / (BUILD_NANOS + late) - 1;
        double most = (SLOWER_NANOS + late) / BUILD_NANOS - 1;
        return List.of(
                Check.fact(
                        "p50",
                        String.format(Locale.ROOT, "+20 %% (%+.1f to %+.1f)", 100 * least, 100 * most),
                        String.format(Locale.ROOT, "%+.1f %%", 100 * worse.change()),
                        worse.change() >= least && worse.change() <= most),
                word("in words", Difference.Word.SLOWER, worse),
                word("the other way round", Difference.Word.FASTER, p50(slower, build)),
                word("with itself", Difference.Word.SAME, p50(build, build)));
    }

    private static Check word(String what, Difference.Word expected, Difference found) {
        return Check.fact(what, expected.toString(), found.word().toString(), found.word() == expected);
    }

    private static List<Sample> samples(Map<String, Evidence> all, String one, String other) {
        return List.of(
                new Sample(all.get(one).result(), List.of()),
                new Sample(all.get(other).result(), List.of()));
    }

    private static Difference p50(List<Sample> before, List<Sample> after) {
        return new Statistics(side(before), side(after))
                .differences(before, after).stream()
                        .filter(each -> each.percentile() == P50)
                        .findFirst()
                        .orElseThrow();
    }

    private static ComparisonSide side(List<Sample> samples) {
        return new ComparisonSide(Path.of("selftest"), null, Map.of("selftest", samples), List.of());
    }
}
