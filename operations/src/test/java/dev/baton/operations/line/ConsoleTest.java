package dev.baton.operations.line;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.Tone;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whatever stands in a file or in an answer: it does nothing to a terminal. */
class ConsoleTest {
    private static final String HOSTILE = "a\u001b[2Jb\u0007c\u009bd\u202ee\udb40\udc01";
    private static final String SHOWN = "a\\u001b[2Jb\\u0007c\\u009bd\\u202ee\\ue0001";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private Console console(boolean isColoured) {
        return new Console(new PrintWriter(out), new PrintWriter(err), new Terminal(isColoured, true, 100, isColoured));
    }

    @Test
    void aComplaintIsOneLineWithoutControlCharacters() {
        console(true).complain("baton: x\n  y: " + HOSTILE + "\u001b[31mred\t.");
        assertThat(err).hasToString("baton: x y: " + SHOWN + "\\u001b[31mred\\u0009." + System.lineSeparator());
    }

    @Test
    void coloursAreKeptOnlyOnTerminals() {
        Console coloured = console(true);
        coloured.print(List.of(coloured.terminal().paint().apply(Tone.BAD, "FAIL") + " " + HOSTILE + "\n\tmore"));
        assertThat(out.toString())
                .startsWith(coloured.terminal().paint().apply(Tone.BAD, "FAIL") + " " + SHOWN + "\n\tmore")
                .hasLineCount(2);
        out.getBuffer().setLength(0);
        console(false).print(List.of("\u001b[31mred"));
        assertThat(out.toString()).startsWith("\\u001b[31mred");
    }

    @Test
    void longComplaintIsCut() {
        console(false).complain("no such thing, ".repeat(1_000));
        assertThat(err.toString()).hasLineCount(1).hasSizeLessThan(4_000).contains("... (15000 characters)");
    }
}
