package dev.baton.lab.command;

import dev.baton.chains.ProvidedChain;
import dev.baton.chains.ProvidedChain.OutputCheck;
import dev.baton.lab.request.Limit;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.Sizes;
import dev.baton.lab.request.Work;
import dev.baton.operations.chains.NamedChain;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.OptionGroup;
import dev.baton.operations.line.OptionGroup.Heading;
import dev.baton.operations.options.ChosenTransport;
import dev.baton.operations.settings.Subject;
import dev.baton.spi.Guarantee;
import dev.baton.spi.options.ByteSize;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The shape of a chain and its messages, and the phases of a trial: options of every command that measures chains. A command with other
 * defaults names them in a default value provider.
 */
public class TrialOptions {
    /** Frames of all topics together, per second; Chronicle wrote 5 million of 45 bytes on two cores, which is less. */
    private static final double SATURATED_FRAMES = 3_000_000;

    /** An instance's first slot does not lie on the first moment of the window. */
    private static final int SPARE_MESSAGES = 2;

    private static final long FRAME_BYTES = 128; // generously

    private static final long SECOND = 1_000_000_000;

    private static final int SAMPLED_MESSAGES = 10_000;
    private static final double SAFETY = 0.9;

    private static final Duration QUICK_WARMUP = Duration.ofSeconds(3);
    private static final Duration QUICK_DURATION = Duration.ofSeconds(10);

    @OptionGroup(Heading.RUNS)
    @Option(
            names = "--services",
            paramLabel = "N",
            defaultValue = "5",
            description = {"services in each chain (default: ${DEFAULT-VALUE})", "1 to " + Shape.MOST_SERVICES})
    private BigDecimal services;

    @OptionGroup(Heading.LOAD)
    @Option(
            names = "--payload",
            paramLabel = "BYTES",
            defaultValue = "0",
            description = {
                "bytes after the 40-byte header (default: ${DEFAULT-VALUE})",
                "a size such as 300 or 4k, a range 32..1024, lognormal:MEDIAN,SIGMA, or file:FILE with a length in each line"
            })
    private String payload;

    @OptionGroup(Heading.LOAD)
    @Option(
            names = "--work",
            paramLabel = "WORK",
            description = {
                "work of each service, such as 5us (default: none)",
                "5us or busy:5us (uses the CPU), block:1ms (parks the thread) or exp:20us (uses the CPU, times drawn from the"
                        + " seed); one value for all services, or one for each, separated by commas"
            })
    private String work;

    @Mixin
    private CourseOptions course;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    private Shape whole; // of however many chains; null until it was asked for

    /** The shape of so many chains. */
    public final Shape shape(int instances) {
        if (whole == null) {
            NamedChain named = chain();
            whole = named == null
                    ? forwarding(Checks.integer("--services", services, 1, Shape.MOST_SERVICES), instances)
                    : provided(named);
        }
        return whole.of(instances);
    }

    private Shape forwarding(int serviceCount, int instances) {
        Sizes sizes = Checks.allowed("--payload ", () -> Sizes.of(payload));
        Shape shape = sizes != null
                ? new Shape(serviceCount, instances, 0).sized(sizes)
                : new Shape(serviceCount, instances, Checks.bytes("--payload", payloadBytes(), 0, Integer.MAX_VALUE));
        return work == null
                ? shape
                : Checks.allowed(
                        "--work: ",
                        () -> shape.working(
                                Stream.of(work.split(",", -1)).map(Work::of).toList()));
    }

    private BigDecimal payloadBytes() {
        return BigDecimal.valueOf(Checks.allowed("--payload: ", () -> ByteSize.parse(payload)));
    }

    /** The chain of a jar whose services run; null where only those that forward do. Overridden where others can. */
    protected NamedChain chain() {
        return null;
    }

    private Shape provided(NamedChain named) {
        for (String option : new String[] {"--services", "--payload", "--work"}) {
            Checks.require(
                    !isTyped(option),
                    option + " is for --chain forwarding; " + named.name()
                            + " has services and messages of its own, which --chain-option may set");
        }
        ProvidedChain opened = named.openMeasurable();
        int count = opened.chain().services().size();
        Checks.require(
                count >= 1 && count <= Shape.MOST_SERVICES,
                "--chain " + named.name() + " has " + count + " services; 1 to " + Shape.MOST_SERVICES
                        + " can be measured");
        return new Shape(count, 1, opened.maxPayload(), named);
    }

    /** Refuses what these engines or transports cannot run: reference loops forward, and state needs durable topics. */
    public final void requireRunnable(Shape shape, List<String> engines, List<ChosenTransport> transports) {
        if (shape.chain() != null && shape.chain().hasState()) {
            requireDurable(shape.chain().name(), transports);
        }
        Checks.require(
                shape.chain() == null || engines.equals(List.of(Subject.BATON)),
                "--engine " + String.join(",", engines) + ": reference loops forward and run no services of yours; omit"
                        + " --engine or --chain");
        Checks.require(
                !engines.equals(List.of(Subject.SYSTEM)) || !isTyped("--services"),
                "--services: a system has no services; omit it");
        Checks.require(
                shape.work().isEmpty() || !engines.contains(Subject.SYSTEM),
                "--work: a system has no services; omit it");
        Checks.require(
                shape.keys() == null || engines.equals(List.of(Subject.BATON)),
                "--keys: only messages of engine baton have keys; omit --engine or --keys");
    }

    private static void requireDurable(String chain, List<ChosenTransport> transports) {
        Map<Boolean, String> named = transports.stream()
                .collect(Collectors.partitioningBy(
                        each -> each.promises(Guarantee.DURABLE),
                        Collectors.mapping(each -> each.provider().name(), Collectors.joining(","))));
        Checks.require(
                named.get(false).isEmpty(),
                "--chain " + chain + " has a service with state, which needs topics that survive the process; those of "
                        + named.get(false) + " do not: name durable ones, such as --transport "
                        + (named.get(true).isEmpty() ? "chronicle,kafka" : named.get(true)));
    }

    /** {@return the option of the payload: its own, or that of the chain} */
    public Rehearsal.Size size() {
        NamedChain named = chain();
        return named == null
                ? Rehearsal.Size.PAYLOAD
                : new Rehearsal.Size("--chain " + named.name() + ": its payload of", 0);
    }

    /** {@return whether each service of the chains sends one message for each input} */
    public final boolean isOneEach(Shape shape) {
        return shape.chain() == null || shape.chain().open().outputs() == ProvidedChain.Outputs.ONE_EACH;
    }

    /** Outputs that a message of these chains leads to, on average: of the first ten thousand, and a tenth less to be safe. */
    public final double outputsPerMessage(Shape shape) {
        if (isOneEach(shape)) {
            return 1;
        }
        OutputCheck check = shape.chain().open().check(seed(), 0);
        long outputs = 0;
        for (long number = 0; number < SAMPLED_MESSAGES; number++) {
            outputs += check.outputs(number);
        }
        return Math.max(1.0 / SAMPLED_MESSAGES, SAFETY * outputs / SAMPLED_MESSAGES);
    }

    /** {@return the phases of the command line, shorter for exploratory trials} */
    public final Phases phases() {
        return course.phases(command, quickWarmup(), quickDuration());
    }

    /** {@return whether the command line sets one of the command's options} */
    public final boolean isTyped(String option) {
        return CourseOptions.isTyped(command, option);
    }

    public final Load load(BigDecimal perSecond) {
        return course.load(perSecond);
    }

    /** Returns the time after which a number of a chain's messages lie above each limit's percentile. */
    public static long neededNanos(List<Limit> limits, int samples, double perSecond) {
        return limits.stream()
                .mapToLong(limit -> limit.runForNanos(samples, perSecond))
                .max()
                .orElse(0);
    }

    /**
     * Returns the time to measure until so many messages of an instance certainly lie above each limit's percentile: in whole seconds
     * from one second on.
     *
     * @param perSecond response times that are recorded
     */
    public static long neededNanos(List<Limit> limits, int samples, Load load, double perSecond) {
        long nanos = neededNanos(limits, samples, perSecond);
        long spare = SPARE_MESSAGES + load.mostMissing(nanos / 1e9 * perSecond);
        long spared = nanos + (long) (spare * 1e9 / perSecond);
        return spared < SECOND ? spared : (spared + SECOND - 1) / SECOND * SECOND;
    }

    /** The warm-up of exploratory trials. */
    public Duration quickWarmup() {
        return QUICK_WARMUP;
    }

    /** {@return the measured time of exploratory trials} */
    public Duration quickDuration() {
        return QUICK_DURATION;
    }

    public final long seed() {
        return course.seed();
    }

    public final boolean isQuick() {
        return course.isQuick();
    }

    /** Returns the bytes that one message of each instance takes on a disk, generously, in all topics of its chain. */
    public static long diskBytesPerMessage(Shape shape) {
        return shape.instances() * (shape.services() + 1L) * (FRAME_BYTES + shape.payloadBytes());
    }

    /**
     * Bytes that all messages of a run take on a disk, generously.
     *
     * @param ratePerSecond of each; null to saturate
     */
    public final long diskBytes(double instances, Double ratePerSecond) {
        Phases phases = phases();
        Shape shape = shape(1);
        double perMessage = FRAME_BYTES + shape.payloadBytes();
        double seconds = (phases.warmupNanos() + phases.measureNanos()) / 1e9;
        double topics = instances * (shape.services() + 1.0);
        double frames = seconds * (ratePerSecond == null ? SATURATED_FRAMES : topics * ratePerSecond);
        return (long) (frames * perMessage + topics * (1 << 20));
    }
}
