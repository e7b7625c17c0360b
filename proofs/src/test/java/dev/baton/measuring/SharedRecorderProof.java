package dev.baton.measuring;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Proof of the properties of {@link RecorderProof} for a recorder that two threads share.
 *
 * <p>Here HdrHistogram's phaser counts the threads that enter and leave, with two atomic additions each, and the histograms add atomically.
 * The proof shows that the recorder uses them so: it enters before it reads which histograms are active, and leaves when it has recorded.
 * The reader is the second writer as well: jcstress runs no more actors than there are cores, and this has to run on two.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Every value came out once, in an interval that did not change.")
@Outcome(id = "0, 1", expect = FORBIDDEN, desc = "A value was lost.")
@Outcome(id = "0, 2", expect = FORBIDDEN, desc = "A value came out twice.")
@Outcome(expect = FORBIDDEN, desc = "The reader was given histograms that a writer was still in.")
@State
public class SharedRecorderProof {
    private static final Balance BALANCE = new Balance(new LatencyRecorder(2, 1, true));

    @Actor
    public void writer() {
        BALANCE.record(0);
    }

    /** The other writer, and the reader. */
    @Actor
    public void reader(II_Result seen) {
        BALANCE.record(1);
        seen.r1 = BALANCE.take();
    }

    @Arbiter
    public void judge(II_Result seen) {
        seen.r2 = BALANCE.settle();
    }
}
