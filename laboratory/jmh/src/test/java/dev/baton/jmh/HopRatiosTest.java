package dev.baton.jmh;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.operations.line.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class HopRatiosTest {
    private static final String HOST = "processor";
    private static final double NOISE = 0.02;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final Random random = new Random(7);

    /** Runs of identical builds, in which each hop takes 1.5 times as long as the library's. */
    private List<HopRatios.Figure> baseline(int runs) {
        List<HopRatios.Figure> figures = new ArrayList<>();
        for (String transport : new TreeSet<>(HopPair.HOPS.keySet())) { // in one order, as the noise is drawn in one
            for (int run = 0; run < runs; run++) {
                for (String hop : List.of(" x1", " x1 cooperative", " x16", " x16 cooperative")) {
                    figures.add(new HopRatios.Figure(HOST, transport + hop, Math.exp(identical())));
                }
            }
        }
        return figures;
    }

    private double identical() {
        return identical(HopRatios.FORKS);
    }

    /** The mean of so many JVMs, each of which has the noise of its own. */
    private double identical(int jvms) {
        return Math.log(1.5) + NOISE * Math.sqrt((double) HopRatios.FORKS / jvms) * random.nextGaussian();
    }

    private static HopRatios.LogRatios both(double log) {
        return new HopRatios.LogRatios(log, log);
    }

    private int compare(List<HopRatios.Figure> baseline, HopRatios.Measure measure) throws Exception {
        return new HopRatios(measure, HOST, out()).compare(baseline);
    }

    private PrintStream out() {
        return new PrintStream(printed, true, StandardCharsets.UTF_8);
    }

    private String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    @Test
    void identicalBuildRarelyFails() throws Exception {
        int worse = 0;
        for (int i = 0; i < 1_000; i++) {
            worse += compare(baseline(8), (transport, batch, jvms) -> both(identical(jvms))) == ExitCode.FAILED ? 1 : 0;
        }

        assertThat(worse).isLessThanOrEqualTo(5);
    }

    @Test
    void hopSlowerByAThirdFails() throws Exception {
        int code = compare(
                baseline(8),
                (transport, batch, jvms) ->
                        both(identical(jvms) + (transport.equals("chronicle") && batch == 16 ? Math.log(1.33) : 0)));

        assertThat(code).isEqualTo(ExitCode.FAILED);
        assertThat(printed().lines().filter(line -> line.contains("WORSE")))
                .hasSize(2)
                .allSatisfy(
                        line -> assertThat(line).startsWith("chronicle x16 ").contains("measured again"));
    }

    @Test
    void oneSlowMeasurementOfTwoIsInconclusive() throws Exception {
        assertThat(compare(baseline(8), firstSlow(2))).isEqualTo(ExitCode.INCONCLUSIVE);
        assertThat(printed()).doesNotContain("WORSE").contains("may be noise");
    }

    @Test
    void oneSlowJvmAlonePasses() throws Exception {
        assertThat(compare(baseline(8), firstSlow(1))).isEqualTo(ExitCode.OK);
    }

    private HopRatios.Measure firstSlow(int slow) {
        int[] measured = {0};
        return (transport, batch, jvms) ->
                both(measured[0]++ < slow ? identical(jvms) + Math.log(1.5) : identical(jvms));
    }

    @Test
    void hostWithoutBaselineIsInconclusive() throws Exception {
        int code = compare(baseline(HopRatios.FEWEST_RUNS - 1), (transport, batch, jvms) -> both(Math.log(100)));

        assertThat(code).isEqualTo(ExitCode.INCONCLUSIVE);
        assertThat(printed()).contains("4 runs", "--record");
    }

    @Test
    void onlyHopAboveBoundTakesMoreJvms() throws Exception {
        List<Integer> taken = new ArrayList<>();
        HopRatios.Measure measure = (transport, batch, jvms) -> {
            taken.add(jvms);
            return both(Math.log(transport.equals("aeron") && batch == 1 ? 3 : 1.5));
        };

        compare(List.of(), measure);
        assertThat(taken).hasSize(HopRatios.hops().size() / 2).containsOnly(1);
        taken.clear();
        compare(baseline(HopRatios.FEWEST_RUNS), measure);
        assertThat(taken).hasSize(HopRatios.hops().size() / 2 + 2).startsWith(1, HopRatios.FORKS, HopRatios.FORKS, 1);
    }

    @Test
    void runsThatHardlyDifferStillAllowTenPercent() throws Exception {
        List<HopRatios.Figure> baseline = baseline(8).stream()
                .map(figure -> new HopRatios.Figure(HOST, figure.hop(), 1.5))
                .toList();

        assertThat(compare(baseline, (transport, batch, jvms) -> both(Math.log(1.64))))
                .isEqualTo(ExitCode.OK);
        assertThat(compare(baseline, (transport, batch, jvms) -> both(Math.log(1.66))))
                .isEqualTo(ExitCode.FAILED);
    }

    @Test
    void baselineLineRoundTrips() {
        HopRatios.Figure figure = new HopRatios.Figure("AMD EPYC family 25 model 17 JDK 17", "aeron x16", 1.25);

        assertThat(HopRatios.Figure.parse(figure.toString())).isEqualTo(figure);
    }

    @Test
    void hopSlowerByAFifthUsuallyFails() throws Exception {
        int found = 0;
        for (int i = 0; i < 200; i++) {
            int code = compare(
                    baseline(8),
                    (transport, batch, jvms) ->
                            both(identical(jvms) + (transport.equals("disruptor") && batch == 1 ? Math.log(1.2) : 0)));
            found += code == ExitCode.FAILED ? 1 : 0;
        }

        assertThat(found).isGreaterThanOrEqualTo(180);
    }

    @Test
    void keptBaselineHasEnoughRunsOfMeasuredHops() {
        Map<String, Map<String, Long>> kept = HopRatios.read(Path.of("ratios.csv")).stream()
                .collect(groupingBy(HopRatios.Figure::host, groupingBy(HopRatios.Figure::hop, counting())));

        assertThat(kept)
                .isNotEmpty()
                .allSatisfy((host, runs) -> assertThat(runs)
                        .allSatisfy((hop, count) -> assertThat(HopRatios.hops()).contains(hop))
                        .allSatisfy((hop, count) -> assertThat(count).isGreaterThanOrEqualTo(HopRatios.FEWEST_RUNS)));
    }

    @Test
    void runIsAddedToFileAndCompared(@TempDir Path directory) throws Exception {
        Path baseline = directory.resolve("ratios.csv");
        for (int i = 0; i < HopRatios.FEWEST_RUNS; i++) {
            assertThat(run("--record", baseline.toString())).isEqualTo(ExitCode.OK);
        }

        assertThat(run(baseline.toString())).isEqualTo(ExitCode.OK);
        assertThat(Files.readAllLines(baseline))
                .hasSize(1 + HopRatios.FEWEST_RUNS * HopRatios.hops().size());
    }

    @Test
    void lastLineWithoutEndIsNotContinued(@TempDir Path directory) throws Exception {
        Path baseline = directory.resolve("ratios.csv");
        HopRatios.Figure kept = new HopRatios.Figure(HOST, "aeron x1", 1.25);
        Files.writeString(baseline, "host,hop,ratio\n" + kept);

        assertThat(run("--record", baseline.toString())).isEqualTo(ExitCode.OK);

        assertThat(HopRatios.read(baseline))
                .startsWith(kept)
                .hasSize(1 + HopRatios.hops().size());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "aeron x1,1.25",
                "host,hop,ratio\naeron x1,1.25",
                "host,hop,ratio\nhost,aeron x1,quick",
                "host,hop,ratio\nhost,aeron x1,NaN",
                "host,hop,ratio\nhost,aeron x1,-1"
            })
    void damagedBaselineIsRefusedUnchanged(String text, @TempDir Path directory) throws Exception {
        Path baseline = directory.resolve("ratios.csv");
        Files.writeString(baseline, text);

        assertThat(run(baseline.toString())).isEqualTo(ExitCode.USAGE);
        assertThat(run("--record", baseline.toString())).isEqualTo(ExitCode.USAGE);
        assertThat(printed()).contains("HopRatios: " + baseline);
        assertThat(baseline).hasContent(text);
    }

    @Test
    void missingBaselineIsRefusedWithRemedy(@TempDir Path directory) throws Exception {
        assertThat(run(directory.resolve("none.csv").toString())).isEqualTo(ExitCode.USAGE);
        assertThat(printed()).contains("none.csv", "--record makes a baseline");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--record", "--quick ratios.csv", "--quick", "one.csv two.csv"})
    void invalidArgumentsPrintTheUsage(String typed) throws Exception {
        assertThat(run(typed.isEmpty() ? new String[0] : typed.split(" "))).isEqualTo(ExitCode.USAGE);
        assertThat(printed()).startsWith("usage: HopRatios");
    }

    @Test
    void failedMeasurementIsNoWorseHop() throws Exception {
        int code = HopRatios.run(
                List.of("ratios.csv"),
                (transport, batch, jvms) -> {
                    throw new IllegalStateException("HopPair[aeron, 1] failed");
                },
                out(),
                out());

        assertThat(code).isEqualTo(ExitCode.ENVIRONMENT);
        assertThat(printed()).contains("could not measure or write: ", "HopPair[aeron, 1] failed");
    }

    private int run(String... arguments) throws Exception {
        return HopRatios.run(List.of(arguments), (transport, batch, jvms) -> both(Math.log(1.5)), out(), out());
    }

    @Test
    void pairIsMeasuredInSeparateJvm() throws Exception {
        long[] picos = Fork.run(List.of(), HopPair.class, "disruptor", 16);

        assertThat(picos).hasSize(3);
        assertThat((double) picos[0] / picos[1]).isBetween(0.2, 50.0);
    }
}
