package dev.baton.measuring.machine;

import dev.baton.measuring.machine.Evidence.Compilation;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads from the JVM's log which method was compiled when, and whose code was discarded. A line is written when a compiler
 * begins, so it tells no duration: what the compilers took, their threads' CPU time tells. Stateless, thread-safe.
 */
public final class Compilations {
    /** Stamp, number, attributes, level, method; native wrappers are not compiled. */
    private static final Pattern LINE = Pattern.compile("\\[(\\d+)ns\\S*] +\\d+ +[%s!bn ]*? *([1-4]) +(\\S+::\\S+).*");

    private static final String DISCARDED = "made not entrant";

    private Compilations() {}

    /** Of the lines that {@link VmLog} gives. */
    public static List<Compilation> parse(List<String> log) {
        List<Compilation> found = new ArrayList<>();
        for (String line : log) {
            Matcher matcher = LINE.matcher(line);
            if (matcher.matches()) {
                found.add(new Compilation(
                        Long.parseLong(matcher.group(1)),
                        Integer.parseInt(matcher.group(2)),
                        matcher.group(3),
                        line.contains(DISCARDED)));
            }
        }
        return found;
    }
}
