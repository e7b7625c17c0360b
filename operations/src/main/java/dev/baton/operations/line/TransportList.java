package dev.baton.operations.line;

import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Wrapped;
import dev.baton.spi.Guarantee;
import dev.baton.spi.OptionSpec;
import dev.baton.spi.TransportProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The transports with what they promise and what can be set. Stateless, thread-safe. */
public final class TransportList {
    private TransportList() {}

    /** A paragraph per transport. */
    public static List<String> lines(List<TransportProvider> providers, Paint paint, int width) {
        List<String> lines = new ArrayList<>();
        for (TransportProvider provider : providers) {
            if (!lines.isEmpty()) {
                lines.add("");
            }
            lines.add(paint.apply(Tone.BOLD, provider.name()));
            lines.addAll(Wrapped.lines("  ", provider.summary(), width));
            lines.addAll(Wrapped.lines("  ", "guarantees: " + guarantees(provider), width));
            options(lines, provider.options(), paint, width);
        }
        return lines;
    }

    private static String guarantees(TransportProvider provider) {
        String text =
                provider.guarantees().stream().sorted().map(Guarantee::meaning).collect(Collectors.joining(", "));
        return text.isEmpty() ? "none beyond the contract of all transports" : text;
    }

    private static void options(List<String> lines, List<OptionSpec> options, Paint paint, int width) {
        int widest = options.stream()
                .mapToInt(option -> typed(option).length())
                .max()
                .orElse(0);
        String indent = " ".repeat(widest + 4);
        for (OptionSpec option : options) {
            String typed = typed(option);
            List<String> allowed = Wrapped.lines(indent, option.allowed(), width);
            lines.add("  " + paint.apply(Tone.BOLD, typed) + allowed.get(0).substring(2 + typed.length()));
            lines.addAll(allowed.subList(1, allowed.size()));
            lines.addAll(Wrapped.lines(indent, option.description(), width));
        }
    }

    private static String typed(OptionSpec option) {
        return "-o " + option.name() + "=" + (option.defaultValue().isEmpty() ? "..." : option.defaultValue());
    }
}
