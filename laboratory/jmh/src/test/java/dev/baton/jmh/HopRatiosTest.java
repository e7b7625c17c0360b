package dev.baton.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.operations.line.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

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
                figures.add(new HopRatios.Figure(HOST, transport + " x1", Math.exp(identical())));
                figures.add(new HopRatios.Figure(HOST, transport + " x16", Math.exp(identical())));
            }
        }
        return figures;
    }

    private double identical() {
        return Math.log(1.5) + NOISE * random.nextGaussian();
    }

    private int compare(List<HopRatios.Figure> baseline, HopRatios.Measure measure) throws Exception {
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        return new HopRatios(measure, HOST, out).compare(baseline);
    }

    private String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    @Test
    void anIdenticalBuildPassesInAllButOneOfTwoHundredRuns() throws Exception {
        int worse = 0;
        for (int i = 0; i < 1_000; i++) {
            worse += compare(baseline(8), (transport, batch) -> identical()) == ExitCode.FAILED ? 1 : 0;
        }

        assertThat(worse).isLessThanOrEqualTo(5);
    }

    @Test
    void aHopThatBecameAThirdSlowerFailsAndIsNamed() throws Exception {
        int code = compare(
                baseline(8),
                (transport, batch) ->
                        identical() + (transport.equals("chronicle") && batch == 16 ? Math.log(1.33) : 0));

        assertThat(code).isEqualTo(ExitCode.FAILED);
        assertThat(printed().lines().filter(line -> line.contains("WORSE")))
                .singleElement()
                .asString()
                .startsWith("chronicle x16 ")
                .contains("measured again");
    }

    @Test
    void oneSlowMeasurementOfTwoIsInconclusive() throws Exception {
        int[] measured = {0};

        int code = compare(
                baseline(8), (transport, batch) -> measured[0]++ == 0 ? identical() + Math.log(1.5) : identical());

        assertThat(code).isEqualTo(ExitCode.INCONCLUSIVE);
        assertThat(printed()).doesNotContain("WORSE").contains("may be noise");
    }

    @Test
    void aHostWithoutABaselineIsInconclusiveHoweverSlowItIs() throws Exception {
        int code = compare(baseline(HopRatios.FEWEST_RUNS - 1), (transport, batch) -> Math.log(100));

        assertThat(code).isEqualTo(ExitCode.INCONCLUSIVE);
        assertThat(printed()).contains("4 runs", "--record");
    }

    @Test
    void runsThatHardlyDifferStillAllowFivePercent() throws Exception {
        List<HopRatios.Figure> baseline = baseline(8).stream()
                .map(figure -> new HopRatios.Figure(HOST, figure.hop(), 1.5))
                .toList();

        assertThat(compare(baseline, (transport, batch) -> Math.log(1.57))).isEqualTo(ExitCode.OK);
        assertThat(compare(baseline, (transport, batch) -> Math.log(1.58))).isEqualTo(ExitCode.FAILED);
    }

    @Test
    void aLineOfTheBaselineIsReadAsItWasWritten() {
        HopRatios.Figure figure = new HopRatios.Figure("AMD EPYC family 25 model 17 JDK 17", "aeron x16", 1.25);

        assertThat(HopRatios.Figure.parse(figure.toString())).isEqualTo(figure);
        assertThatThrownBy(() -> HopRatios.Figure.parse("aeron x16,1.25")).hasMessageContaining("host,hop,ratio");
    }

    @Test
    void aPairOfHopsIsMeasuredInAJvmOfItsOwn() throws Exception {
        long[] picos = Fork.run(List.of(), List.of(), HopPair.class, "disruptor", 16);

        assertThat(picos).hasSize(2);
        assertThat((double) picos[0] / picos[1]).isBetween(0.2, 50.0);
    }
}
