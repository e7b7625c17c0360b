package dev.baton.lab.study.chaos;

import dev.baton.Chain;
import dev.baton.Merge;
import dev.baton.lab.study.chaos.audit.Account;
import dev.baton.lab.study.chaos.audit.TopicAudit;
import dev.baton.lab.study.chaos.audit.TopicAudit.Passage;
import dev.baton.operations.chains.ForwardingChain;
import dev.baton.spi.Transport;
import java.util.BitSet;
import java.util.List;

/**
 * The parts that {@code --composed} adds to the chain: a branch that takes the rejected messages of its first service, and a merge of both
 * ends into one topic, which the receiver taps. Immutable, thread-safe.
 * <pre>
 * chaos-0 -> s1 -> chaos-1 -+-> s2 ... s5 -> chaos-5 ---+
 *                           |                           +-> merge -> trail-merged -> receiver
 *                           +-> branch -> rejects-1 ----+
 * </pre>
 */
final class Composition {
    static final String BRANCH = "branch"; // name of the branch's process
    static final String MERGE = "merge"; // name of the merge's process
    static final List<String> PROCESSES = List.of(BRANCH, MERGE);
    static final int TOPICS = 2; // topics beside those of the chain

    private static final int REJECTED_EVERY = 5;
    private static final String REJECTS = "rejects";
    private static final int SERVICES_BEFORE_BRANCH = 1;
    private static final int NOT_SUMMED = Integer.MAX_VALUE;

    final Chain branch;
    final Merge merge;
    private final int services;

    Composition(int services) {
        this.services = services;
        branch = Chain.named(REJECTS)
                .from(ChainScenario.topic(SERVICES_BEFORE_BRANCH), in -> isRejected(in.getLong(0)))
                .then(BRANCH, ForwardingChain::forwarding)
                .build();
        merge = Merge.named("trail").from(output()).from(rejects()).build();
    }

    /** The chain's last topic. */
    String output() {
        return ChainScenario.topic(services);
    }

    /** The branch's last topic. */
    String rejects() {
        return branch.topic(0, 1);
    }

    List<String> topics() {
        return List.of(rejects(), merge.topic());
    }

    /** The topic that a process writes; {@code s3} and the like are the chain's. */
    String writtenBy(String process) {
        return switch (process) {
            case BRANCH -> rejects();
            case MERGE -> merge.topic();
            default -> ChainScenario.topic(FaultSchedule.numberOf(process));
        };
    }

    /** {@return whether the branch accepts the message with this number} */
    static boolean isRejected(long number) {
        return number % REJECTED_EVERY == 0;
    }

    /** The newest rejected number of so many; 0 for none. */
    static long newestRejected(long sent) {
        return sent - sent % REJECTED_EVERY;
    }

    /**
     * Reads the topics of branch and merge, and holds each against the topics that they read. May block.
     *
     * @param first what the topic in front of the branch has to hold
     * @param output what the chain's last topic has to hold
     */
    List<Account.Edge> audit(Transport transport, TopicAudit.Expectation first, TopicAudit.Expectation output) {
        BitSet rejected = TopicAudit.numbers(transport, ChainScenario.topic(SERVICES_BEFORE_BRANCH), first);
        for (int number = rejected.nextSetBit(0); number >= 0; number = rejected.nextSetBit(number + 1)) {
            rejected.set(number, isRejected(number));
        }
        TopicAudit.Expectation explained = new TopicAudit.Expectation(
                SERVICES_BEFORE_BRANCH + 1, NOT_SUMMED, output.seed(), new BitSet(), new BitSet(), 0);
        return List.of(
                TopicAudit.of(
                        transport,
                        rejects(),
                        explained,
                        Passage.ofBranch(ChainScenario.topic(SERVICES_BEFORE_BRANCH), rejected)),
                merged(transport, output(), output),
                merged(transport, rejects(), explained));
    }

    private Account.Edge merged(Transport transport, String from, TopicAudit.Expectation before) {
        BitSet numbers = TopicAudit.numbers(transport, from, before);
        return TopicAudit.of(transport, merge.topic(), before.further(), Passage.ofMerge(merge, from, numbers));
    }
}
