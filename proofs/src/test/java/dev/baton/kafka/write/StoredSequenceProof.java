package dev.baton.kafka.write;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Proof that a loop that has read a count of acknowledgements sees a stored sequence that is no older.
 *
 * <p>The producer's thread increases the sequence before it counts the acknowledgement; the loop loads the count before the sequence. The
 * count is volatile, so a thread that reads n of it sees the sequence stored before the n-th count: n or more.
 */
@JCStressTest
@Outcome(
        id = {"0, 0", "1, 1", "2, 2"},
        expect = ACCEPTABLE,
        desc = "Both are of one moment.")
@Outcome(
        id = {"0, 1", "0, 2", "1, 2"},
        expect = ACCEPTABLE,
        desc = "The sequence was read later and has moved on.")
@Outcome(expect = FORBIDDEN, desc = "Acknowledgements were counted whose frames do not count as stored.")
@State
public class StoredSequenceProof {
    private final AcknowledgedWriter kafka = new AcknowledgedWriter();

    @Actor
    public void producer() {
        kafka.acknowledge();
        kafka.acknowledge();
    }

    @Actor
    public void loop(II_Result seen) {
        seen.r1 = kafka.producer.doWork();
        seen.r2 = (int) kafka.writer.storedSequence();
    }
}
