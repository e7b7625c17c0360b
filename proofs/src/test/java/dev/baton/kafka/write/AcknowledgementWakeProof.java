package dev.baton.kafka.write;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.baton.kafka.connection.LoopWakeup;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Proof that a loop without room waits until the acknowledgement that frees some, and never longer.
 *
 * <p>The loop sets the producer's flag of starvation and reads the stored sequence again; before it waits it reads the count of
 * acknowledgements. The producer's thread stores the sequence (a release store), counts the acknowledgement (a volatile store) and reads
 * the flag. Flag and count are volatile, so one of the two stores comes first, and the other side's read follows its own store: either the
 * producer sees the flag and wakes, or the loop sees the count, and with it the stored sequence, and does not wait. A wake-up before the
 * wait began is kept by {@link LoopWakeup}.
 *
 * <p>The loop follows {@code KafkaConnection.await} in its order, but instead of polling it waits for the end of the poll, or until the
 * producer's thread has finished without ending it.
 */
@JCStressTest
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "There was room, at the first or at the second read.")
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "The producer had news: no wait.")
@Outcome(id = "2, 1", expect = ACCEPTABLE, desc = "Woken before the wait began.")
@Outcome(id = "3, 1", expect = ACCEPTABLE, desc = "The wait was ended by the acknowledgement.")
@Outcome(id = "4, 1", expect = FORBIDDEN, desc = "The wake-up was lost: the loop would have slept on.")
@Outcome(expect = FORBIDDEN, desc = "The loop has read an acknowledgement and does not see the room that it freed.")
@State
public class AcknowledgementWakeProof {
    private static final int HAD_ROOM = 0;
    private static final int HAD_NEWS = 1;
    private static final int WOKEN_BEFORE = 2;
    private static final int WOKEN = 3;
    private static final int LOST = 4;

    private final LoopWakeup wakeup = new LoopWakeup(null); // no thread is parked
    /** A window of 0: storing the one sent frame makes room for one. */
    private final AcknowledgedWriter kafka = new AcknowledgedWriter(0, () -> wakeup.wake(this::endPoll));

    private volatile boolean isPollEnded;
    private volatile boolean isProducerDone;

    @Actor
    public void loop(II_Result seen) {
        kafka.adopt();
        kafka.producer.doWork();
        seen.r1 = kafka.writer.remainingCapacity() > 0 ? HAD_ROOM : await();
        kafka.producer.doWork();
        seen.r2 = kafka.writer.remainingCapacity();
    }

    @Actor
    public void producer() {
        kafka.acknowledge();
        isProducerDone = true;
    }

    private int await() {
        if (!wakeup.begin(true)) {
            return WOKEN_BEFORE;
        }
        try {
            if (kafka.producer.hasNews()) {
                return HAD_NEWS;
            }
            while (!isPollEnded && !isProducerDone) {
                Thread.onSpinWait();
            }
            return isPollEnded ? WOKEN : LOST;
        } finally {
            wakeup.end();
        }
    }

    private void endPoll() {
        isPollEnded = true;
    }
}
