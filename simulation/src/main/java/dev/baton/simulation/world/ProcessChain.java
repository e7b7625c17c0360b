package dev.baton.simulation.world;

import dev.baton.Chain;
import dev.baton.Concurrency;
import dev.baton.Deployment;
import dev.baton.Deployment.ReplacedInput;
import dev.baton.ErrorPolicy;
import dev.baton.Service;
import dev.baton.run.Loops;
import dev.baton.simulation.plan.Choices.Kind;
import dev.baton.simulation.plan.Setting;
import dev.baton.simulation.time.SimProcess;
import dev.baton.state.SnapshotPolicy;
import java.time.Duration;
import java.util.function.Supplier;

/** The part of the chain that a simulated process runs, with its deployment. Used by its main script. */
final class ProcessChain {
    private static final int MOST_REMEMBERED = 1_000;

    private final World world;
    private final Setting setting;
    private final SimProcess process;
    private final Run run;
    private Steps.Feeding source;

    ProcessChain(World world, SimProcess process, Run run) {
        this.world = world;
        this.setting = world.setting;
        this.process = process;
        this.run = run;
    }

    /** The source of the last deployment; null for none. */
    Steps.Feeding source() {
        return source;
    }

    Deployment deployment(Loops loops) {
        Chain.Builder builder = Chain.named("c");
        for (int i = 0; i < setting.steps.size(); i++) {
            int index = i;
            Supplier<Service> factory = () -> Steps.of(setting.steps.get(index), index, world, run);
            if (setting.isConcurrent && !setting.steps.get(i).hasMemory()) {
                builder.then(
                        "s" + i,
                        factory,
                        Concurrency.perKey(1 + setting.messages / 8).timeout(Steps.STAGE_TIMEOUT));
            } else if (setting.isPerKey && !setting.steps.get(i).hasMemory()) {
                builder.then("s" + i, factory, ended(perKey()));
            } else {
                builder.then("s" + i, factory);
            }
        }
        Deployment deployment = builder.build()
                .on(world.transport(process))
                .with(loops)
                .batch(process.isRecovery ? 256 : 1 + world.choices.next(Kind.PLAN, 8) * 4)
                .sendWithin(Duration.ofMillis(20))
                .checksums(setting.isChecked)
                .onError(policy())
                .snapshots(snapshots())
                .replacedInput(process.isRecovery ? ReplacedInput.HANDLE_ALL : ReplacedInput.REFUSE)
                .onFailure(cause -> world.account().failed(run, cause));
        if (setting.resends) {
            deployment.resends(MOST_REMEMBERED, Duration.ofHours(1));
        }
        if (runsOutlet()) {
            deployment.onOutput(message -> world.account().delivered(run, message));
        }
        if (!process.isRecovery && setting.spread == Setting.Spread.PARTS) {
            int from = process.slot == 0 ? 0 : setting.split;
            int to = process.slot == 0 ? setting.split : setting.steps.size();
            String[] services = new String[to - from];
            for (int i = from; i < to; i++) {
                services[i - from] = "s" + i;
            }
            deployment.only(services);
        }
        if (isFeeding() && setting.entrance == Setting.Entrance.SOURCE && !process.isRecovery) {
            source = new Steps.Feeding(world, run, setting.messages);
            deployment.from(source);
        }
        return deployment;
    }

    /** Returns the policy of snapshots: a lost state is refused, unless topics were replaced or truncated. */
    private SnapshotPolicy snapshots() {
        SnapshotPolicy policy =
                SnapshotPolicy.every(Duration.ofNanos(setting.snapshotNanos)).orInputs(setting.snapshotInputs);
        return process.isRecovery && world.account().isTampered ? policy.startEmpty() : policy;
    }

    boolean runsOutlet() {
        return process.isRecovery || setting.spread != Setting.Spread.PARTS || process.slot == 1;
    }

    boolean isFeeding() {
        return process.isRecovery || setting.spread != Setting.Spread.PARTS || process.slot == 0;
    }

    private ErrorPolicy perKey() {
        return ErrorPolicy.retry(setting.retries)
                .backoff(Duration.ofMillis(1), Duration.ofMillis(3))
                .perKey(1 + setting.messages % 3);
    }

    private ErrorPolicy policy() {
        return ended(
                setting.retries == 0
                        ? ErrorPolicy.stop()
                        : ErrorPolicy.retry(setting.retries).after(Duration.ofNanos(setting.pauseNanos)));
    }

    /** Returns the policy with what follows the last retry. */
    private ErrorPolicy ended(ErrorPolicy policy) {
        if (setting.writesLetters) {
            return policy.thenDeadLetter();
        }
        return setting.skips
                ? policy.thenSkipTo((service, message, attempts, thrown) -> world.account()
                        .deadLetter(run, Integer.parseInt(service.substring(1)), message.getLong(0), attempts))
                : policy;
    }
}
