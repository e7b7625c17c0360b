package dev.baton.operations.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
    private static final Paint PLAIN = new Paint(false);
    private static final Paint COLOURED = new Paint(true);

    private final Table table = new Table(List.of(Cell.of("disruptor"), Cell.of("kafka")))
            .row("p50", List.of(Cell.of("143 us"), Cell.of("1.23 ms")))
            .gap()
            .row("p99.99", List.of(Cell.of("312 us", Tone.GREY), Cell.of("9.81 ms")));

    @Test
    void parenthesesDoNotShiftDigits() {
        assertThat(table.lines(PLAIN, 100))
                .containsExactly(
                        "        disruptor     kafka", //
                        "p50        143 us   1.23 ms",
                        "",
                        "p99.99    (312 us)  9.81 ms");
    }

    @Test
    void colouredFiguresAreAlignedByVisibleWidth() {
        assertThat(table.lines(COLOURED, 100))
                .containsExactly(
                        "        disruptor    kafka",
                        "p50        143 us  1.23 ms",
                        "",
                        "p99.99     \u001b[2m312 us\u001b[0m  9.81 ms");
    }

    @Test
    void columnsThatDoNotFitMoveBelow() {
        assertThat(table.lines(COLOURED, 20))
                .containsExactly(
                        "        disruptor",
                        "p50        143 us",
                        "",
                        "p99.99     \u001b[2m312 us\u001b[0m",
                        "",
                        "          kafka",
                        "p50     1.23 ms",
                        "",
                        "p99.99  9.81 ms");
    }

    @Test
    void blocksOmitRowsWithoutFigures() {
        Table table = new Table("first", "second")
                .row("JVM     CPU", "1 %", "-")
                .row("        RSS", "1 MB", "2 MB")
                .row("broker  CPU", "3 %", "-")
                .row("        RSS", "4 MB", "-");

        assertThat(table.lines(new Paint(false), 20))
                .containsExactly(
                        "             first",
                        "JVM     CPU    1 %",
                        "        RSS   1 MB",
                        "broker  CPU    3 %",
                        "        RSS   4 MB",
                        "",
                        "             second",
                        "JVM     CPU       -",
                        "        RSS    2 MB");
        assertThat(table.lines(new Paint(false), 80)).hasSize(5);
    }

    @Test
    void columnsThatBelongTogetherAreNotCutApart() {
        Table pairs = new Table(List.of(Cell.of("ring"), Cell.of(""), Cell.of("queue"), Cell.of("")))
                .together(2)
                .row("", List.of(Cell.of("p50"), Cell.of("p99"), Cell.of("p50"), Cell.of("p99")));

        assertThat(pairs.lines(COLOURED, 100)).containsExactly("  ring       queue", "   p50  p99    p50  p99");
        assertThat(pairs.lines(COLOURED, 20)) // three columns would fit
                .containsExactly("  ring", "   p50  p99", "", "  queue", "    p50  p99");
    }

    @Test
    void aRowHasACellForEachColumn() {
        assertThatThrownBy(() -> table.row("p90", List.of(Cell.of("1 us"))))
                .hasMessage("row 'p90' has 1 cells for 2 columns");
    }

    @Test
    void figureStaysOnOneLine() {
        assertThat(Wrapped.lines("", "one two three four < 1 % five, 10 % six of 20 ms", 22))
                .containsExactly("one two three four", "< 1 % five, 10 % six", "of 20 ms");
    }

    @Test
    void textContinuesBelowBeginningOfLongLabel() {
        assertThat(Wrapped.lines("chronicle reference: ", "one two three four five six", 30))
                .containsExactly("chronicle reference: one two", "     three four five six");
    }

    @Test
    void longTextContinuesBelow() {
        assertThat(Wrapped.lines("fact: ", "one two three four five six seven", 26))
                .containsExactly("fact: one two three four", "      five six seven");
    }
}
