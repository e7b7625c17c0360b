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
 * Each value that one thread records is in exactly one interval, and nothing moves in an interval that was taken.
 *
 * <p>The writer makes the count odd (an atomic addition) and then looks which histograms are active; the reader exchanges
 * them (a volatile store) and then looks at the count. All four are sequentially consistent: the reader sees the writer
 * inside and waits for it, or the writer went in after that look and finds the new histograms. Leaving is a release store
 * of the count and the reader's look an acquire load, so a value is whole in the interval that it is in.
 *
 * <p>The first figure is the reader's: whether an interval held halves of a record, or changed later. The second one is
 * reckoned when both are done: what went in against what came out.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Every value came out once, in an interval at rest.")
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
