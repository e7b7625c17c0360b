package dev.baton.operations.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.operations.line.StatusLine;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class TerminalTest {
    private final Properties properties = new Properties();

    @Test
    void terminalIsSetOnlyByTheScript() {
        assertThat(Terminal.detect(properties, Map.of())).isEqualTo(new Terminal(false, false, 100, false));
    }

    @Test
    void pipedOutputHasTheWidthOfColumns() {
        assertThat(Terminal.detect(properties, Map.of("COLUMNS", "72")).columns())
                .isEqualTo(72);
        properties.setProperty("baton.columns", "90");
        assertThat(Terminal.detect(properties, Map.of("COLUMNS", "72")).columns())
                .isEqualTo(90);
    }

    @Test
    void aTerminalHasColoursUnlessRefused() {
        properties.setProperty("baton.stdout", "terminal");
        properties.setProperty("baton.columns", "90");
        assertThat(Terminal.detect(properties, Map.of())).isEqualTo(new Terminal(true, false, 90, true));
        assertThat(Terminal.detect(properties, Map.of("NO_COLOR", "1")).isColoured())
                .isFalse();
        assertThat(Terminal.detect(properties, Map.of("TERM", "dumb")).isColoured())
                .isFalse();
    }

    @Test
    void dumbTerminalGetsNoCursorCodes() {
        properties.setProperty("baton.stdout", "terminal");
        properties.setProperty("baton.stderr", "terminal");
        StringWriter shown = new StringWriter();
        Terminal terminal = Terminal.detect(properties, Map.of("TERM", "dumb"));
        try (StatusLine line = new StatusLine(new PrintWriter(shown), terminal)) {
            line.show("warming up");
        }
        assertThat(shown.toString()).isEqualTo("warming up" + System.lineSeparator());
        assertThat(terminal.outIsTerminal()).as("top would clear the screen").isFalse();
    }

    @Test
    void unreadableWidthsAreBounded() {
        properties.setProperty("baton.columns", "400");
        assertThat(Terminal.detect(properties, Map.of()).columns()).isEqualTo(120);
        properties.setProperty("baton.columns", "0");
        assertThat(Terminal.detect(properties, Map.of()).columns()).isEqualTo(40);
        properties.setProperty("baton.columns", "?");
        assertThat(Terminal.detect(properties, Map.of()).columns()).isEqualTo(100);
    }
}
