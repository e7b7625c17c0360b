package dev.baton.disruptor;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.StartPosition;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Proof that a consumer that is added while the writer raises the floor begins at the oldest frame whose slot the writer may not take.
 *
 * <p>Frames 1 and 2 fill the ring; the one consumer has acknowledged frame 1, but the floor has not followed yet. Now a second consumer is
 * added while the writer requests room. Both decide under the ring's monitor: either the floor rises first, the writer gets frame 1's slot
 * and the new consumer begins at frame 2; or the new consumer enters first at frame 1 and retains its slot, and the writer is refused. The
 * writer's check outside of the monitor only decides whether it enters. The actors call the ring itself: a writer and a reader opened here
 * would meet at the monitor first, and seldom where the floor rises.
 */
@JCStressTest
@Outcome(
        id = "1, 2",
        expect = ACCEPTABLE,
        desc = "The floor rose first: the new consumer begins after the freed frame.")
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "The new consumer was first and retains all frames: no room.")
@Outcome(id = "1, 1", expect = FORBIDDEN, desc = "The writer may take a slot that the new consumer was given.")
@Outcome(id = "0, 2", expect = FORBIDDEN, desc = "The new consumer misses a frame whose slot was not freed.")
@Outcome(expect = FORBIDDEN, desc = "The new consumer does not begin at a frame of the ring.")
@State
public class RingEntryProof {
    private final SlottedRing ring = new SlottedRing("t", 2, Long.BYTES);

    public RingEntryProof() {
        RingReader reader = new RingReader(ring, "known", StartPosition.stored(), closed -> {});
        RingWriter writer = new RingWriter(ring, "", new Publications(), closed -> {});
        for (int frame = 0; frame < 2; frame++) {
            writer.claim(Long.BYTES);
            writer.commit(Long.BYTES);
            writer.flush();
        }
        writer.close();
        reader.poll((frame, position) -> Verdict.DONE, 1);
        reader.acknowledge(0);
        reader.close();
    }

    @Actor
    public void writer(II_Result freed) {
        freed.r1 = (int) SlottedRing.sequenceAt(ring.raiseFloor());
    }

    @Actor
    public void newcomer(II_Result next) {
        SlottedRing.RingConsumer consumer = ring.openConsumer("newcomer", StartPosition.stored());
        next.r2 = (int) SlottedRing.sequenceAt(consumer.acknowledged.get()) + 1;
    }
}
