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
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Proof that of two threads that use an inlet for the first time at once, one becomes its owner and the other is refused.
 *
 * <p>The thread that takes the state from idle to busy first opens the connection and is the owner before the state is idle again. The
 * other one finds the state busy, or takes it later and then finds the owner. Its check before that may find no owner yet: that check only
 * keeps a foreign thread from disturbing the owner.
 */
@JCStressTest
@Outcome(
        id = {"1, 0", "0, 1"},
        expect = ACCEPTABLE,
        desc = "One is the owner, the other one is refused.")
@Outcome(id = "1, 1", expect = FORBIDDEN, desc = "Both were let in.")
@Outcome(id = "0, 0", expect = FORBIDDEN, desc = "Neither was let in.")
@State
public class InletOwnerProof {
    private final ThreadInlet inlet = new ThreadInlet(
            "t",
            new OneConnection(new WatchedTopic()),
            new ChainState("c", failure -> {}, null, dev.baton.run.Environment.system()),
            null,
            Long.MAX_VALUE,
            new WriterFactory(false, false, false, Long.BYTES, ""),
            new NoLoops());

    @Actor
    public void one(II_Result seen) {
        seen.r1 = isLetIn();
    }

    @Actor
    public void other(II_Result seen) {
        seen.r2 = isLetIn();
    }

    private int isLetIn() {
        try {
            inlet.tryClaim(1);
            return 1;
        } catch (IllegalStateException belongsToTheOther) {
            return 0;
        }
    }
}
