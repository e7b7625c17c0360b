package dev.baton.disruptor;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.StartPosition;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Proof that a consumer that is added while the writer advances receives the oldest retained frame, and that no later frame is overwritten.
 *
 * <p>Frames 1 and 2 fill the ring; the one consumer has acknowledged frame 1, but the floor has not followed yet. Now a second consumer is
 * added while the writer requests room. Both decide under the ring's monitor: either the floor rises first, the writer gets frame 1's slot
 * and the new consumer begins at frame 2; or the new consumer enters first at frame 1 and retains its slot, and the writer is refused. The
 * writer's check outside of the monitor only decides whether it enters.
 */
@JCStressTest
@Outcome(
        id = "1, 2",
        expect = ACCEPTABLE,
        desc = "The floor rose first: the new consumer begins after the freed frame.")
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "The new consumer was first and retains all frames: no room.")
@Outcome(id = "1, 1", expect = FORBIDDEN, desc = "The writer took a slot that the newcomer was given.")
@Outcome(id = "0, 2", expect = FORBIDDEN, desc = "The new consumer missed a frame whose slot was not reused.")
@Outcome(expect = FORBIDDEN, desc = "The new consumer found no frames, or others than those of its sequences.")
@State
public class RingEntryProof {
    private static final int ALTERED = 9;

    private final SlottedRing ring = new SlottedRing("t", 2, Long.BYTES);
    private int first;
    private long expected;

    public RingEntryProof() {
        RingReader reader = new RingReader(ring, "known", StartPosition.stored(), closed -> {});
        RingWriter writer = new RingWriter(ring, "", new Publications(), closed -> {});
        write(writer, writer.claim(Long.BYTES));
        write(writer, writer.claim(Long.BYTES));
        writer.close();
        reader.poll((frame, position) -> Verdict.DONE, 1);
        reader.acknowledge(0);
        reader.close();
    }

    @Actor
    public void writer(II_Result seen) {
        RingWriter writer = new RingWriter(ring, "", new Publications(), closed -> {});
        Frame frame = writer.claim(Long.BYTES);
        if (frame != null) {
            write(writer, frame);
            seen.r1 = 1;
        }
    }

    @Actor
    public void newcomer(II_Result seen) {
        RingReader reader = new RingReader(ring, "newcomer", StartPosition.stored(), closed -> {});
        expected = reader.found().acknowledged() + 1;
        reader.poll(this::onFrame, 10);
        seen.r2 = first;
    }

    private static void write(RingWriter writer, Frame frame) {
        frame.putLong(0, writer.sequence() + 1);
        writer.commit(Long.BYTES);
        writer.flush();
    }

    private Verdict onFrame(Frame frame, long position) {
        if (first == 0) {
            first = (int) frame.sequence();
        }
        if (frame.sequence() != expected || frame.getLong(0) != expected || position != expected - 1) {
            first = ALTERED;
        }
        expected++;
        return Verdict.DONE;
    }
}
