package dev.baton.measuring.machine;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.VMOption;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The flags of this JVM whose value is not the default one, because someone set them or because the JVM chose them for
 * this machine. The JVM answers to names only, and lists them only to a management server that takes 10 to 20 MB: the
 * names are in a file, and a test tells which one a newer JDK adds. Stateless, thread-safe.
 */
final class ChangedFlags {
    private static final String FILE = "hotspot-flags.txt";
    private static final Pattern NAME = Pattern.compile("-XX:[+-]?(\\w+).*", Pattern.DOTALL);

    private ChangedFlags() {}

    /**
     * Values by name.
     *
     * @param arguments of the JVM, which may name flags that are not in the file
     * @param shown what may be kept of a value
     */
    static Map<String, String> now(Collection<String> arguments, UnaryOperator<String> shown) {
        HotSpotDiagnosticMXBean jvm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        Map<String, String> changed = new TreeMap<>();
        if (jvm == null) {
            return changed;
        }
        for (String name : names(arguments)) {
            try {
                VMOption option = jvm.getVMOption(name);
                if (option.getOrigin() != VMOption.Origin.DEFAULT) {
                    changed.put(name, shown.apply(option.getValue()));
                }
            } catch (IllegalArgumentException unknown) {
                // another JDK has it, or it is locked
            }
        }
        return changed;
    }

    private static Collection<String> names(Collection<String> arguments) {
        TreeSet<String> names = new TreeSet<>();
        try (InputStream in = ChangedFlags.class.getResourceAsStream(FILE)) {
            new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .forEach(names::add);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(FILE + " in the laboratory's own jar cannot be read", unreadable);
        }
        for (String argument : arguments) {
            Matcher matcher = NAME.matcher(argument);
            if (matcher.matches()) {
                names.add(matcher.group(1));
            }
        }
        return names;
    }
}
