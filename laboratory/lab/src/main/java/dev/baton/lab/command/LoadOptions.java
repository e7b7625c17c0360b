package dev.baton.lab.command;

import dev.baton.lab.request.Limit;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Shape;
import dev.baton.operations.chains.ChainOptions;
import dev.baton.operations.chains.NamedChain;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.NumberConverter;
import java.math.BigDecimal;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The number of chains, and the rate of their messages: options of an open loop. */
public class LoadOptions extends TrialOptions {
    @Mixin
    private ChainOptions chains;

    @Option(
            names = "--instances",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "chains with topics of their own, 1 to " + Shape.MOST_INSTANCES + " (default: ${DEFAULT-VALUE})")
    private BigDecimal instances;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "1000",
            converter = RateConverter.class,
            description = "messages per second into each instance, such as 1000, 0.5 or 20k; or max: as many as go"
                    + " through, closed by back-pressure (default: ${DEFAULT-VALUE})")
    private BigDecimal rate; // null: saturate

    @Mixin
    private ArrivalOptions arrivals;

    @Mixin
    private GeneratorOptions generator;

    @Option(
            names = "--limit",
            paramLabel = "LIMITS",
            converter = LimitConverter.class,
            description =
                    "limits of every single instance, such as 'p99.9<5ms' or 'p50<1ms,p99.9<5ms': the trial"
                            + " passes or fails by it, and without --duration lasts until a verdict is possible (default: none)")
    private LimitConverter.Several limits;

    @Override
    protected NamedChain chain() {
        return chains.choose();
    }

    public final Shape shape() {
        return shape(Checks.integer("--instances", instances, 1, Shape.MOST_INSTANCES));
    }

    public final Load load() {
        Load load = arrivals.of(rate == null ? Load.saturating(seed()) : load(rate));
        return generator.of(load, GeneratorOptions.usual(load, shape().instances()));
    }

    /** The limits that were typed; empty for none. */
    public final List<Limit> limits() {
        return limits == null ? List.of() : limits.limits();
    }

    /**
     * The phases of a trial that is judged by the limits: as typed, or long enough for a verdict. An exploratory trial is not
     * lengthened, and is inconclusive where it is too short.
     *
     * @throws dev.baton.operations.line.CommandException when a typed duration is too short, and at saturation
     */
    public final Phases judgedPhases() {
        Phases phases = phases();
        if (limits().isEmpty()) {
            return phases;
        }
        Checks.require(
                rate != null,
                "--limit judges response times at a rate, and --rate max has none; name a rate, such as --rate 1000");
        Load load = load();
        double recorded = load.ratePerSecond() * outputsPerMessage(shape());
        long needed = neededNanos(limits(), Limit.ENOUGH_SAMPLES, load, recorded);
        if (isQuick() || phases.measureNanos() >= needed) {
            return phases;
        }
        Checks.require(
                !isTyped("--duration"),
                "--duration " + Limit.time(phases.measureNanos()) + " is too short to judge " + Limit.text(limits())
                        + ": it takes " + Limit.time(needed) + " at this rate until " + Limit.ENOUGH_SAMPLES
                        + " messages lie above; omit --duration, or raise --rate");
        return phases.measuring(needed);
    }

    /** Bytes that all messages of a run take on a disk, generously. */
    public final long diskBytes() {
        return diskBytes(instances.doubleValue(), rate == null ? null : Double.valueOf(rate.doubleValue()));
    }

    /** Reads a rate: a number as {@link NumberConverter} does, or {@code max}. Stateless, thread-safe. */
    private static final class RateConverter implements ITypeConverter<BigDecimal> {
        private static final String MAX = "max";

        @Override
        public BigDecimal convert(String text) {
            if (text.equals(MAX)) {
                return null;
            }
            try {
                return new NumberConverter().convert(text);
            } catch (TypeConversionException notANumber) {
                throw new TypeConversionException(notANumber.getMessage() + ", or " + MAX);
            }
        }
    }
}
