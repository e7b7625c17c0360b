package dev.baton.operations.line;

import dev.baton.operations.terminal.Terminal;
import java.io.PrintWriter;
import java.util.List;

/**
 * Where a command writes: results to {@code out}, everything about how it is getting on to {@code err}.
 *
 * @param terminal what the two are connected to
 */
public record Console(PrintWriter out, PrintWriter err, Terminal terminal) {
    public void print(List<String> lines) {
        lines.forEach(out::println);
        out.flush();
    }

    public void complain(String line) {
        err.println(line);
        err.flush();
    }
}
