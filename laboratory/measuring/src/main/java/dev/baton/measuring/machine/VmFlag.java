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
 * A flag of the JVM that runs this. Diagnostic ones are visible only when they are unlocked. Immutable, thread-safe.
 *
 * @param isDefault whether it has its default value
 */
public record VmFlag(String value, boolean isDefault) {
    private static final String FILE = "hotspot-flags.txt";
    private static final Pattern NAME = Pattern.compile("-XX:[+-]?(\\w+).*", Pattern.DOTALL);

    /** {@return a flag by its name; null when this JVM has none of that name, or does not report it} */
    public static VmFlag named(String name) {
        try {
            VMOption option = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .getVMOption(name);
            return new VmFlag(option.getValue(), option.getOrigin() == VMOption.Origin.DEFAULT);
        } catch (IllegalArgumentException | NullPointerException | LinkageError none) {
            return null;
        }
    }

    /**
     * Values by name of the flags that differ from their defaults, because they were set or because the JVM chose them for this machine.
     * The JVM returns flags only by name, and lists them only in a management server that takes 10 to 20 MB: so the names are in a file,
     * and a test reports the ones that a newer JDK adds.
     *
     * @param arguments of the JVM, which may name flags that are not in the file
     * @param shown removes secrets from a value
     */
    static Map<String, String> changed(Collection<String> arguments, UnaryOperator<String> shown) {
        Map<String, String> changed = new TreeMap<>();
        for (String name : names(arguments)) {
            VmFlag flag = named(name); // null: another JDK has it, or it is locked
            if (flag != null && !flag.isDefault) {
                changed.put(name, shown.apply(flag.value));
            }
        }
        return changed;
    }

    private static Collection<String> names(Collection<String> arguments) {
        TreeSet<String> names = new TreeSet<>();
        try (InputStream in = VmFlag.class.getResourceAsStream(FILE)) {
            new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .forEach(names::add);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(FILE + " in the laboratory's own jar cannot be read", unreadable);
        }
        arguments.stream().map(NAME::matcher).filter(Matcher::matches).forEach(flag -> names.add(flag.group(1)));
        return names;
    }
}
