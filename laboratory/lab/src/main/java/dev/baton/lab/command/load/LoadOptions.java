package dev.baton.lab.command.load;

import dev.baton.lab.command.Rehearsal;
import dev.baton.lab.command.TrialOptions;
import dev.baton.lab.request.DataFile;
import dev.baton.lab.request.Keys;
import dev.baton.lab.request.Limit;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.Sizes;
import dev.baton.operations.chains.ChainOptions;
import dev.baton.operations.chains.NamedChain;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.NumberConverter;
import dev.baton.operations.line.OptionGroup;
import dev.baton.operations.line.OptionGroup.Heading;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The number of chains, and the rate of their messages: options of an open loop. */
public class LoadOptions extends TrialOptions {
    @Mixin
    private ChainOptions chains;

    @OptionGroup(Heading.RUNS)
    @Option(
            names = "--instances",
            paramLabel = "N",
            defaultValue = "1",
            description = {
                "chains, each with its own topics (default: ${DEFAULT-VALUE})",
                "1 to " + Shape.MOST_INSTANCES
            })
    private BigDecimal instances;

    @OptionGroup(Heading.LOAD)
    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "1000",
            converter = RateConverter.class,
            description = {
                "messages per second per instance (default: ${DEFAULT-VALUE})",
                "such as 1000, 0.5 or 20k; or max: saturate, limited by back-pressure; 0: idle chains, without messages"
            })
    private BigDecimal rate; // null: saturate

    @Option(
            names = "--replay",
            paramLabel = "FILE[,SPEED]",
            description =
                    "recorded traffic instead of --rate, --arrivals and --payload: a file with a line NANOS,BYTES for"
                            + " each message, the time since the message before and the payload; SPEED 10x replays it ten"
                            + " times as fast; it begins again when it is over")
    private String replay;

    @OptionGroup(Heading.LOAD)
    @Option(
            names = "--keys",
            paramLabel = "N",
            description = {
                "different keys of the messages (default: no keys)",
                "1 to " + Keys.MOST + ", drawn from the seed"
            })
    private BigDecimal keys;

    @Option(
            names = "--skew",
            paramLabel = "zipf:S",
            description = "frequency of --keys: key k is drawn with probability proportional to 1/k^S, such as zipf:1.1"
                    + " (default: all keys equally often)")
    private String skew;

    @OptionGroup(Heading.LOAD)
    @Option(
            names = "--partitions",
            paramLabel = "N",
            description = {
                "partitions of each chain, for --keys (default: 1)",
                "1 to " + Keys.MOST_PARTITIONS + "; all run in one JVM, on the loops of --threading"
            })
    private BigDecimal partitions;

    private Load recorded; // of --replay; null until it was read

    @Mixin
    private ArrivalOptions arrivals;

    @Mixin
    private GeneratorOptions generator;

    @OptionGroup(Heading.LOAD)
    @Option(
            names = "--limit",
            paramLabel = "LIMITS",
            converter = LimitConverter.class,
            description = {
                "limits of each instance, such as 'p50<1ms,p99.9<5ms'",
                "the trial passes or fails by them, and without --duration lasts until a verdict is possible (default: none)"
            })
    private LimitConverter.Several limits;

    @Override
    protected NamedChain chain() {
        return chains.choose();
    }

    public final Shape shape() {
        Shape shape = shape(Checks.integer("--instances", instances, 1, Shape.MOST_INSTANCES));
        double drawn = skew == null ? 0 : Checks.allowed("--skew: ", () -> Keys.skew(skew));
        Checks.require(
                skew == null || keys != null, "--skew is the frequency of keys; add --keys, such as --keys 1000");
        if (replay != null) {
            shape = shape.sized(Sizes.of(recorded().replay().file()));
        }
        Checks.require(
                partitions == null || keys != null,
                "--partitions: the key of a message selects its partition; add --keys, such as --keys 1000");
        if (keys == null) {
            return shape;
        }
        Checks.require(shape.chain() == null, "--keys is for --chain forwarding, whose messages the laboratory makes");
        int count = Checks.integer("--keys", keys, 1, Keys.MOST);
        int split = partitions == null ? 1 : Checks.integer("--partitions", partitions, 1, Keys.MOST_PARTITIONS);
        return shape.keyed(new Keys(count, drawn, split));
    }

    @Override
    public final Rehearsal.Size size() {
        return replay == null ? super.size() : new Rehearsal.Size("--replay: its payload of", 0);
    }

    /** Reads the recorded traffic once. */
    private Load recorded() {
        if (recorded == null) {
            for (String option : new String[] {"--rate", "--arrivals", "--payload", "--chain"}) {
                Checks.require(
                        !isTyped(option), option + ": --replay has its own messages and times; omit one of them");
            }
            int comma = replay.lastIndexOf(',');
            boolean isFaster = comma >= 0 && replay.substring(comma + 1).matches("[0-9]+([.][0-9]+)?x?");
            String named = isFaster ? replay.substring(0, comma) : replay;
            Checks.require(!named.isBlank(), "--replay names no file; FILE or FILE,SPEED, such as traffic.csv,10x");
            Path file = Path.of(named);
            recorded = Checks.allowed("--replay: ", () -> {
                double speed = isFaster
                        ? Double.parseDouble(replay.substring(comma + 1).replace("x", ""))
                        : 1;
                DataFile data = DataFile.of(file, true);
                return Load.replaying(
                        new Load.Replay(data, speed), data.read(true).totalNanos(), seed());
            });
        }
        return recorded;
    }

    /** {@return whether chains without messages are measured} */
    public final boolean isIdle() {
        return rate != null && rate.signum() == 0;
    }

    public final Load load() {
        Load load = replay != null
                ? recorded()
                : arrivals.of(isIdle() ? Load.none(seed()) : rate == null ? Load.saturating(seed()) : load(rate));
        Load sent = generator.of(load, GeneratorOptions.usual(load, shape()));
        Checks.require(
                shape().partitions() == 1 || sent.isSentFromThread(),
                "--generator loop: the loop of one partition does not send to others; omit it, or --partitions");
        return sent;
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
        if (isIdle() && limits().isEmpty()) { // an idle chain does the same all the time
            return new Phases(
                    isTyped("--warmup") ? phases.warmupNanos() : quickWarmup().toNanos(),
                    isTyped("--duration")
                            ? phases.measureNanos()
                            : quickDuration().toNanos(),
                    phases.drainNanos(),
                    phases.endsWhenBroken(),
                    phases.isProvisional());
        }
        if (limits().isEmpty()) {
            return phases;
        }
        Checks.require(
                rate != null,
                "--limit judges response times at a rate, and --rate max has none; name a rate, such as --rate 1000");
        Load load = load();
        Checks.require(!isIdle(), "--limit judges response times, and --rate 0 has none; omit one of them");
        double recordedPerSecond = load.ratePerSecond() * outputsPerMessage(shape());
        long needed = neededNanos(limits(), Limit.ENOUGH_SAMPLES, load, recordedPerSecond);
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
        Load load = load();
        int split = shape().partitions(); // each has topics of its own, and a part of the messages
        return diskBytes(
                instances.doubleValue() * split,
                load.isSaturated() ? null : Double.valueOf(load.ratePerSecond() / split));
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
