package dev.baton.lab.protocol;

import dev.baton.lab.results.PrivateFile;
import dev.baton.measuring.machine.VmFlag;
import dev.baton.spi.options.ByteSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The heap, the collector, the processors and the flags that the parent asked for, which the child compares with what it
 * has: variables of the environment, limits of a container and the JVM itself change them, and a figure must not stand
 * below a label that is not true. Stateless, thread-safe.
 */
public final class AskedJvm {
    private static final String FILE = "asked-jvm.txt";
    private static final String PROCESSORS = "processors=";
    private static final String HEAP = "MaxHeapSize";
    private static final String STACK = "ThreadStackSize"; // in KiB

    /** The variables that set flags where the command line does not, or override it. */
    private static final List<String> VARIABLES = List.of("_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS");

    private static final Pattern SWITCH = Pattern.compile("-XX:([+-])(\\w+)");
    private static final Pattern VALUE = Pattern.compile("-XX:(\\w+)=(.*)", Pattern.DOTALL);
    private static final Pattern SIZE = Pattern.compile("-X(mx|ms|mn|ss)(.+)");
    private static final Pattern PROPERTY = Pattern.compile("-D([^=]+)=(.*)", Pattern.DOTALL);
    private static final Pattern NUMBER = Pattern.compile("([0-9]+)([kKmMgGtT]?)");
    private static final String UNITS = "kmgt";

    /** The options that the JVM reads without a flag of that name. */
    private static final List<String> FILES_OF_FLAGS = List.of("Flags", "VMOptionsFile");

    /** The unit to which a JVM rounds sizes: 512 pages of 4 KiB, or for a large heap one of its regions. */
    private static final long ROUNDING = 2 << 20;

    private static final int REGIONS = 512;

    private AskedJvm() {}

    /**
     * A requested flag with its value.
     *
     * @param value as given on the command line
     * @param typed the flag, for error texts
     */
    private record Asked(String name, String value, String typed) {
        /** Returns whether it is a number of bytes, which the JVM rounds. */
        boolean isRounded() {
            boolean hasUnit = !Character.isDigit(value.charAt(value.length() - 1));
            return !name.equals(STACK) && (hasUnit || name.endsWith("Size"));
        }
    }

    /**
     * Writes the settings with which a child is started.
     *
     * @param plan the child's plan file, in the same folder
     * @param flags of its command line
     * @param processors that the parent may use
     */
    public static void write(Path plan, List<String> flags, int processors) throws IOException {
        List<String> lines = new ArrayList<>(flags);
        lines.removeIf(flag -> flag.indexOf('\n') >= 0);
        lines.add(PROCESSORS + processors);
        PrivateFile.write(plan.resolveSibling(FILE), String.join("\n", lines) + "\n");
    }

    /** Describes in the child what differs from the requested settings; null if nothing does, or if no settings were written. */
    public static String difference(Path plan) throws IOException {
        Path file = plan.resolveSibling(FILE);
        return Files.notExists(file)
                ? null
                : difference(Files.readAllLines(file), Runtime.getRuntime().availableProcessors());
    }

    static String difference(List<String> lines, int processors) {
        Map<String, Asked> flags = new LinkedHashMap<>();
        List<String> differences = new ArrayList<>();
        for (String line : lines) {
            Matcher property = PROPERTY.matcher(line);
            Asked asked = flag(line);
            if (asked != null) {
                flags.put(asked.name, asked); // the last one counts
            } else if (property.matches()) {
                flags.put("-D" + property.group(1), new Asked(property.group(1), property.group(2), null));
            } else if (line.startsWith(PROCESSORS)
                    && !flags.containsKey("ActiveProcessorCount")
                    && !line.equals(PROCESSORS + processors)) {
                differences.add("it may use " + processors + " processors, and the command "
                        + line.substring(PROCESSORS.length()) + "; -XX:ActiveProcessorCount sets them");
            }
        }
        flags.values().stream()
                .map(asked -> asked.typed == null ? ofProperty(asked) : ofFlag(asked))
                .filter(difference -> difference != null)
                .forEach(differences::add);
        return differences.isEmpty()
                ? null
                : "the JVM does not have the requested settings: " + String.join("; ", differences) + variables();
    }

    private static String variables() {
        List<String> set =
                VARIABLES.stream().filter(name -> System.getenv(name) != null).toList();
        return set.isEmpty() ? "" : "; the environment sets " + String.join(" and ", set);
    }

    private static Asked flag(String line) {
        Matcher size = SIZE.matcher(line);
        Matcher on = SWITCH.matcher(line);
        Matcher value = VALUE.matcher(line);
        if (size.matches()) {
            return switch (size.group(1)) {
                case "mx" -> new Asked(HEAP, size.group(2), line);
                case "ms" -> new Asked("InitialHeapSize", size.group(2), line);
                case "mn" -> new Asked("MaxNewSize", size.group(2), line);
                default -> new Asked(STACK, kilobytes(size.group(2)), line);
            };
        }
        if (on.matches()) {
            return new Asked(on.group(2), Boolean.toString(on.group(1).equals("+")), line);
        }
        boolean isFlag = value.matches() && !FILES_OF_FLAGS.contains(value.group(1));
        return isFlag ? new Asked(value.group(1), value.group(2), line) : null;
    }

    /** The JVM counts a stack in these. */
    private static String kilobytes(String size) {
        Long bytes = number(size);
        return bytes == null ? size : Long.toString(bytes >> 10);
    }

    /** A value may be a secret, and is not shown. */
    private static String ofProperty(Asked asked) {
        String has = System.getProperty(asked.name);
        return has == null || has.equals(asked.value) ? null : "the property " + asked.name + " has another value";
    }

    private static String ofFlag(Asked asked) {
        VmFlag has = VmFlag.named(asked.name);
        if (has == null && VmFlag.named(HEAP) == null) { // not HotSpot: what can be asked of any JVM
            return asked.name.equals(HEAP)
                    ? compared(asked, Long.toString(Runtime.getRuntime().maxMemory()))
                    : null;
        }
        return has == null ? asked.typed + " has no effect on this JVM" : compared(asked, has.value());
    }

    private static String compared(Asked asked, String has) {
        Long wanted = number(asked.value);
        Long effective = number(has);
        if (wanted == null || effective == null) {
            boolean isEqual = has.equals(asked.value)
                    || isSameDecimal(asked.value, has)
                    || has.lines().anyMatch(asked.value::equals);
            return isEqual ? null : unlike(asked, has);
        }
        long rounding = asked.isRounded() ? Math.max(ROUNDING, wanted / REGIONS) : 0;
        return Math.abs(effective - wanted) <= rounding
                ? null
                : unlike(asked, asked.isRounded() ? ByteSize.text(effective) : has);
    }

    private static String unlike(Asked asked, String has) {
        return asked.typed + " was requested, " + asked.name + " is " + has;
    }

    private static boolean isSameDecimal(String one, String other) {
        try {
            return Double.parseDouble(one) == Double.parseDouble(other);
        } catch (NumberFormatException text) {
            return false;
        }
    }

    /** Returns a whole number, perhaps with a unit; null for other texts. */
    private static Long number(String text) {
        Matcher number = NUMBER.matcher(text);
        if (!number.matches() || number.group(1).length() > 18) {
            return null;
        }
        String unit = number.group(2);
        int shift = unit.isEmpty() ? 0 : 10 * (UNITS.indexOf(Character.toLowerCase(unit.charAt(0))) + 1);
        return Long.parseLong(number.group(1)) << shift;
    }
}
