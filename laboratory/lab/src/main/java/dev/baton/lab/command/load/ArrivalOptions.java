package dev.baton.lab.command.load;

import dev.baton.lab.request.Load;
import dev.baton.lab.request.Load.Arrivals;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.OptionGroup;
import dev.baton.operations.line.OptionGroup.Heading;
import dev.baton.operations.line.WholeNumbers;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The distribution of the send times of an open loop: options of every command that sends at a rate. */
@OptionGroup(Heading.LOAD)
public final class ArrivalOptions {
    private static final String GRAMMAR =
            "steady, poisson or bursts:N with N from " + Load.LEAST_BURST + " to " + Load.MOST_BURST;

    @Option(
            names = "--arrivals",
            paramLabel = "HOW",
            defaultValue = "steady",
            converter = Converter.class,
            description = {
                "steady, poisson or bursts:N (default: steady)",
                "distribution of the send times: even intervals, independent intervals drawn from the seed, or N messages at once (bursts alone: 10)"
            })
    private Typed typed;

    /**
     * A parsed value.
     *
     * @param burst messages of a burst; 0 for other arrivals
     */
    private record Typed(Arrivals arrivals, int burst) {}

    /** Returns a load with these arrivals. @throws dev.baton.operations.line.CommandException at saturation */
    public Load of(Load load) {
        if (typed.arrivals() == Arrivals.EVEN) {
            return load;
        }
        Checks.require(
                !load.isSaturated() && !load.isNone(),
                "--arrivals spreads the send times of a rate, and --rate " + (load.isNone() ? "0" : "max")
                        + " has none; name a rate, such as --rate 1000");
        return load.arriving(typed.arrivals(), typed.burst());
    }

    /** Reads {@link #GRAMMAR}. Stateless, thread-safe. */
    private static final class Converter implements ITypeConverter<Typed> {
        private static final String BURSTS = "bursts";
        private static final int DEFAULT_BURST = 10;

        @Override
        public Typed convert(String text) {
            return switch (text) {
                case "steady" -> new Typed(Arrivals.EVEN, 0);
                case "poisson" -> new Typed(Arrivals.POISSON, 0);
                case BURSTS -> new Typed(Arrivals.BURSTS, DEFAULT_BURST);
                default -> new Typed(Arrivals.BURSTS, burst(text));
            };
        }

        private static int burst(String text) {
            try {
                int burst = text.startsWith(BURSTS + ":") ? WholeNumbers.parse(text.substring(BURSTS.length() + 1)) : 0;
                if (burst >= Load.LEAST_BURST && burst <= Load.MOST_BURST) {
                    return burst;
                }
            } catch (NumberFormatException malformed) {
                // refused below, with the grammar
            }
            throw new TypeConversionException("'" + text + "' is not known; " + GRAMMAR);
        }
    }
}
