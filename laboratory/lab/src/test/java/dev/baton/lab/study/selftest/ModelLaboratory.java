package dev.baton.lab.study.selftest;

import dev.baton.lab.request.Limit;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Verdict;
import dev.baton.lab.study.density.ChainCost;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * A laboratory of its own in virtual time: it follows each message through its chain and records it with the classes that
 * every trial records with. Without a flaw it is honest; a flaw makes it the broken twin.
 */
final class ModelLaboratory implements TestedLaboratory {
    static final long PARENT = 1;

    private final Flaw flaw;
    private long nextPid = 100;
    private TrialEvidence first;

    /** @param flaw null for none */
    ModelLaboratory(Flaw flaw) {
        this.flaw = flaw;
    }

    @Override
    public Map<String, TrialEvidence> measure(Collection<TrialPlan> plans, int round) {
        Map<String, TrialEvidence> all = new LinkedHashMap<>();
        for (TrialPlan plan : plans) {
            long pid = flaw == Flaw.ONE_JVM ? nextPid : nextPid++;
            TrialEvidence evidence = new ModelTrial(plan, flaw, pid).evidence();
            first = first == null ? evidence : first;
            all.put(plan.id(), flaw == Flaw.STALE ? first : evidence);
        }
        return all;
    }

    @Override
    public Duration kafkaPollWait(TrialPlan plan) {
        return flaw == Flaw.TRUNCATED ? Duration.ofNanos((long) plan.load().intervalNanos() / 8) : Duration.ofMillis(1);
    }

    @Override
    public ChainCost cost(int chains, int cores, double busyCores) {
        return new ChainCost(chains, flaw == Flaw.IDLE_IS_FREE ? (int) Math.ceil(busyCores) : cores);
    }

    @Override
    public int distinctKeys(int keys, int events) {
        Random random = new Random(3);
        return flaw == Flaw.KEYS_DRAWN
                ? (int) IntStream.range(0, events)
                        .map(each -> random.nextInt(keys))
                        .distinct()
                        .count()
                : Math.min(keys, events);
    }

    @Override
    public List<Verdict> searched(Limit limit, List<Histogram> trials) {
        if (flaw != Flaw.TRIALS_AVERAGED) {
            return TestedLaboratory.super.searched(limit, trials);
        }
        return IntStream.rangeClosed(1, trials.size())
                .mapToObj(several -> trials.stream()
                        .limit(several)
                        .mapToLong(trial -> trial.getValueAtPercentile(limit.percentile()))
                        .average()
                        .orElseThrow())
                .map(average -> average < limit.nanos() ? Verdict.PASS : Verdict.FAIL)
                .toList();
    }

    @Override
    public List<Long> pauses(List<String> log) {
        return flaw == Flaw.POINTS_ONLY
                ? log.stream()
                        .map(Pattern.compile(" (\\d+\\.\\d+)ms$")::matcher)
                        .filter(Matcher::find)
                        .map(pause -> Math.round(Double.parseDouble(pause.group(1)) * 1e6))
                        .toList()
                : TestedLaboratory.super.pauses(log);
    }

    @Override
    public long pid() {
        return PARENT;
    }
}
