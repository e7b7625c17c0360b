package dev.baton.simulation.world;

import dev.baton.Chain;
import dev.baton.Deployment.ReplacedInput;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.RunningChain;
import dev.baton.Service;
import dev.baton.run.Loops;
import dev.baton.simulation.plan.Choices.Kind;
import dev.baton.simulation.plan.Setting;
import dev.baton.simulation.time.SimProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The parts that a simulated process runs in addition to its chain: a branch of the chain's first topic, its merge with other topics, and a
 * chain that audits the merged topic. Used by the process's main script.
 */
final class Beside {
    /** The output topic of the branch. */
    static final String BRANCHED = "b-1";

    /** The consumer of the branch. */
    static final String BRANCH = "b.b0";

    /** The consumer of the merged topic. */
    static final String AUDITOR = "z.sink";

    /** The step of the branch. */
    static final Setting.Step STEP = Setting.Step.FILTER;

    /** The parts. */
    enum Piece {
        BRANCH,
        MERGE,
        AUDIT
    }

    private interface Start {
        RunningChain start(Run run);
    }

    private final World world;
    private final SimProcess process;
    private final Loops loops;
    private final List<RunningChain> running = new ArrayList<>();
    private final List<Run> runs = new ArrayList<>();

    Beside(World world, SimProcess process, Loops loops) {
        this.world = world;
        this.process = process;
        this.loops = loops;
    }

    /** Starts the parts one after the other, up to the first failure. */
    void start() {
        if (start(Piece.BRANCH, this::branch) && start(Piece.MERGE, this::merge)) {
            start(Piece.AUDIT, this::audit);
        }
    }

    private boolean start(Piece piece, Start starting) {
        Run run = new Run(process, world.setting);
        try {
            running.add(starting.start(run));
            runs.add(run);
            return true;
        } catch (RuntimeException failure) {
            run.isClosed = true;
            world.says("start of the " + piece + " failed: " + failure.getMessage());
            world.account().startFailed(run, failure);
            return false;
        }
    }

    private RunningChain branch(Run run) {
        return Chain.named("b")
                .from("c-0", message -> Steps.outputs(STEP, message.getLong(0)).length > 0)
                .then("b0", () -> (Service) (in, out) -> pass(run, in, out))
                .build()
                .on(world.transport(process))
                .with(loops)
                .batch(batch())
                .checksums(world.setting.isChecked)
                .replacedInput(replacedInput())
                .onFailure(cause -> world.account().failed(run, cause))
                .start();
    }

    private void pass(Run run, Message in, Outlet out) {
        world.account().called(run);
        Steps.send(out, in.getLong(0));
    }

    private RunningChain merge(Run run) {
        return MergeEdge.of(world.setting)
                .on(world.transport(process))
                .with(loops)
                .batch(batch())
                .checksums(world.setting.isChecked)
                .replacedInput(replacedInput())
                .onFailure(cause -> world.account().failed(run, cause))
                .start();
    }

    private RunningChain audit(Run run) {
        return Chain.named("z")
                .from(MergeEdge.of(world.setting).topic())
                .build()
                .on(world.transport(process))
                .with(loops)
                .batch(batch())
                .replacedInput(replacedInput())
                .onOutput(message -> world.account().merge().delivered(run, message))
                .onFailure(cause -> world.account().failed(run, cause))
                .start();
    }

    private int batch() {
        return process.isRecovery ? 256 : 1 + world.choices.next(Kind.PLAN, 8) * 4;
    }

    private ReplacedInput replacedInput() {
        return process.isRecovery ? ReplacedInput.HANDLE_ALL : ReplacedInput.REFUSE;
    }

    /** Closes the parts in order, each within a limit. A part that reports success has handled all messages of its topics. */
    void close(Duration limit) {
        for (int i = 0; i < running.size(); i++) {
            Run run = runs.get(i);
            Map<String, Integer> held = world.storage.sizes();
            boolean isDrained = running.get(i).close(limit);
            run.isClosed = true;
            boolean isAllThere = isDrained && !run.hasFailed && world.setting.knowsBacklog;
            if (isAllThere && process.isOneOfOne() && !process.isReplaced) {
                world.account().merge().checkClosed(Piece.values()[i], held);
            }
        }
    }
}
