package dev.baton;

import java.util.Objects;

/** How a chain is to run that is opened again when it fails: {@link Deployment#restart}. Confined to one thread. */
public final class SupervisedDeployment {
    private final Deployment deployment;
    private final RestartPolicy policy;

    SupervisedDeployment(Deployment deployment, RestartPolicy policy) {
        this.deployment = deployment;
        this.policy = Objects.requireNonNull(policy, "restart policy");
    }

    /**
     * Starts the chain as {@link Deployment#start} does, and throws what that throws: only a chain that has run once is
     * opened again. Each run is opened from the deployment, which is not to be changed any more.
     *
     * @throws IllegalArgumentException for manual loops, as the chain is opened again on another thread
     */
    public SupervisedChain start() {
        deployment.check();
        checkNotManual(deployment, "a chain is opened again");
        SupervisedChain chain = new SupervisedChain(deployment, policy);
        chain.start();
        return chain;
    }

    /** The topic at which a newer process has taken over: the output of the last service here, or else what is read or sent. */
    static String decidingTopic(Deployment deployment) {
        int last = deployment.parts().stream()
                .mapToInt(part -> Math.min(part + 1, deployment.chain().hops() - 1))
                .max()
                .orElse(0);
        return deployment.topic(last);
    }

    static void checkNotManual(Deployment deployment, String what) {
        if (deployment.loops().isManual()) {
            throw new IllegalArgumentException(
                    what + " on another thread than the one that turns manual loops; take Loops.cooperative(1), say");
        }
    }
}
