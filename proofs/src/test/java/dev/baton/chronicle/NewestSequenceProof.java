package dev.baton.chronicle;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Proof that the queue contains the frames up to a topic's newest sequence, to be read at once.
 *
 * <p>The writer appends its excerpt to the mapped file and then stores the newest sequence, with release. The reader loads it, volatile,
 * and then reads the file. A thread that loads n sees everything before its store, and so excerpt n with every byte: the reader need not
 * check the file again, and a reader that is woken for n finds n.
 */
@JCStressTest
@Outcome(id = "0", expect = ACCEPTABLE, desc = "The newest sequence showed no new frame.")
@Outcome(id = "1", expect = ACCEPTABLE, desc = "All frames up to it were read.")
@Outcome(id = "2", expect = FORBIDDEN, desc = "It showed a frame that was not in the queue.")
@Outcome(id = "3", expect = FORBIDDEN, desc = "A frame was skipped, repeated, or altered.")
@State
public class NewestSequenceProof {
    private static final WatchedQueue QUEUE = new WatchedQueue();

    @Actor
    public void writer() {
        QUEUE.append();
    }

    @Actor
    public void reader(I_Result seen) {
        seen.r1 = QUEUE.read();
    }
}
