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
 * Proof that each value that one thread records is in exactly one interval, and that an interval does not change after it was taken.
 *
 * <p>The writer makes the count odd (an atomic addition) and then reads which histograms are active; the reader exchanges them (a volatile
 * store) and then reads the count. All four are sequentially consistent: the reader sees the writer inside and waits for it, or the writer
 * entered after that read and finds the new histograms. Leaving is a release store of the count and the reader's read an acquire load, so a
 * value is complete in its interval.
 *
 * <p>The first figure is the reader's: whether an interval held halves of a record, or changed later. The second one is computed when both
 * have finished: the inputs compared with the outputs.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Every value came out once, in an interval that did not change.")
@Outcome(id = "0, 1", expect = FORBIDDEN, desc = "A value was lost.")
@Outcome(id = "0, 2", expect = FORBIDDEN, desc = "A value came out twice.")
@Outcome(expect = FORBIDDEN, desc = "The reader was given histograms that the writer was still in.")
@State
public class RecorderProof {
    private static final Balance BALANCE = new Balance(new LatencyRecorder(2, 1, false));

    @Actor
    public void writer() {
        BALANCE.record(0);
    }

    @Actor
    public void reader(II_Result seen) {
        seen.r1 = BALANCE.take();
    }

    @Arbiter
    public void judge(II_Result seen) {
        seen.r2 = BALANCE.settle();
    }
}
