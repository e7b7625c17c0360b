package dev.baton.lab.reporting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.FixedResults;
import dev.baton.lab.results.Explanation;
import dev.baton.lab.results.TrialResult;
import dev.baton.measuring.data.Stage;
import dev.baton.measuring.data.Stage.Kind;
import dev.baton.measuring.data.Tail;
import dev.baton.measuring.data.Tail.Cause;
import dev.baton.measuring.data.Tail.Share;
import dev.baton.operations.terminal.Paint;
import java.util.List;
import org.junit.jupiter.api.Test;

class TailLinesTest {
    private static final Paint PLAIN = new Paint(false);

    private static final Tail TAIL = new Tail(
            99.9,
            3_100_000,
            30,
            30,
            List.of(
                    new Share(Cause.HOST, 0.62, 20),
                    new Share(Cause.GC, 0.206, 6),
                    new Share(Cause.QUEUEING, 0.17, 4),
                    new Share(Cause.UNKNOWN, 0.004, 0)));

    private static TrialResult explained(String transport, Tail tail, List<Stage> stages) {
        return FixedResults.with(FixedResults.passed(transport, 100_000), new Explanation(List.of(), 0, tail, stages));
    }

    @Test
    void oneTrialHasOneLine() {
        assertThat(TailLines.lines(List.of(explained("disruptor", TAIL, List.of())), 120))
                .containsExactly(
                        "above p99.9 (3.10 ms): 62 % machine stall, 21 % GC, 17 % queueing, < 1 % unknown; 30 of 30"
                                + " messages analysed");
    }

    @Test
    void severalTrialsAreNamedAndUnknownOnesOmitted() {
        Tail lost = new Tail(99, 5_000_000_000L, 4_000, 0, List.of());
        List<String> lines = TailLines.lines(
                List.of(
                        explained("disruptor", TAIL, List.of()),
                        FixedResults.passed("kafka", 1_000),
                        explained("chronicle", lost, List.of())),
                200);

        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).startsWith("disruptor above p99.9 (3.10 ms): 62 % machine stall,");
        assertThat(lines.get(1)).isEqualTo("chronicle above p99 (5.00 s): 0 of 4,000 messages analysed");
    }

    @Test
    void stagesOfTrialsAreSideBySide() {
        List<Stage> few = List.of(
                new Stage(Kind.TOPIC, "topic 0", 30_000, 0, 200L, 900L, 1_500L, 20_000L),
                new Stage(Kind.SERVICE, "s1", 30_000, 0, 100L, 300L, 500L, 2_000L),
                new Stage(Kind.TOPIC, "topic 1", 0, 0, null, null, null, null));
        List<String> lines = StageTable.lines(
                List.of(explained("disruptor", null, few), explained("chronicle", null, few.subList(0, 1))),
                PLAIN,
                100);

        assertThat(String.join("\n", lines)).isEqualTo("""
                stages: a topic from its commit to its reader's callback, a service from there to its commit
                         disruptor                     chronicle
                               p50     p99     p99.9         p50     p99     p99.9
                topic 0     200 ns  900 ns  (1.50 us)     200 ns  900 ns  (1.50 us)
                s1          100 ns  300 ns   (500 ns)          -       -         -
                topic 1          -       -         -           -       -         -
                """);
    }

    @Test
    void unknownTimeIsNotShownAsZero() {
        List<Stage> shared = List.of(
                new Stage(Kind.TOPIC, "topic 0", 30_000, 0, 200L, 900L, 1_500L, 20_000L),
                new Stage(Kind.SERVICE, "s1", 30_000, 0, 0L, 300L, 500L, 2_000L));

        assertThat(StageTable.lines(List.of(explained("disruptor", null, shared)), PLAIN, 200))
                .anySatisfy(line -> assertThat(line).matches("s1 +n/a +300 ns +\\(500 ns\\)"))
                .contains("n/a: not measured, as the clock is read once for a batch, so both time stamps are the same")
                .noneMatch(line -> line.contains(" 0 ns"));
    }

    @Test
    void untimedLateMessagesAreReported() {
        List<Stage> late = List.of(
                new Stage(Kind.TOPIC, "topic 0", 30_000, 0, 200L, 900L, 1_500L, 20_000L),
                new Stage(Kind.SERVICE, "s1", 25_000, 5_000, 100L, 300L, 500L, 2_000L),
                new Stage(Kind.TOPIC, "topic 1", 25_000, 5_000, 100L, 300L, 500L, 2_000L));
        List<Stage> inTime = late.subList(0, 1);
        assertThat(StageTable.lines(List.of(explained("disruptor", null, late)), PLAIN, 200))
                .contains("missing here, as they waited too long to be timed: 5,000 messages up to topic 1");
        assertThat(StageTable.lines(
                        List.of(explained("disruptor", null, late), explained("chronicle", null, inTime)), PLAIN, 200))
                .contains("disruptor: missing here, as they waited too long to be timed: 5,000 messages up to topic 1")
                .noneMatch(line -> line.startsWith("chronicle: "));
    }

    @Test
    void noStagesGiveNoTable() {
        assertThat(StageTable.lines(List.of(FixedResults.passed("kafka", 1_000)), PLAIN, 100))
                .isEmpty();
    }
}
