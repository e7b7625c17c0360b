package dev.baton.lab.study.advice;

import dev.baton.lab.launch.PlannedTrial;
import dev.baton.lab.results.Verdict;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.options.ChosenTransport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The search for the cheapest setting that keeps the limits.
 *
 * <p>First every transport is measured with its first setting. Then one value at a time of the best setting of a transport, usually of the
 * cheapest, is changed, each time in one short trial; a setting that keeps the limits at a lower cost becomes the best. A transport is
 * excluded after one {@linkplain Tried#isHopeless() hopeless} trial, when it exceeds the limits {@value #MOST_MISSES} times without having
 * kept them, or when it costs {@value #FAR} times as much as another. A hopeless trial whose loops were busy while cores were idle is
 * followed by one with as many threads as the chains can use.
 *
 * <p>The time of a confirmation is reserved: in it the two cheapest are compared in longer trials, and one that exceeds the limits even
 * once is replaced by the next. If no setting kept the limits, the nearest one runs in longer trials, unless its failure is based on enough
 * samples. Confined to one thread.
 */
final class AdviceSearch {
    private static final int MOST_MISSES = 8;
    private static final double FAR = 4;

    /** The length of a cycle of trials, of which all but the last belong to the cheapest transport. */
    private static final int TURNS = 3;

    private final Neighbourhood settings;
    private final Question question;
    private final TrialBudget budget;
    private final Consumer<Tried> listener;
    final List<Tried> tried = new ArrayList<>(); // all exploratory trials that count, in the order in which they ran
    final List<Tried> decided = new ArrayList<>(); // all deciding trials, in the order in which they ran
    final List<Confirmation> confirmations = new ArrayList<>();
    private final Set<Candidate> known = new HashSet<>();
    boolean isExhausted; // whether the budget kept settings from being measured that were to be
    private int started;

    /**
     * Creates a search.
     *
     * @param listener is notified of each trial that counts as it ends
     */
    AdviceSearch(Neighbourhood settings, Question question, TrialBudget budget, Consumer<Tried> listener) {
        this.settings = settings;
        this.question = question;
        this.budget = budget;
        this.listener = listener;
    }

    SearchEnd run() {
        for (ChosenTransport each : settings.transports()) {
            Candidate start = settings.start(each);
            if (!budget.isInterrupted() && budget.allows(withReserve(start))) {
                explore(start);
            } else {
                isExhausted = true;
            }
        }
        int turn = 0;
        Candidate next = next(turn);
        while (next != null && !budget.isInterrupted()) {
            if (!budget.allows(withReserve(next))) {
                isExhausted = true;
                break;
            }
            explore(next);
            next = next(++turn);
        }
        return confirm();
    }

    /** A trial that the host disturbed is repeated once. */
    private void explore(Candidate setting) {
        known.add(setting);
        Tried last = once(setting);
        if (last.verdict() == Verdict.INCONCLUSIVE && budget.allows(withReserve(setting))) {
            last = once(setting);
        }
        if (!budget.isInterrupted() || last.result() != null && last.verdict() != Verdict.INTERRUPTED) {
            tried.add(last);
            listener.accept(last);
        }
    }

    private Tried once(Candidate setting) {
        started++;
        String slug = setting.name().replaceAll("[^A-Za-z0-9.]+", "-").replaceAll("-+$", "");
        String id = String.format(Locale.ROOT, "e%03d-%s", started, slug.substring(0, Math.min(80, slug.length())));
        return new Tried(setting, budget.run(setting.trial(id, question.exploratory(), question.lookedAt())), false);
    }

    private List<PlannedTrial> withReserve(Candidate next) {
        List<PlannedTrial> all = new ArrayList<>();
        all.add(setting(next, false));
        all.addAll(reserve(next));
        return all;
    }

    /** The fewest deciding trials that a recommendation takes. @param next may be one of the two cheapest */
    private List<PlannedTrial> reserve(Candidate next) {
        List<Candidate> two = Stream.concat(holding().stream().map(Tried::setting), Stream.of(next))
                .distinct()
                .limit(2)
                .toList();
        return leastRounds(two.stream().map(each -> setting(each, true)).toList());
    }

    private static List<PlannedTrial> leastRounds(List<PlannedTrial> two) {
        List<PlannedTrial> all = new ArrayList<>();
        for (int round = 0; round < Confirmation.LEAST_ROUNDS; round++) {
            all.add(two.get(0));
            all.addAll(two);
        }
        return all;
    }

    /** Returns the shortest sensible budget: about the time of the shortest search that ends with a recommendation. */
    static Duration needed(Neighbourhood settings, Question question) {
        Duration looking = Duration.ZERO;
        PlannedTrial longest = null;
        for (ChosenTransport each : settings.transports()) {
            Candidate start = settings.start(each);
            looking = looking.plus(TrialBudget.estimate(start.trial("e", question.exploratory(), List.of())));
            PlannedTrial deciding = start.trial("d", question.deciding(), List.of());
            longest = longest == null || TrialBudget.estimate(deciding).compareTo(TrialBudget.estimate(longest)) > 0
                    ? deciding
                    : longest;
        }
        return leastRounds(List.of(longest, longest)).stream()
                .map(TrialBudget::estimate)
                .reduce(looking, Duration::plus);
    }

    private PlannedTrial setting(Candidate setting, boolean isDeciding) {
        return isDeciding
                ? setting.trial("deciding", question.deciding(), question.limits())
                : setting.trial("exploratory", question.exploratory(), question.lookedAt());
    }

    /** Returns the settings that hold, or else all measured ones, the best first. */
    private List<Tried> ranked() {
        return tried.stream()
                .sorted(Comparator.comparing((Tried each) -> !each.holds())
                        .thenComparing(Tried::isHopeless)
                        .thenComparingDouble(each -> each.holds() ? each.cpuNanos() : each.share()))
                .toList();
    }

    private List<Tried> holding() {
        return ranked().stream().filter(Tried::holds).toList();
    }

    /** Returns the next setting: a neighbour of the best setting of a transport; null when none is left. */
    private Candidate next(int turn) {
        List<Tried> bests = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        ranked().stream()
                .filter(each -> seen.add(each.setting().transportName()))
                .filter(this::isLive)
                .forEach(bests::add);
        if (turn % TURNS == TURNS - 1 && bests.size() > 1) {
            bests.add(0, bests.remove(1 + turn / TURNS % (bests.size() - 1)));
        }
        return bests.stream()
                .flatMap(each -> steps(each).stream())
                .filter(each -> !known.contains(each))
                .findFirst()
                .orElse(null);
    }

    private List<Candidate> steps(Tried best) {
        return best.isHopeless() ? List.of(settings.widest(best.setting())) : settings.of(best.setting());
    }

    private boolean isLive(Tried best) {
        if (best.trial().failure() != null && best.trial().failure().kind() != CommandException.Kind.FAILURE) {
            return false; // refused: no other value helps
        }
        if (best.isHopeless()) {
            String threading = best.setting().loops().threading();
            return best.isShortOfLoops(settings.threads(threading)) && !known.contains(settings.widest(best.setting()));
        }
        if (!best.holds()) {
            String transport = best.setting().transportName();
            return tried.stream()
                            .filter(each -> each.setting().transportName().equals(transport))
                            .count()
                    < MOST_MISSES;
        }
        return best.cpuNanos() <= FAR * ranked().get(0).cpuNanos();
    }

    private SearchEnd confirm() {
        SearchEnd alone = null;
        for (int number = 1; ; number++) {
            if (budget.isInterrupted()) {
                return SearchEnd.without(SearchEnd.End.INTERRUPTED, "no answer was reached");
            }
            Set<Candidate> broken = broken();
            List<Candidate> two = holding().stream()
                    .map(Tried::setting)
                    .filter(each -> !broken.contains(each))
                    .limit(2)
                    .toList();
            if (two.isEmpty() && confirmations.isEmpty()) {
                two = missed();
            }
            if (two.isEmpty() || alone != null && two.size() == 1) {
                return alone != null ? alone : nothingHolds();
            }
            Confirmation run = Confirmation.within(
                    budget,
                    two,
                    each -> setting(each, true),
                    number,
                    question.deciding().load().seed());
            if (run == null) {
                return alone != null ? alone : noTime(two);
            }
            confirmations.add(run);
            run.run(budget, number, this::decided);
            if (run.isBroken(run.best())) {
                alone = null;
            } else if (!budget.isInterrupted()) {
                SearchEnd finding = SearchEnd.of(run);
                if (run.next() == null || !run.isBroken(run.next())) {
                    return alone != null && finding.taken() == null ? alone : finding;
                }
                alone = finding;
            }
        }
    }

    /** Returns the setting nearest to the limits if its failure is only provisional; otherwise none. */
    private List<Candidate> missed() {
        return tried.isEmpty() || !unjudged().isEmpty() || !nearest().isProvisional()
                ? List.of()
                : List.of(nearest().setting());
    }

    private SearchEnd noTime(List<Candidate> two) {
        String what = holding().isEmpty()
                ? "confirm that no setting keeps the limit"
                : "confirm what kept the limit in a short trial";
        List<PlannedTrial> least =
                leastRounds(two.stream().map(each -> setting(each, true)).toList());
        return SearchEnd.without(SearchEnd.End.INCONCLUSIVE, AdviceText.noTime(what, least, budget));
    }

    private void decided(Tried trial) {
        decided.add(trial);
        listener.accept(trial);
    }

    /** Settings whose deciding trials exceeded the limit, in their order. */
    Set<Candidate> broken() {
        return decided.stream()
                .map(Tried::setting)
                .filter(each -> confirmations.stream().anyMatch(run -> run.isBroken(each)))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Short trials without a verdict, or whose cost is unknown. */
    List<Tried> unjudged() {
        return tried.stream()
                .filter(each ->
                        !each.holds() && (each.verdict() == Verdict.PASS || each.verdict() == Verdict.INCONCLUSIVE))
                .sorted(Comparator.comparing(Tried::verdict))
                .toList();
    }

    /** Transports without a completed trial, as the budget was too short. */
    List<String> unmeasured() {
        return settings.transports().stream()
                .map(each -> each.provider().name())
                .filter(name -> tried.stream()
                        .noneMatch(each -> each.setting().transportName().equals(name)))
                .toList();
    }

    /** The best of the short trials. */
    Tried nearest() {
        return ranked().get(0);
    }

    private SearchEnd nothingHolds() {
        if (tried.isEmpty()) {
            return SearchEnd.without(SearchEnd.End.INCONCLUSIVE, "the budget has no time for a single trial");
        }
        boolean isJudged = unjudged().isEmpty() && unmeasured().isEmpty();
        return SearchEnd.without(isJudged ? SearchEnd.End.NONE : SearchEnd.End.INCONCLUSIVE, AdviceText.nothing(this));
    }
}
