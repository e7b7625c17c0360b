package dev.baton.benchmark.trial;

import dev.baton.Chain;
import dev.baton.benchmark.plan.TrialPlan;
import dev.baton.benchmark.result.TransportFacts;
import dev.baton.benchmark.rig.ChainEnds;
import dev.baton.benchmark.rig.ChainRig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Chains of Baton's, run the way users run them: services that forward, a source and an output handler on the chains' own
 * loops. Topics bear a name that no other trial uses.
 */
final class BatonRig implements ChainRig {
    private final TrialChains chains;
    private final Chain chain;

    private BatonRig(TrialChains chains, Chain chain) {
        this.chains = chains;
        this.chain = chain;
    }

    static BatonRig open(TrialPlan plan) {
        Chain.Builder builder = Chain.named(TrialChains.uniqueName());
        IntStream.rangeClosed(1, plan.shape().services())
                .forEach(i -> builder.then("s" + i, () -> (in, out) -> out.forward(in)));
        return new BatonRig(TrialChains.open(plan), builder.build());
    }

    @Override
    public TransportFacts facts() {
        return chains.facts();
    }

    @Override
    public void prepare(int instances) {
        List<String> topics = new ArrayList<>();
        IntStream.range(0, instances)
                .forEach(instance ->
                        IntStream.range(0, chain.hops()).forEach(index -> topics.add(chain.topic(instance, index))));
        chains.createTopics(topics);
    }

    @Override
    public void start(ChainEnds instance) {
        chains.start(
                chain,
                instance.index(),
                deployment -> deployment.from(new InstanceSource(instance)).onOutput(new InstanceOutput(instance)));
    }

    @Override
    public Optional<Failure> failure() {
        return chains.failure();
    }

    @Override
    public void stop(Duration limit) {
        chains.stop(limit);
    }

    @Override
    public void close() {
        chains.close();
    }
}
