package dev.baton.lab.study.chaos;

import dev.baton.lab.study.chaos.audit.Account;
import dev.baton.lab.study.chaos.storage.StorageFaultOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The content of {@code chaos.json}. Immutable, thread-safe.
 *
 * @param schema version of this form
 * @param repeat the command that draws the same faults again
 * @param rate messages per second
 * @param runs one per set-up
 * @param remarks such as a kind of fault that this machine does not allow
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
     * All faults of one set-up with their outcomes. Immutable, thread-safe.
     *
     * @param accounts of each life of the chain, in order
     * @param failures other failures, such as a process that ended by itself
     * @param inconclusive obstacles of the machine, such as a broker that did not start in time
     * @param storage faults of storage, which are made in a run without others
     */
    public record Run(
            SetUp setUp,
            List<InjectedFault.Outcome> faults,
            List<Account> accounts,
            List<String> failures,
            boolean wasInterrupted,
            List<String> inconclusive,
            List<StorageFaultOutcome> storage) {
        public Run {
            storage = storage == null ? List.of() : List.copyOf(storage);
            faults = List.copyOf(faults);
            accounts = List.copyOf(accounts);
            failures = List.copyOf(failures);
            inconclusive = inconclusive == null ? List.of() : List.copyOf(inconclusive);
        }

        /** Returns the same run, which is inconclusive for further reasons. */
        public Run inconclusiveFor(List<String> reasons) {
            List<String> all = new ArrayList<>(inconclusive);
            all.addAll(reasons);
            return new Run(setUp, faults, accounts, failures, wasInterrupted, all, storage);
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
                            "no message arrived after fault " + each.fault().number() + ", " + each.fault()));
            accounts.forEach(each -> findings.addAll(each.findings()));
            storage.stream().filter(each -> each.outcome().isFailure()).forEach(each -> findings.add(each.toString()));
            return findings;
        }

        /** {@return whether there are no faults; it may still be inconclusive} */
        public boolean hasPassed() {
            return findings().isEmpty();
        }

        /** {@return why it is inconclusive, in words; empty when it is conclusive} */
        public List<String> whyInconclusive() {
            if (!inconclusive.isEmpty()) {
                return inconclusive;
            }
            List<String> why = new ArrayList<>();
            if (!storage.isEmpty()) {
                return why;
            }
            if (faults.isEmpty()) {
                why.add("no fault was injected");
            }
            if (sum(Account::sent) == 0) {
                why.add("no message was sent");
            }
            return why;
        }

        /** {@return whether the plan was completed, or the user ended it early with at least one fault} */
        public boolean isConclusive() {
            return whyInconclusive().isEmpty();
        }
    }
}
