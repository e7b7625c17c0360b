package dev.baton;

import dev.baton.run.Loops;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * The configuration of a chain or a merge that is opened again when it fails: {@link Deployment#restart}, {@link
 * MergeDeployment#restart}. Confined to one thread.
 */
public final class SupervisedDeployment {
    private final Supplier<SupervisedChain.Runs> checked;
    private final RestartPolicy policy;

    /** The supplier throws what keeps all runs from beginning. */
    SupervisedDeployment(Supplier<SupervisedChain.Runs> checked, RestartPolicy policy) {
        this.checked = checked;
        this.policy = Objects.requireNonNull(policy, "restart policy");
    }

    /**
     * Starts the chain as {@link Deployment#start} does, and throws the same exceptions: only a chain whose first run was open,
     * with all states restored, is opened again. This includes a chain that another process keeps out: the first start throws the
     * {@link dev.baton.spi.OccupiedException}, and a run that fails later stands by until the other process ends. No call waits for
     * the states of later runs: if one cannot be restored, the policy decides. Each run is opened from the deployment, which must
     * not be changed any more.
     *
     * @return the chain, whose first run is open and has its states
     * @throws IllegalArgumentException for manual loops, as the chain is opened again on another thread
     */
    public SupervisedChain start() {
        SupervisedChain chain = new SupervisedChain(checked.get(), policy);
        chain.start();
        return chain;
    }

    static SupervisedChain.Runs runs(Deployment deployment) {
        deployment.check();
        checkNotManual(deployment.loops(), "a chain is opened again");
        return new SupervisedChain.Runs(
                deployment.chain().name(),
                deployment.instance(),
                deployment.listener(),
                deployment.failureListener(),
                deployment.loops().environment(),
                deployment::run,
                decidingTopic(deployment),
                noInlet(deployment),
                deployment.sendLimit());
    }

    private static String noInlet(Deployment deployment) {
        if (deployment.hasSource()) {
            return "topic " + deployment.topic(0) + " has one writer already: a source";
        }
        return deployment.chain().beginning() == null
                ? null
                : "chain " + deployment.chain().name() + " has no inlet: it reads what other chains write";
    }

    /** The topic at which a newer process has taken over: the output of the last service here, or else what is read or sent. */
    static String decidingTopic(Deployment deployment) {
        int last = deployment.parts().stream()
                .mapToInt(part -> Math.min(part + 1, deployment.chain().hops() - 1))
                .max()
                .orElse(0);
        return deployment.topic(last);
    }

    static void checkNotManual(Loops loops, String what) {
        if (loops.isManual()) {
            throw new IllegalArgumentException(
                    what + " on another thread than the one that turns manual loops; take Loops.cooperative(1), say");
        }
    }
}
