package dev.baton.lab.trial;

import dev.baton.lab.request.Limit;
import dev.baton.lab.request.Phases;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Delivery;
import dev.baton.lab.results.Incident;
import dev.baton.lab.results.Outcome;
import dev.baton.lab.results.Rate;
import dev.baton.lab.results.Verdict;
import dev.baton.lab.trial.ends.Instance;
import dev.baton.lab.trial.ends.Window;
import dev.baton.measuring.InstanceHistogram;
import dev.baton.measuring.data.HostActivity;
import dev.baton.measuring.statistics.Percentiles;
import dev.baton.operations.settings.LoopPlan;
import dev.baton.operations.terminal.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * Decides the verdict of a trial. The rules, in order:
 * <ol>
 * <li>A chain that stopped, or anything duplicated, reordered or corrupted: FAIL.
 * <li>Cut short: INTERRUPTED.
 * <li>Anything lost: FAIL. Messages that had not arrived by the deadline when their chain may still have had them are not lost:
 * INCONCLUSIVE, unless another rule fails the trial.
 * <li>At saturation, an instance that sent nothing in the window: FAIL. If nothing arrived in the window: INCONCLUSIVE.
 * <li>An instance below {@value #LEAST_SHARE} of its rate, or over a limit: FAIL; INCONCLUSIVE when foreign stalls alone would cause that.
 * <li>INCONCLUSIVE in place of that FAIL when the host and other processes withheld at least the share of the requested CPU time by which
 * the rate fell short: with the remaining time the chain could not have done more. A limit that such a trial exceeded is no evidence
 * either. The time that other processes took is a part of the time that the trial's threads waited for a core, and never more than the
 * trial could still have used ({@link HostActivity.RunQueue}): a trial that overloads the cores by itself fails. Messages not sent in the
 * warm-up are sent in the measurement, before those due there: where a share w of the CPU time is withheld from the beginning of the
 * warm-up on, the rate of the measurement falls short by {@code w * (1 + warm-up / measurement)}.
 * <li>Generators with threads of their own whose send delay takes half of a limit or more, at the limit's percentile: INCONCLUSIVE, because
 * then the load was not the requested one. A generator that shares its loop with its chain is late when the loop is: the engine causes that
 * delay, and it is part of the response and judged there. It does not count either where latencies are judged from the send, as the report
 * states.
 * <li>No slot in the window of a load with messages, or a limit on a percentile that too few samples lie above, or none at all: INCONCLUSIVE; but the number of
 * samples does not matter where a search ended the trial because its limit could not be kept any more.
 * <li>Otherwise PASS.
 * </ol>
 * Confined to one thread.
 */
public final class Judge {
    static final double LEAST_SHARE = 0.999;

    /** Share of the time of the loops that feed chains, from which a failure is attributed to generators as well. */
    private static final double MAX_GENERATORS = 0.5;

    private static final int MOST_REASONS = 10;
    private static final double LEAST_SHOWN = 0.1; // part of what was withheld
    private static final HostActivity UNWATCHED = new HostActivity(null, null, null, null, null, 0, List.of());
    private static final String STALLED = "; stalls caused outside the trial explain it";

    private final List<Limit> limits;
    private final long measuredNanos;
    private final long drainNanos;
    private final boolean judgesSendDelay;
    private long plannedNanos;
    private double backlog = 1; // by which a shortfall grows with what the warm-up left to be sent
    private boolean isIdle; // no message was to be sent
    private boolean isSaturated;
    private long atOnce; // messages of each instance that are due when the measurement begins
    private boolean isCertain; // that a limit is broken, on however few samples
    private String reading = ""; // from which latencies are judged, where that is not the slot
    private final HostActivity host;
    private final List<String> failures = new ArrayList<>();
    private final List<String> doubts = new ArrayList<>();
    private final List<String> silent = new ArrayList<>();
    private final List<Unjudged> unjudged = new ArrayList<>();
    private String unknown = ""; // why nobody can tell what became of messages that did not arrive
    private boolean isRobbed; // of the CPU time that the rate needed
    private boolean blamesHost; // for a doubt

    /**
     * Creates a judge of one trial.
     *
     * @param drainNanos that chains were given to deliver what they had
     * @param sharesLoops whether generators run on the loops of the chains that they feed
     * @param host null when the measurement did not begin
     */
    public Judge(List<Limit> limits, long measuredNanos, long drainNanos, boolean sharesLoops, HostActivity host) {
        this.limits = limits;
        this.measuredNanos = measuredNanos;
        plannedNanos = measuredNanos;
        this.drainNanos = drainNanos;
        judgesSendDelay = !sharesLoops;
        this.host = host == null ? UNWATCHED : host;
    }

    /** Creates a judge of a trial of chains with the limits of its plan. @param host null when the measurement did not begin */
    public static Judge of(TrialPlan plan, Window window, HostActivity host) {
        Judge judge = new Judge(
                plan.limits(),
                window.measuredNanos(),
                plan.phases().drainNanos(),
                plan.loops().isCooperative() && !plan.load().isSentFromThread(),
                host);
        // what limits allow does not shrink with a window that was cut
        judge.plannedNanos = plan.phases().measureNanos();
        judge.backlog =
                window.measuredNanos() == 0 ? 1 : 1 + plan.phases().warmupNanos() / (double) window.measuredNanos();
        judge.isIdle = plan.load().isNone();
        judge.isSaturated = plan.load().isSaturated();
        judge.atOnce = plan.load().backlog();
        judge.isCertain = plan.phases().endsWhenBroken() && window.measuredNanos() < judge.plannedNanos;
        return judge;
    }

    /** Sets the reason why the end of the drain is not observable: a loss is then never claimed, and the text gives the reason. */
    public Judge blindBecause(String why) {
        unknown = "; " + why;
        return this;
    }

    /** Returns a judge of latencies that begin at the actual send. */
    public Judge fromSend() {
        reading = " from the send";
        return this;
    }

    /** Decides on chains. */
    Outcome decideChains(
            String stopped, String interruption, FinalCounts counts, List<Instance> all, Histogram sendDelay) {
        all.stream()
                .filter(each -> each.generator().isSilent())
                .forEach(each -> silent.add("instance " + (each.index() + 1)
                        + " sent nothing in the measurement; at saturation every instance has to"));
        List<InstanceHistogram> responses =
                all.stream().map(Instance::responses).toList();
        return decide(stopped, interruption, counts, responses, sendDelay);
    }

    /**
     * Decides.
     *
     * @param stopped why a chain stopped; null when none did
     * @param interruption why the trial was cut short; null when it was not
     * @param responses of each instance, in order
     * @param sendDelay of all generators
     */
    public Outcome decide(
            String stopped,
            String interruption,
            FinalCounts counts,
            List<InstanceHistogram> responses,
            Histogram sendDelay) {
        Delivery delivery = counts.delivery();
        if (stopped != null) {
            failures.add(stopped);
        }
        addFault(delivery, delivery.duplicated(), Incident.Kind.DUPLICATED);
        addFault(delivery, delivery.reordered(), Incident.Kind.REORDERED);
        addFault(delivery, delivery.corrupted(), Incident.Kind.CORRUPTED);
        boolean isInterrupted = failures.isEmpty() && interruption != null;
        addFault(delivery, delivery.lost(), Incident.Kind.LOST);
        if (isInterrupted) {
            failures.add(0, interruption);
            return new Outcome(Verdict.INTERRUPTED, failures);
        }
        if (delivery.undrained() > 0) {
            doubts.add(Units.count(delivery.undrained()) + " of " + Units.count(delivery.sent())
                    + " messages not drained within " + Limit.time(drainNanos) + unknown);
        }
        failures.addAll(silent);
        judgeRate(counts.rate());
        IntStream.range(0, responses.size())
                .boxed()
                .sorted(Comparator.comparingLong((Integer each) -> tailNanos(responses.get(each)))
                        .reversed())
                .forEach(each -> judgeLimits(each, responses.get(each)));
        addUnjudged(responses.size());
        if (judgesSendDelay && reading.isEmpty()) {
            limits.forEach(limit -> judgeSendDelay(limit, sendDelay));
        }
        if (!failures.isEmpty()) {
            return new Outcome(Verdict.FAIL, shortened(failures));
        }
        return new Outcome(doubts.isEmpty() ? Verdict.PASS : Verdict.INCONCLUSIVE, shortened(doubts), blamesHost);
    }

    private static long tailNanos(InstanceHistogram responses) {
        return responses.count() == 0 ? 0 : responses.percentileNanos(99.9);
    }

    private static List<String> shortened(List<String> reasons) {
        if (reasons.size() <= MOST_REASONS) {
            return reasons;
        }
        List<String> shown = new ArrayList<>(reasons.subList(0, MOST_REASONS));
        shown.add("and " + (reasons.size() - MOST_REASONS) + " more");
        return shown;
    }

    private void addFault(Delivery delivery, long count, Incident.Kind kind) {
        if (count == 0) {
            return;
        }
        String where = delivery.incidents().stream()
                .filter(incident -> incident.kind() == kind)
                .findFirst()
                .map(first -> "; the first: instance " + first.instance() + ", message " + Units.count(first.sequence())
                        + " (" + first.detail() + ")")
                .orElse("");
        failures.add(Units.count(count) + " of " + Units.count(delivery.sent()) + " messages "
                + kind.name().toLowerCase(Locale.ROOT) + where);
    }

    private void judgeRate(Rate rate) {
        if (rate.askedPerSecond() == 0) {
            if (isIdle) {
                return;
            }
            doubts.add(
                    isSaturated
                            ? "no message arrived within the measurement; raise the duration"
                            : "no message was due within the measurement; raise the rate or the duration");
            return;
        }
        if (rate.worstShare() >= LEAST_SHARE) {
            return;
        }
        String text = String.format(
                Locale.ROOT,
                "instance %d reached %.2f %% of its rate, less than %.1f %%",
                rate.worstInstance(),
                100 * rate.worstShare(),
                100 * LEAST_SHARE);
        long shortfallNanos = (long) ((1 - rate.worstShare()) * measuredNanos);
        HostActivity.Withheld withheld = host.withheld();
        double needed = (1 - rate.worstShare()) / backlog;
        if (withheld.share() > 0 && needed <= withheld.share()) {
            isRobbed = true;
            blamesHost = true;
            doubts.add(String.format(
                    Locale.ROOT, "%s; %s, and %.0f %% would explain this", text, robbery(withheld), 100 * needed));
            return;
        }
        boolean isForeign = foreignStalls().stream()
                .anyMatch(stall -> stall.nanos() >= shortfallNanos
                        && measuredNanos - stall.atNanos() <= Math.max(1_000_000_000L, 2 * stall.nanos()));
        enter(text, isForeign);
    }

    private String robbery(HostActivity.Withheld withheld) {
        List<String> parts = new ArrayList<>();
        double least = withheld.share() * LEAST_SHOWN;
        if (withheld.byHost() >= least) {
            parts.add(String.format(Locale.ROOT, "the host withheld %.0f %%", 100 * withheld.byHost()));
        }
        if (withheld.byOthers() >= least) {
            parts.add(String.format(
                    Locale.ROOT,
                    "other processes took %.0f %% (%.2f cores)",
                    100 * withheld.byOthers(),
                    host.runQueue().takenCores()));
        }
        return String.join(" and ", parts) + " of the CPU time that the trial requested";
    }

    private void judgeLimits(int index, InstanceHistogram responses) {
        for (Limit limit : limits) {
            long count = responses.count();
            boolean isMaximum = limit.percentile() == 100;
            if (count == 0) {
                unjudged.add(new Unjudged(limit, index, 0));
                return;
            }
            if (!isMaximum
                    && !isCertain
                    && Percentiles.samplesAbove(limit.percentile(), count) < limit.leastSamples()) {
                unjudged.add(new Unjudged(limit, index, count));
                continue; // another limit may be broken
            }
            long nanos = isMaximum ? responses.maxNanos() : responses.percentileNanos(limit.percentile());
            if (nanos >= limit.nanos()) {
                boolean isForeign = stallsAloneBreak(limit.percentile(), limit.nanos());
                enter(
                        "instance " + (index + 1) + " broke " + limit + reading + " with " + Units.time(nanos),
                        isForeign);
                if (!isForeign) {
                    return;
                }
            }
        }
    }

    /** Adds one doubt for all instances on which a limit cannot be judged. */
    private void addUnjudged(int instances) {
        Map<String, List<Unjudged>> groups = unjudged.stream()
                .collect(Collectors.groupingBy(
                        each -> each.limit + (each.count == 0 ? "" : " on samples"),
                        LinkedHashMap::new,
                        Collectors.toList()));
        for (List<Unjudged> group : groups.values()) {
            Limit limit = group.get(0).limit;
            long count = group.stream().mapToLong(Unjudged::count).min().orElseThrow();
            doubts.add((group.size() == 1
                            ? "instance " + (group.get(0).index + 1)
                            : group.size() + " of " + instances + " instances")
                    + ": " + limit + " cannot be judged: "
                    + (count == 0 ? "nothing was recorded" : lack(limit, count)));
        }
    }

    private String lack(Limit limit, long count) {
        long above = Percentiles.samplesAbove(limit.percentile(), count);
        long nanos = (long) (Math.max(0, limit.messages(limit.leastSamples()) - atOnce)
                / (double) Math.max(1, count - atOnce)
                * measuredNanos);
        return Units.counted(above, "sample") + (above == 1 ? " lies" : " lie") + " above it, "
                + limit.leastSamples() + " are needed; "
                + (nanos > Phases.MOST_NANOS
                        ? "at this rate that takes longer than a day"
                        : "use --duration " + Units.typedUp(nanos));
    }

    private void judgeSendDelay(Limit limit, Histogram sendDelay) {
        long most = Math.max(1, (long) (limit.nanos() * Window.MAX_SEND_DELAY));
        long nanos = sendDelay.getTotalCount() == 0 ? 0 : sendDelay.getValueAtPercentile(limit.percentile());
        if (nanos >= most) {
            enter(
                    "generators were late: send delay of " + Limit.time(nanos / 1000 * 1000) + " where " + limit
                            + " allows " + Limit.time(most),
                    stallsAloneBreak(limit.percentile(), most));
        }
    }

    /** A stall of L puts L - limit out of the planned window's length over the limit. */
    private boolean stallsAloneBreak(double percentile, long limitNanos) {
        long overNanos = foreignStalls().stream()
                .mapToLong(stall -> Math.max(0, stall.nanos() - limitNanos))
                .sum();
        return overNanos > 0 && overNanos >= (1 - percentile / 100) * plannedNanos;
    }

    private List<HostActivity.Stall> foreignStalls() {
        return host.stalls().stream().filter(stall -> stall.cause().isForeign()).toList();
    }

    private void enter(String text, boolean isForeign) {
        if (isRobbed) {
            doubts.add(text + "; the CPU time that it needed was withheld");
        } else if (isForeign) {
            blamesHost = true;
            doubts.add(text + STALLED);
        } else {
            failures.add(text);
        }
    }

    /** An instance with too few responses for the verdict on a limit. @param count of its responses */
    private record Unjudged(Limit limit, int index, long count) {}

    /**
     * Returns the verdict; if the trial did not pass, with the generators of a provided chain among the reasons if they took much time.
     * They run on the loops that feed the chains, which lack the time of generators.
     */
    static Outcome blamingGenerators(Outcome outcome, TrialPlan plan, Rate rate) {
        if (outcome.verdict() == Verdict.PASS
                || rate.writingNanos() == null
                || plan.load().isSaturated()) {
            return outcome;
        }
        int instances = plan.shape().instances();
        double share =
                rate.writingNanos() * plan.load().ratePerSecond() * instances / 1e9 / feedingLoops(plan, instances);
        return share < MAX_GENERATORS
                ? outcome
                : outcome.and(String.format(
                        Locale.ROOT,
                        "the generator of chain %s took %s for each message: at this rate %.0f %% of the loops that feed"
                                + " the chains; the figures are the generator's",
                        plan.shape().chain().name(),
                        Units.time(Math.round(rate.writingNanos())),
                        100 * share));
    }

    /**
     * Returns the outcome; or a failure, as no figure is valid if logged pauses of the JVM cannot be read.
     *
     * @param complaint the unreadable line of the JVM's log; null for none
     */
    static Outcome withLog(Outcome outcome, String complaint) {
        if (complaint == null) {
            return outcome;
        }
        List<String> reasons = new ArrayList<>(List.of(complaint));
        reasons.addAll(outcome.reasons());
        return new Outcome(Verdict.FAIL, reasons);
    }

    private static int feedingLoops(TrialPlan plan, int instances) {
        if (plan.load().isSentFromThread()) {
            return 1;
        }
        if (!plan.loops().isCooperative()) {
            return instances;
        }
        String loops = plan.loops().threading().substring(LoopPlan.COOPERATIVE.length());
        return Math.min(instances, Integer.parseInt(loops));
    }
}
