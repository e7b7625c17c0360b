package dev.baton.engine.inlet;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.baton.engine.chain.ChainState;
import dev.baton.engine.writing.FrameWriter;
import dev.baton.engine.writing.WriterOutlet;
import dev.baton.proofs.WatchedTopic;
import dev.baton.run.Environment;
import dev.baton.spi.Frame;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Proof that a loop finds nothing in the ring of an inlet, or a whole frame.
 *
 * <p>The inlet writes payload, header and length of a frame and then releases its slot with a release store; the loop acquires the
 * sequence up to which slots are released before it reads them. A slot that the inlet may use again is handed back in the same way.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "The loop came first.")
@Outcome(id = "1, 7", expect = ACCEPTABLE, desc = "The frame was sent whole.")
@Outcome(expect = FORBIDDEN, desc = "A frame was sent before it was filled.")
@State
public class StagingRingProof {
    private static final Environment SYSTEM = Environment.system();

    private final WatchedTopic topic = new WatchedTopic();
    private final WriterOutlet out = new WriterOutlet(new FrameWriter(topic, Long.BYTES), 0, SYSTEM, null);
    private final StagingRing ring = new StagingRing(new ChainState("c", failure -> {}, null, SYSTEM), "t", Long.BYTES);

    public StagingRingProof() {
        ring.onStart(new FeedContext("c", 0, 1, "t", out, SYSTEM));
        out.beginSource();
    }

    @Actor
    public void inlet() {
        Frame frame = ring.claim(Long.BYTES);
        frame.stamp(0, 0, 0, 0, 0);
        frame.putLong(0, 7);
        ring.commit(Long.BYTES);
        ring.flush();
    }

    @Actor
    public void loop(II_Result seen) {
        seen.r1 = ring.onTick(out);
        seen.r2 = (int) topic.payload();
    }
}
