package dev.baton.lab.study.selftest;

import dev.baton.lab.request.SelftestCase;
import dev.baton.lab.request.TrialPlan;
import dev.baton.operations.terminal.Tone;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Puts a laboratory to the test: measures the trials of some cases, and checks the figures of each case. A case that the machine disturbed
 * is repeated, up to {@value #MOST_ROUNDS} rounds in all; it is never skipped, and one that fails without a disturbance has failed.
 * Confined to one thread.
 */
public final class Proof {
    public static final int MOST_ROUNDS = 3;

    private final TestedLaboratory laboratory;
    private final BooleanSupplier isOver;
    private final Map<String, TrialEvidence> evidence = new LinkedHashMap<>();
    private final Map<SelftestCase, Answer> answers = new EnumMap<>(SelftestCase.class);

    /**
     * Creates a proof.
     *
     * @param isOver polled; true ends it
     */
    public Proof(TestedLaboratory laboratory, BooleanSupplier isOver) {
        this.laboratory = laboratory;
        this.isOver = isOver;
    }

    /** Returns one answer for each of these cases, in the order of their names. Blocks. @param plans returns the trial with an id */
    List<Answer> of(List<Case> cases, Function<String, TrialPlan> plans) {
        List<Case> open = new ArrayList<>(cases);
        for (int round = 1;
                round <= MOST_ROUNDS && !open.isEmpty() && (round == 1 || !isOver.getAsBoolean());
                round++) {
            Set<String> ids = new LinkedHashSet<>();
            open.forEach(each -> ids.addAll(each.trials()));
            evidence.keySet().removeAll(ids);
            evidence.putAll(laboratory.measure(ids.stream().map(plans).toList(), round));
            for (Case each : List.copyOf(open)) {
                Answer answer = answer(each, round);
                answers.put(each.name(), answer);
                if (answer.state() != Answer.State.INCONCLUSIVE) {
                    open.remove(each);
                }
            }
        }
        return List.copyOf(answers.values());
    }

    private Answer answer(Case asked, int round) {
        if (!evidence.keySet().containsAll(asked.trials())) {
            return new Answer(asked.name(), asked.injected(), Answer.State.MISSING, List.of(), round, 0);
        }
        List<Check> checks = asked.question().apply(evidence, laboratory);
        boolean holds = checks.stream().allMatch(Check::holds);
        List<TrialEvidence> needed = asked.trials().stream().map(evidence::get).toList();
        boolean isDisturbed = needed.stream().anyMatch(TrialEvidence::isDisturbed)
                && checks.stream().allMatch(check -> check.holds() || check.isExcused());
        long disturbed = needed.stream()
                .mapToLong(TrialEvidence::worstDisturbedNanos)
                .max()
                .orElse(0);
        Answer.State state = holds ? Answer.State.PASS : isDisturbed ? Answer.State.INCONCLUSIVE : Answer.State.FAIL;
        return new Answer(asked.name(), asked.injected(), state, checks, round, disturbed);
    }

    /**
     * The result of a case. Immutable, thread-safe.
     *
     * @param checks the most significant one first; empty when one of its trials has no result
     * @param round in which it was decided, or tried last; from 1
     * @param disturbedNanos time that the machine withheld from the chain with the greatest loss
     */
    public record Answer(
            SelftestCase name, String injected, State state, List<Check> checks, int round, long disturbedNanos) {
        /** The results of cases. */
        public enum State {
            /** Every figure is what it has to be. */
            PASS(Tone.GOOD),
            /** One is not, and the machine is no excuse. */
            FAIL(Tone.BAD),
            /** One is not, and the machine took so much time that the figure is inconclusive. */
            INCONCLUSIVE(Tone.WARNING),
            /** There are no figures. */
            MISSING(Tone.WARNING);

            final Tone tone;

            State(Tone tone) {
                this.tone = tone;
            }
        }

        public Answer {
            checks = List.copyOf(checks);
        }

        /** The first figure that is not what it has to be, or else the most telling one; null without any. */
        public Check shown() {
            return checks.stream()
                    .filter(check -> !check.holds())
                    .findFirst()
                    .orElse(checks.isEmpty() ? null : checks.get(0));
        }
    }
}
