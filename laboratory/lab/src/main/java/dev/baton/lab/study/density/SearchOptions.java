package dev.baton.lab.study.density;

import static dev.baton.operations.line.Checks.require;

import dev.baton.lab.command.load.LimitConverter;
import dev.baton.lab.request.Limit;
import dev.baton.lab.request.Place.Meeting;
import dev.baton.lab.request.Shape;
import dev.baton.lab.search.CapacitySearch;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.NumberConverter;
import dev.baton.operations.line.OptionGroup;
import dev.baton.operations.line.OptionGroup.Heading;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of a search. */
final class SearchOptions {
    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofDays(7);
    private static final String PER_CHAIN_WORDS = "per-chain";

    /** The value for a process per chain: more than any number of chains. */
    static final int PER_CHAIN = Integer.MAX_VALUE;

    @OptionGroup(Heading.LOAD)
    @Option(
            names = "--limit",
            paramLabel = "LIMITS",
            defaultValue = "p99.9<100ms",
            converter = LimitConverter.class,
            description = {
                "limits of each instance (default: p99.9<100ms)",
                "such as 'p99.9<100ms' or 'p50<5ms,p99.9<100ms'"
            })
    private LimitConverter.Several limits;

    @Option(
            names = "--start",
            paramLabel = "N",
            description = {"instances of the first trial", "default: estimated from transport, engine, cores and rate"})
    private BigDecimal start;

    @OptionGroup(Heading.RUNS)
    @Option(
            names = "--max",
            paramLabel = "N",
            description = {"maximum number of instances", "default: as many as memory, disk, open files and maps allow"
            })
    private BigDecimal max;

    @OptionGroup(Heading.WHERE)
    @Option(
            names = "--processes",
            paramLabel = "P",
            defaultValue = "1",
            description = {
                "JVMs that share the chains, or per-chain (default: 1)",
                "1 to " + Meeting.MOST_PROCESSES + "; per-chain: one for each chain, at most " + Meeting.MOST_PROCESSES
            })
    private String processes;

    @OptionGroup(Heading.RUNS)
    @Option(
            names = "--step",
            paramLabel = "N|N%",
            defaultValue = "5%",
            description = "resolution, in instances or percent (default: 5%%)")
    private String step;

    @OptionGroup(Heading.LOAD)
    @Option(
            names = "--budget",
            paramLabel = "TIME",
            defaultValue = "20m",
            description = {"time for all trials (default: 20m)", "no trial starts that would end later"})
    private Duration budget;

    @OptionGroup(Heading.OUTPUT)
    @Option(
            names = "--core-hour",
            paramLabel = "PRICE",
            converter = CorePrice.Converter.class,
            description = {
                "price of a core for an hour, such as '0.04 EUR'",
                "the table of costs then has prices (default: none)"
            })
    CorePrice price; // null when it was not given

    @OptionGroup(Heading.RUNS)
    @Option(
            names = "--compare-threading",
            description = {
                "search with each threading, for one transport",
                "one loop, a loop per core, a thread per service and virtual threads"
            })
    boolean isComparingThreading;

    List<Limit> limits() {
        return limits.limits();
    }

    /** {@return the first number; null when it was not given} */
    Integer start() {
        return start == null ? null : Checks.integer("--start", start, 1, mostInstances());
    }

    /** {@return the largest number; null when it was not given} */
    Integer max() {
        if (max == null) {
            return null;
        }
        int most = Checks.integer("--max", max, 1, mostInstances());
        require(start == null || start() <= most, "--start " + start + " is more than --max " + most);
        return most;
    }

    /** Chains that a trial may have. */
    int mostInstances() {
        return processes() == PER_CHAIN ? Meeting.MOST_PROCESSES : Shape.MOST_INSTANCES;
    }

    /** JVMs that share the chains, where there are so many; as many as there are chains is {@link #PER_CHAIN}. */
    int processes() {
        if (processes.equals(PER_CHAIN_WORDS)) {
            return PER_CHAIN;
        }
        try {
            return Checks.integer("--processes", new NumberConverter().convert(processes), 1, Meeting.MOST_PROCESSES);
        } catch (TypeConversionException malformed) {
            throw CommandException.usage(
                    "--processes '" + processes + "' is neither a number of JVMs nor " + PER_CHAIN_WORDS);
        }
    }

    String typedProcesses() {
        return "--processes " + processes;
    }

    CapacitySearch.StepWidth step() {
        try {
            if (step.endsWith("%")) {
                double percent = new NumberConverter()
                        .convert(step.substring(0, step.length() - 1))
                        .doubleValue();
                require(percent > 0 && percent <= 100, "--step " + step + " is out of range; above 0%, at most 100%");
                return new CapacitySearch.StepWidth(percent / 100, 1);
            }
            BigDecimal instances = new NumberConverter().convert(step);
            require(instances.compareTo(BigDecimal.ONE) >= 0, "--step " + step + " is out of range; 1 or more");
            return new CapacitySearch.StepWidth(0, Checks.integer("--step", instances, 1, Integer.MAX_VALUE));
        } catch (TypeConversionException malformed) {
            throw CommandException.usage(
                    "--step '" + step + "' is neither a number of instances nor a percentage; write 50 or 5%");
        }
    }

    Duration budget() {
        Checks.time("--budget", budget, SHORTEST, LONGEST);
        return budget;
    }
}
