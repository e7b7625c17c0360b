package dev.baton.lab.study.selftest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.request.SelftestCase;
import dev.baton.lab.study.selftest.Proof.Answer;
import dev.baton.operations.terminal.Terminal;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the self-test prints, in words. */
class SelftestReportTest {
    private static final int ALL = SelftestCase.values().length;

    private static final Terminal TERMINAL = new Terminal(false, false, 100, false);

    private static List<String> lines(boolean isWhole, List<Answer> answers) {
        return SelftestReport.lines(answers, Duration.ofSeconds(29), isWhole, TERMINAL);
    }

    private static Answer answer(Answer.State state) {
        return new Answer(
                SelftestCase.LOSSES,
                "each 50th of 1,150",
                state,
                List.of(Check.count("lost", 23, 23), Check.count("of instance 1", 23, 22)),
                3,
                1_910_000_000);
    }

    @Test
    void tableFitsAHundredColumns() {
        List<Answer> answers = new Proof(new ModelLaboratory(null), () -> false)
                .of(Stream.of(SelftestCase.values()).map(Case::of).toList(), SelftestPlans::named);

        assertThat(lines(false, answers))
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100))
                .filteredOn(line -> line.endsWith("PASS"))
                .hasSize(SelftestCase.values().length);
        assertThat(String.join(" ", lines(false, answers)))
                .contains(
                        ALL + " PASS of " + ALL + " cases, ", " figures, in 29 s; self-test " + SelftestCase.identity())
                .contains("A closed loop would have counted one message.");
    }

    @Test
    void failureShowsFigureAndDisturbance() {
        assertThat(lines(false, List.of(answer(Answer.State.FAIL))))
                .contains("losses, with 1.91 s taken by the machine:")
                .contains("  of instance 1: expected 23, reported 22")
                .anyMatch(line -> line.matches("losses +each 50th of 1,150 +of instance 1: 23 +22 +FAIL"))
                .anyMatch(line -> line.startsWith("1 FAIL of 1 case, 2 figures, "));
    }

    @Test
    void inconclusiveCaseNamesTheRemedy() {
        assertThat(String.join(" ", lines(false, List.of(answer(Answer.State.INCONCLUSIVE)))))
                .contains(
                        "INCONCLUSIVE: the machine took up to 1.91 s from a chain's threads in each of 3 rounds; run it"
                                + " again on a quieter machine: --only losses")
                .contains("1 case was repeated");
    }

    @Test
    void allFiguresAreShownWithTolerance() {
        Answer answer = new Answer(
                SelftestCase.DELAYS,
                "5 ms",
                Answer.State.PASS,
                List.of(Check.time("p99", new Check.Range(4_990_000, 5_000_000, 5_510_000), 5_100_000L)),
                1,
                0);

        assertThat(lines(true, List.of(answer)))
                .startsWith("PASS  fixed delays: 5 ms", "  p99  5.00 ms (4.99 to 5.51)  5.10 ms");
    }
}
