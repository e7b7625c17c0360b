package dev.baton;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.baton.SharedInlet.Offer;
import dev.baton.engine.chain.ChainState;
import dev.baton.engine.cycle.Upstream;
import dev.baton.engine.inlet.InletQueue;
import dev.baton.engine.inlet.SharedSource;
import dev.baton.engine.inlet.SourcePart;
import dev.baton.engine.writing.PendingOpens;
import dev.baton.engine.writing.WriterFactory;
import dev.baton.proofs.WatchedTopic;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Proof that a message accepted by a shared inlet is sent, even if the chain closes at that moment, and a refused one is not.
 *
 * <p>The offer puts its message into the queue and then checks whether the chain is closing; if so it takes the message back, and refuses
 * if that succeeds. The loop checks the queue for the last time after it has seen the chain closing. If the offer finds the chain not
 * closing, its message was in the queue before the chain began to close, and the loop finds it. If it finds the chain closing, either it
 * gets its message back, or the loop has taken it and sends it.
 */
@JCStressTest
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Accepted and sent.")
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Refused: the chain is closing.")
@Outcome(id = "1, 0", expect = FORBIDDEN, desc = "Accepted and then dropped.")
@Outcome(id = "0, 1", expect = FORBIDDEN, desc = "Refused, and sent all the same.")
@State
public class SharedInletProof {
    private static final byte[] PAYLOAD = new byte[Long.BYTES];

    private final ChainState chain = new ChainState("c", failure -> {}, null, dev.baton.run.Environment.system());
    private final InletQueue inlet = new InletQueue(1, Long.BYTES, chain);
    private final SharedSource source = new SharedSource(inlet, chain, "t");
    private final SourcePart feed;

    public SharedInletProof() {
        SourcePart.Pending pending = new SourcePart.Pending(
                "t", source, 0, 0, chain, new WriterFactory(false, false, false, Long.BYTES, ""));
        PendingOpens openings = new PendingOpens(new WatchedTopic(), true);
        pending.begin(openings);
        openings.prepare(() -> {}, true, chain.environment());
        feed = pending.open(openings, null);
    }

    @Actor
    public void sender(II_Result seen) {
        seen.r1 = inlet.offer(PAYLOAD) == Offer.ACCEPTED ? 1 : 0;
    }

    /** Runs the turns of a section whose chain is closing. */
    @Actor
    public void loop(II_Result seen) {
        feed.doWork();
        chain.beginClosing();
        while (feed.drainedAt() == Upstream.NOT_YET) {
            feed.doWork();
            feed.checkDrained();
        }
        seen.r2 = (int) feed.drainedAt();
    }
}
