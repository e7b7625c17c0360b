package dev.baton.lab.reporting;

import dev.baton.lab.launch.Collector;
import dev.baton.lab.launch.JvmSearch.FoundJvm;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Wrapped;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The JVMs of a machine, as a list for a person. Stateless, thread-safe. */
public final class JvmList {
    private static final String INDENT = "  ";

    private JvmList() {}

    /**
     * @param jvms with the collectors that each starts with; none where they were not asked for
     */
    public static List<String> lines(Map<FoundJvm, List<Collector>> jvms, Paint paint, int width) {
        List<String> lines = new ArrayList<>();
        jvms.forEach((jvm, collectors) -> {
            lines.add(paint.apply(Tone.BOLD, jvm.home().toString()));
            lines.addAll(Wrapped.lines(INDENT, jvm.version() + ", " + jvm.vendor() + ", " + jvm.name(), width));
            String words = collectors.stream().map(Collector::words).collect(Collectors.joining(", "));
            if (!words.isEmpty()) {
                lines.addAll(Wrapped.lines(INDENT + "collectors: ", words, width));
            }
        });
        lines.add("");
        lines.addAll(Wrapped.lines(
                "", "Measure in several of them with --jvm PATH,PATH or --jvm found, and with --gc NAME,NAME.", width));
        return lines;
    }
}
