package dev.baton.lab.study.density;

import static dev.baton.operations.line.Checks.require;

import dev.baton.lab.command.LimitConverter;
import dev.baton.lab.request.Limit;
import dev.baton.lab.request.Place.Meeting;
import dev.baton.lab.request.Shape;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.NumberConverter;
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

    /** More than there are ever chains, so that each has a process. */
    static final int PER_CHAIN = Integer.MAX_VALUE;

    @Option(
            names = "--limit",
            paramLabel = "LIMITS",
            defaultValue = "p99.9<100ms",
            converter = LimitConverter.class,
            description = "limits of every single instance, such as 'p99.9<100ms' or 'p50<5ms,p99.9<100ms'"
                    + " (default: p99.9<100ms)")
    private LimitConverter.Several limits;

    @Option(
            names = "--start",
            paramLabel = "N",
            description = "instances of the first trial (default: by transport, engine, cores and rate)")
    private BigDecimal start;

    @Option(
            names = "--max",
            paramLabel = "N",
            description = "instances to try at most (default: as many as memory, disk, open files and maps allow)")
    private BigDecimal max;

    @Option(
            names = "--processes",
            paramLabel = "P",
            defaultValue = "1",
            description = "JVMs that share the chains of each trial, 1 to " + Meeting.MOST_PROCESSES
                    + ", or per-chain: one for each chain, and so " + Meeting.MOST_PROCESSES
                    + " chains at most (default: 1)")
    private String processes;

    @Option(
            names = "--step",
            paramLabel = "N|N%",
            defaultValue = "5%",
            description = "how close to the capacity the answer comes, in instances or percent (default: 5%%)")
    private String step;

    @Option(
            names = "--budget",
            paramLabel = "TIME",
            defaultValue = "20m",
            description = "trials that would end later than this are not started (default: 20m)")
    private Duration budget;

    @Option(
            names = "--core-hour",
            paramLabel = "PRICE",
            converter = CorePrice.Converter.class,
            description =
                    "price of a core for an hour, such as 0.04, '0.04 EUR' or '$0.04': the table of costs then has"
                            + " prices as well (default: none)")
    private CorePrice price;

    @Option(
            names = "--compare-threading",
            description = "search with one loop, a loop per core, a thread per service and virtual threads, side by"
                    + " side, for one transport")
    private boolean isComparingThreading;

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

    /** {@return the price of a core for an hour; null when it was not given} */
    CorePrice price() {
        return price;
    }

    boolean isComparingThreading() {
        return isComparingThreading;
    }
}
