package dev.baton.lab.study.load;

import static dev.baton.operations.line.Checks.require;

import dev.baton.lab.command.load.LimitConverter;
import dev.baton.lab.launch.ControlGroup;
import dev.baton.lab.launch.jvm.JvmChoice;
import dev.baton.lab.request.Limit;
import dev.baton.lab.request.MemoryBudget;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.OptionGroup;
import dev.baton.operations.line.OptionGroup.Heading;
import dev.baton.spi.options.ByteSize;
import java.util.List;
import picocli.CommandLine.Option;

/** The options of {@code load} for the memory of the measured JVM, and for the limits that it has to keep. */
final class MemoryOptions {
    private static final String DEFAULT_LIMIT = "p99<10ms";

    @OptionGroup(Heading.JVM)
    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            description = {
                "memory limit of the measured JVM, such as 128m",
                "64m or more; or 64m..1g: find the smallest that meets --limit, in steps of 8 MB (default: the heap only is limited)"
            })
    private String memory;

    @Option(
            names = "--memory-by",
            paramLabel = "HOW",
            defaultValue = "auto",
            description =
                    "enforcement of the memory limit: group (a control group), flags (limits of the JVM that add up to it), or auto: a control group where possible (default: auto)")
    private String holder;

    @OptionGroup(Heading.LOAD)
    @Option(
            names = "--limit",
            paramLabel = "LIMIT",
            converter = LimitConverter.class,
            description = {
                "limits of service times, such as p99<10ms",
                "default: none, with a range of --memory " + DEFAULT_LIMIT
            })
    private LimitConverter.Several limit;

    /** The smallest and the largest size; both equal when one size was given. */
    record Range(long leastBytes, long mostBytes) {
        boolean isSearched() {
            return leastBytes < mostBytes;
        }
    }

    /** {@return the sizes of the command line; null for none} */
    Range range() {
        if (memory == null) {
            require(holder.equals("auto"), "--memory-by needs --memory");
            return null;
        }
        String[] ends = memory.split("\\.\\.", -1);
        require(ends.length <= 2, malformed());
        long least = bytes(ends[0]);
        long most = bytes(ends[ends.length - 1]);
        require(
                least >= MemoryBudget.LEAST_BYTES && most <= MemoryBudget.MOST_BYTES,
                "--memory " + memory + " is out of range; "
                        + ByteSize.range(MemoryBudget.LEAST_BYTES, MemoryBudget.MOST_BYTES));
        require(least < most || ends.length == 1, "--memory " + memory + ": write the smaller size first");
        return new Range(least, most);
    }

    private String malformed() {
        return "--memory '" + memory + "' is not allowed; a size such as 128m, or two of them such as 64m..1g";
    }

    private long bytes(String size) {
        try {
            return ByteSize.parse(size);
        } catch (IllegalArgumentException notASize) {
            throw CommandException.usage(malformed(), notASize);
        }
    }

    /**
     * A budget of that size.
     *
     * @param threads that the trial starts beyond those that every trial has
     * @throws CommandException when a control group was asked for and may not be made
     */
    MemoryBudget budget(long bytes, int threads) {
        return Checks.allowed("--memory " + memory + ": ", () -> MemoryBudget.of(bytes, threads, isGroup()));
    }

    private boolean isGroup() {
        require(
                List.of("auto", "group", "flags").contains(holder),
                "--memory-by '" + holder + "' is not known; auto, group or flags");
        if (holder.equals("flags")) {
            return false;
        }
        String complaint = ControlGroup.complaint();
        if (complaint != null && holder.equals("group")) {
            throw CommandException.environment("--memory-by group: " + complaint);
        }
        return complaint == null;
    }

    /** Refuses what would contradict it. */
    void check(JvmChoice choice) {
        require(
                memory == null || choice.heap() == null,
                "--heap is a part of --memory, which divides itself; omit one of them");
    }

    /** {@return the limits of service times, judged on the available samples} */
    List<Limit> limits() {
        if (limit != null) {
            return limit.limits();
        }
        Range range = range();
        return range != null && range.isSearched() ? Limit.parse(DEFAULT_LIMIT) : List.of();
    }
}
