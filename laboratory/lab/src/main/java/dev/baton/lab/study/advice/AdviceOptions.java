package dev.baton.lab.study.advice;

import dev.baton.lab.command.JvmOptions;
import dev.baton.lab.command.PlannedTrials;
import dev.baton.lab.command.TrialOptions;
import dev.baton.lab.command.load.LimitConverter;
import dev.baton.lab.launch.jvm.JvmChoice;
import dev.baton.lab.reporting.Remarks;
import dev.baton.lab.request.Limit;
import dev.baton.lab.request.Load;
import dev.baton.lab.request.Observers;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.Shape;
import dev.baton.lab.study.density.CorePrice;
import dev.baton.operations.chains.ChainOptions;
import dev.baton.operations.chains.NamedChain;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.OptionGroup;
import dev.baton.operations.line.OptionGroup.Heading;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.terminal.Units;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The question and the time budget of a search. */
@OptionGroup(Heading.LOAD)
final class AdviceOptions extends TrialOptions {
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(7);
    private static final Duration LONGEST_TRIAL = Duration.ofHours(24);
    private static final Duration QUICK = Duration.ofMinutes(3);

    /** The part of the budget for the warm-up of an exploratory trial, and for its measurement. */
    private static final int WARMUP_SHARE = 240;

    private static final int MEASURE_SHARE = 120;

    /** The length of a deciding trial as a multiple of an exploratory one; longer if its limits need it. */
    private static final int DECIDING = 2;

    /** Additional messages, as an instance's first slot is not at the first moment of the window. */
    private static final int SPARE_MESSAGES = 2;

    private static final long SECOND = 1_000_000_000;

    @Mixin
    private ChainOptions kind;

    @Option(
            names = "--rate",
            required = true,
            paramLabel = "N",
            description = {"messages per second into each chain; required", "such as 1000, 0.5 or 20k"})
    private BigDecimal rate;

    @Option(
            names = "--limit",
            required = true,
            paramLabel = "LIMITS",
            converter = LimitConverter.class,
            description = "limits of each chain, such as 'p50<1ms,p99.9<5ms'; required")
    private LimitConverter.Several limits;

    @OptionGroup(Heading.RUNS)
    @Option(
            names = "--survives",
            required = true,
            paramLabel = "WHAT",
            description = {
                "failure that stored messages survive: nothing, process or host; required",
                "host is the loss of a host, and needs a copy on another machine"
            })
    private String survives;

    @OptionGroup(Heading.RUNS)
    @Option(
            names = "--chains",
            paramLabel = "N",
            defaultValue = "1",
            description = "chains, each at the rate (default: ${DEFAULT-VALUE})")
    private BigDecimal chains;

    @OptionGroup(Heading.OUTPUT)
    @Option(
            names = "--core-hour",
            paramLabel = "PRICE",
            converter = CorePrice.Converter.class,
            description = {
                "price of a core for an hour, such as '0.04 EUR'",
                "the answer then has prices (default: none)"
            })
    private CorePrice coreHour;

    @Option(
            names = "--budget",
            paramLabel = "TIME",
            defaultValue = "20m",
            description = {"time for all trials (default: ${DEFAULT-VALUE})", "no trial starts that would end later"})
    private Duration budget;

    private Duration raised; // default budget after it was raised; null before

    @Override
    protected NamedChain chain() {
        return kind.choose();
    }

    List<Limit> limits() {
        return limits.limits();
    }

    Survival survival() {
        return Checks.named("--survives", survives, "not known", Survival.class);
    }

    Shape shape() {
        return shape(Checks.integer("--chains", chains, 1, Shape.MOST_INSTANCES));
    }

    Load load() {
        return load(rate);
    }

    /** {@return the price; null without one} */
    CorePrice coreHour() {
        return coreHour;
    }

    Duration budget() {
        if (raised != null) {
            return raised;
        }
        Duration typed = isQuick() && !isTyped("--budget") ? QUICK : budget;
        Checks.time("--budget", typed, SHORTEST, LONGEST);
        return typed;
    }

    /** {@return whether the default budget was replaced by a longer one} */
    boolean isRaised() {
        return raised != null;
    }

    /** Replaces the default budget by a longer one. */
    void raiseBudget(Duration enough) {
        raised = enough;
    }

    /** Returns the question to every setting; the length of a trial follows from the budget unless it was given. */
    Question question(JvmChoice any) {
        return question(any, budget());
    }

    /** Returns this question with another budget. */
    Question question(JvmChoice any, Duration within) {
        Phases typed = phases();
        long warmup = isTyped("--warmup") ? typed.warmupNanos() : ofBudget(within, WARMUP_SHARE, 1, 5);
        long measure = isTyped("--duration") ? typed.measureNanos() : ofBudget(within, MEASURE_SHARE, 2, 10);
        long looking = Math.max(measure, neededNanos(limits(), Question.LOOKING_SAMPLES));
        long deciding = Math.max(DECIDING * looking, neededNanos(limits(), Limit.ENOUGH_SAMPLES));
        List<Limit> lookedAt = limits().stream()
                .map(each -> looking >= neededNanos(List.of(each), Limit.ENOUGH_SAMPLES)
                        ? each
                        : each.judgedOn(Question.LOOKING_SAMPLES))
                .toList();
        return new Question(
                limits(),
                lookedAt,
                common(any, phases(warmup, looking, typed)),
                common(any, phases(DECIDING * warmup, deciding, typed)));
    }

    private Phases phases(long warmupNanos, long measureNanos, Phases typed) {
        Phases phases = new Phases(warmupNanos, measureNanos, typed.drainNanos());
        return isQuick() ? phases.provisional() : phases;
    }

    private PlannedTrials common(JvmChoice any, Phases phases) {
        LoopPlan replaced = new LoopPlan(LoopPlan.COOPERATIVE + 1, null, 0);
        return new PlannedTrials(shape(), load(), replaced, phases, Observers.UNTIMED, any, JvmOptions.enough(shape()));
    }

    private static long ofBudget(Duration within, int share, long leastSeconds, long mostSeconds) {
        long nanos = within.toNanos() / share / SECOND * SECOND;
        return Math.max(leastSeconds * SECOND, Math.min(mostSeconds * SECOND, nanos));
    }

    private long neededNanos(List<Limit> limits, int samples) {
        double perSecond = load().ratePerSecond() * outputsPerMessage(shape()); // services may filter
        long nanos = neededNanos(limits, samples, perSecond);
        Checks.require(
                nanos <= LONGEST_TRIAL.toNanos(),
                "--limit cannot be judged at --rate " + rate.toPlainString() + ": a trial would take longer than "
                        + Units.typed(LONGEST_TRIAL) + " until " + samples + " messages lie above it");
        return nanos + (long) (SPARE_MESSAGES * 1e9 / perSecond);
    }

    @Override
    public Duration quickWarmup() {
        return Duration.ofSeconds(1);
    }

    @Override
    public Duration quickDuration() {
        return Duration.ofSeconds(2);
    }

    String asked() {
        Shape shape = shape();
        return Units.counted(shape.instances(), "chain")
                + (shape.chain() == null ? "" : " " + shape.chain()) + " of "
                + Units.counted(shape.services(), "service") + shape.workText() + " at "
                + Units.rate(load().ratePerSecond()) + " msg/s each, payload " + Remarks.onPayload(shape)
                + ": keep "
                + String.join(" and ", limits().stream().map(Limit::toString).toList()) + "; messages "
                + survival().meaning;
    }
}
