package dev.baton.lab.study.chaos;

import dev.baton.lab.launch.BrokerSource;
import dev.baton.lab.launch.Workspace;
import dev.baton.lab.study.chaos.audit.Account;
import dev.baton.operations.line.CommandException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Injects the faults of one set-up, one after the other, into one life of a chain after the other, so that the disk
 * holds no more than one life. Confined to one thread.
 */
public final class ChaosRun {
    final ChaosPlan plan;
    final BooleanSupplier isStopRequested; // whether somebody wants it all to end
    final ChaosProgress progress;
    final List<String> failures = new ArrayList<>(); // what goes wrong besides the faults
    private final Workspace workspace;
    private final BrokerSource brokers;
    private final List<InjectedFault.Outcome> faults = new ArrayList<>();
    private final List<Account> accounts = new ArrayList<>();
    private final List<String> inconclusive = new ArrayList<>();
    private long begun;

    /** Creates a run; starts nothing. */
    public ChaosRun(
            ChaosPlan plan,
            Workspace workspace,
            BrokerSource brokers,
            BooleanSupplier isStopRequested,
            ChaosProgress progress) {
        this.plan = plan;
        this.workspace = workspace;
        this.brokers = brokers;
        this.isStopRequested = isStopRequested;
        this.progress = progress;
    }

    /** Runs all faults. Failures are in the outcome, and not thrown. */
    public ChaosResult.Run run() {
        progress.began(plan);
        begun = System.nanoTime();
        FaultSchedule schedule = new FaultSchedule(
                plan.seed(), plan.setUp(), plan.services(), plan.further(), plan.kinds(), plan.times());
        List<InjectedFault> left = new ArrayList<>(schedule.next(plan.faults()));
        boolean isSound = true;
        for (int scenario = 1; isSound && !left.isEmpty() && !isOver(); scenario++) {
            isSound = live(left, scenario);
        }
        return new ChaosResult.Run(
                plan.setUp(), faults, accounts, failures, isStopRequested.getAsBoolean(), inconclusive, List.of());
    }

    /**
     * Runs one life of the chain.
     *
     * @return whether another life makes sense
     */
    private boolean live(List<InjectedFault> left, int number) {
        try (ChainGround ground =
                        new ChainGround(workspace, brokers, plan, plan.setUp().name() + "-" + number, isStopRequested);
                ChainScenario scenario = new ChainScenario(this, ground)) {
            scenario.requireNoTopics();
            scenario.begin();
            long lifeBegun = System.nanoTime(); // a start that takes its time leaves room for faults all the same
            boolean hasSurvived = true;
            for (int i = 0; i < ChaosPlan.FAULTS_PER_LIFE && hasSurvived && !left.isEmpty() && !isOver(); i++) {
                if (System.nanoTime() - lifeBegun > ChaosPlan.LIFE_LIMIT.toNanos()) {
                    break;
                }
                hasSurvived = inject(scenario, left.remove(0));
            }
            Account account = scenario.end();
            accounts.add(account);
            progress.audited(account);
            scenario.removeTopics();
            return hasSurvived && account.findings().isEmpty();
        } catch (CommandException refused) {
            if (!isStopRequested.getAsBoolean()) {
                boolean isOfMachine = refused.kind() == CommandException.Kind.ENVIRONMENT;
                (isOfMachine ? inconclusive : failures).add(refused.getMessage());
            }
            return false;
        }
    }

    private boolean inject(ChainScenario scenario, InjectedFault fault) {
        InjectedFault.Outcome outcome = scenario.inject(fault, begun);
        if (isStopRequested.getAsBoolean() && !outcome.isSurvived()) {
            return true; // nobody waited for it
        }
        faults.add(outcome);
        progress.injected(plan.setUp(), outcome);
        return outcome.isSurvived();
    }

    private boolean isOver() {
        return isStopRequested.getAsBoolean()
                || System.nanoTime() - begun > plan.mostDuration().toNanos();
    }
}
