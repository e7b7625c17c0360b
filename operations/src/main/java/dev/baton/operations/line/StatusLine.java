package dev.baton.operations.line;

import dev.baton.operations.terminal.Terminal;
import java.io.PrintWriter;
import java.util.function.Supplier;

/**
 * The progress of a command: one line on a terminal, overwritten and removed at the end; elsewhere a line for each text. Confined to one
 * thread.
 */
public final class StatusLine implements AutoCloseable {
    private static final long INTERVAL_NANOS = 1_000_000_000L;
    private static final String CLEAR = "\r\u001b[K";

    private final PrintWriter err;
    private final Terminal terminal;
    private long shownAt = System.nanoTime();
    private boolean isShowing;

    public StatusLine(PrintWriter err, Terminal terminal) {
        this.err = err;
        this.terminal = terminal;
    }

    /** Shows a text unless the last one was shown within a second. */
    public void update(Supplier<String> text) {
        long now = System.nanoTime();
        if (now - shownAt >= INTERVAL_NANOS) {
            shownAt = now;
            show(text.get());
        }
    }

    /** Shows a text, on a terminal as much of it as fits into a line. */
    public void show(String text) {
        if (terminal.errIsTerminal()) {
            int room = terminal.columns() - 1;
            err.print(CLEAR + (text.length() > room ? text.substring(0, room) : text));
            isShowing = true;
        } else {
            err.println(text);
        }
        err.flush();
    }

    /** Leaves nothing of it on the terminal; it may be shown again. */
    @Override
    public void close() {
        if (isShowing) {
            err.print(CLEAR);
            err.flush();
            isShowing = false;
        }
    }
}
