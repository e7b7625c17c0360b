package dev.baton.operations.options;

import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Wrapped;
import dev.baton.spi.options.OptionSpec;
import java.util.List;

/** The options of something on the class path, as a listing shows them. Stateless, thread-safe. */
public final class OptionLines {
    private OptionLines() {}

    /** Adds a line for each option, or several. @param flag of the command line for these options, such as {@code -o} */
    public static void add(TextReport report, String flag, List<OptionSpec> options) {
        int widest = options.stream()
                .mapToInt(option -> typed(flag, option).length())
                .max()
                .orElse(0);
        String indent = " ".repeat(widest + 4);
        for (OptionSpec option : options) {
            String typed = typed(flag, option);
            List<String> allowed = Wrapped.lines(indent, option.allowed(), report.width());
            String first = allowed.get(0).substring(2 + typed.length());
            report.line("  " + report.paint().apply(Tone.BOLD, typed) + first)
                    .lines(allowed.subList(1, allowed.size()))
                    .text(indent, option.description());
        }
    }

    private static String typed(String flag, OptionSpec option) {
        return flag + " " + option.name() + "=" + (option.defaultValue().isEmpty() ? "..." : option.defaultValue());
    }
}
