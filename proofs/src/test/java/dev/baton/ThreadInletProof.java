package dev.baton;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.baton.engine.chain.ChainState;
import dev.baton.engine.inlet.ThreadInlet;
import dev.baton.engine.writing.WriterFactory;
import dev.baton.proofs.NoLoops;
import dev.baton.proofs.OneConnection;
import dev.baton.proofs.WatchedTopic;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Proof that messages accepted by an inlet before its chain closes count as messages to drain, that others are refused, and that the two
 * threads never use the connection at once.
 *
 * <p>Each call of the owner takes the inlet's state from idle to busy and back; closing takes it from idle to closed, for good. So a commit
 * comes before the close, which then finds its sequence, or finds the state closed and throws. Between the claim and the commit the state
 * is idle: the close may come there, and then the commit is refused.
 */
@JCStressTest
@Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "Sent, and the chain waits for it.")
@Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "Refused: the chain was closed before.")
@Outcome(id = "1, 0, 0", expect = FORBIDDEN, desc = "Accepted and then dropped.")
@Outcome(id = "0, 1, 0", expect = FORBIDDEN, desc = "Refused, and sent all the same.")
@Outcome(expect = FORBIDDEN, desc = "Two threads in the connection, or a use of it after its close.")
@State
public class ThreadInletProof {
    private static final byte[] PAYLOAD = new byte[Long.BYTES];

    private final WatchedTopic topic = new WatchedTopic();
    private final ThreadInlet inlet = new ThreadInlet(
            "t",
            new OneConnection(topic),
            new ChainState("c", failure -> {}, null, dev.baton.run.Environment.system()),
            null,
            Long.MAX_VALUE,
            new WriterFactory(false, false, false, Long.BYTES, ""),
            new NoLoops());

    @Actor
    public void owner(III_Result seen) {
        try {
            inlet.send(PAYLOAD);
            seen.r1 = 1;
        } catch (IllegalStateException closed) {
            seen.r1 = 0;
        }
    }

    @Actor
    public void closer(III_Result seen) {
        inlet.stop();
        inlet.isStored();
        seen.r2 = (int) inlet.drainedAt();
        inlet.close();
    }

    @Arbiter
    public void judge(III_Result seen) {
        seen.r3 = topic.isMisused() ? 1 : 0;
    }
}
