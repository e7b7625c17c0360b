package dev.baton.lab.study.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * What {@code baton chaos} leaves in {@code chaos.json}. Immutable, thread-safe.
 *
 * @param schema version of this form
 * @param repeat the command that draws the same faults again
 * @param rate messages per second
 * @param runs one per set-up
 * @param remarks what is to be known, such as a kind that this machine does not allow
 */
public record ChaosResult(
        int schema,
        List<String> commandLine,
        String repeat,
        long seed,
        int rate,
        List<Run> runs,
        List<String> remarks) {
    /** Raised when a component changes its meaning; new components do not raise it. */
    public static final int SCHEMA = 1;

    public static final String FILE = "chaos.json";

    public ChaosResult {
        commandLine = List.copyOf(commandLine);
        runs = List.copyOf(runs);
        remarks = List.copyOf(remarks);
    }

    public boolean isConclusive() {
        return runs.stream().allMatch(Run::isConclusive);
    }

    public boolean hasPassed() {
        return runs.stream().allMatch(Run::hasPassed);
    }

    /**
     * All faults of one set-up and what they came to. Immutable, thread-safe.
     *
     * @param accounts of each life of the chain, in order
     * @param failures what went wrong besides, such as a process that ended by itself
     * @param inconclusive what kept it from going on and is the machine's, such as a broker that did not start in time
     */
    public record Run(
            SetUp setUp,
            List<Fault.Outcome> faults,
            List<Account> accounts,
            List<String> failures,
            boolean wasInterrupted,
            List<String> inconclusive) {
        public Run {
            faults = List.copyOf(faults);
            accounts = List.copyOf(accounts);
            failures = List.copyOf(failures);
            inconclusive = inconclusive == null ? List.of() : List.copyOf(inconclusive);
        }

        public long sum(ToLongFunction<Account> figure) {
            return accounts.stream().mapToLong(figure).sum();
        }

        /** Everything that is wrong, in words. */
        public List<String> findings() {
            List<String> findings = new ArrayList<>(failures);
            faults.stream()
                    .filter(each -> !each.isSurvived())
                    .forEach(each -> findings.add(
                            "no message came out after fault " + each.fault().number() + ", " + each.fault()));
            accounts.forEach(each -> findings.addAll(each.findings()));
            return findings;
        }

        /** Whether nothing is wrong; it may still be inconclusive. */
        public boolean hasPassed() {
            return findings().isEmpty();
        }

        /** Why it is inconclusive, in words; empty when it is conclusive. */
        public List<String> whyInconclusive() {
            if (!inconclusive.isEmpty()) {
                return inconclusive;
            }
            List<String> why = new ArrayList<>();
            if (faults.isEmpty()) {
                why.add("no fault was injected");
            }
            if (sum(Account::sent) == 0) {
                why.add("no message was sent");
            }
            return why;
        }

        /** Whether all that was planned was done, or somebody wanted less, but not nothing at all. */
        public boolean isConclusive() {
            return whyInconclusive().isEmpty();
        }
    }
}
