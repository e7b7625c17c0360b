package dev.baton.lab.study.soak;

import dev.baton.lab.results.Outcome;
import dev.baton.lab.results.Verdict;
import dev.baton.lab.study.soak.Trend.Judgement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What the outcome of chains and the trends beside it come to. Stateless, thread-safe. */
final class SoakVerdict {
    private SoakVerdict() {}

    /**
     * Fails when something grows. A pass is none when something may have grown, or when nobody can say.
     *
     * @param outcome of the chains
     * @param uncounted why counting ended early; null: it did not
     */
    static Outcome of(Outcome outcome, List<Trend> trends, String uncounted) {
        List<String> growing = texts(trends, Judgement.GROWS);
        List<String> open = new ArrayList<>(texts(trends, Judgement.DOUBTFUL));
        String unjudged = trends.stream()
                .filter(TrendJudge::isTooShort)
                .map(Trend::quantity)
                .collect(Collectors.joining(", "));
        if (!unjudged.isEmpty()) {
            open.add("too few points to judge " + unjudged + ": run longer");
        }
        if (uncounted != null) {
            open.add("what is held was not counted to the end: " + uncounted);
        }
        List<String> reasons = new ArrayList<>(growing);
        reasons.addAll(outcome.reasons());
        if (!growing.isEmpty()) {
            return new Outcome(Verdict.FAIL, reasons);
        }
        reasons.addAll(open);
        boolean isOpen = outcome.verdict() == Verdict.PASS && !open.isEmpty();
        return new Outcome(isOpen ? Verdict.INCONCLUSIVE : outcome.verdict(), reasons);
    }

    private static List<String> texts(List<Trend> trends, Judgement judgement) {
        return trends.stream()
                .filter(each -> each.judgement() == judgement)
                .map(each -> each.quantity() + " grows" + (each.remark().isEmpty() ? "" : ", but " + each.remark()))
                .toList();
    }
}
