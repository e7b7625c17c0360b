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
 * Proof that a slot is filled again only when its reader has finished: no reader finds the bytes of a later frame.
 *
 * <p>Both slots of the ring hold a frame and the consumer has acknowledged none, so the writer has no room. The reader reads the first
 * frame twice over and then acknowledges it, a release store. The writer requests room, an acquire load of the reader's store: it is
 * refused, or it finds the acknowledgement, and then all reads of the old frame came before its writes of the new one.
 */
@JCStressTest
@Outcome(
        id = "0, 1",
        expect = ACCEPTABLE,
        desc = "The writer requested room before the acknowledgement and was refused.")
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "The writer took the slot after its reader was done.")
@Outcome(expect = FORBIDDEN, desc = "The reader found a later frame in the slot it was reading.")
@State
public class RingReuseProof {
    private static final int TRIES = 20;

    private final SlottedRing ring = new SlottedRing("t", 2, 2 * Long.BYTES);
    private boolean isAltered;

    public RingReuseProof() {
        ring.closeConsumer(ring.openConsumer("c", StartPosition.stored()));
        RingWriter writer = new RingWriter(ring, "", new Publications(), closed -> {});
        write(writer, writer.claim(2 * Long.BYTES), 1);
        write(writer, writer.claim(2 * Long.BYTES), 2);
        writer.close();
    }

    @Actor
    public void writer(II_Result seen) {
        RingWriter writer = new RingWriter(ring, "", new Publications(), closed -> {});
        for (int i = 0; i < TRIES && seen.r1 == 0; i++) {
            Frame frame = writer.claim(2 * Long.BYTES);
            if (frame != null) {
                write(writer, frame, 3);
                seen.r1 = 1;
            }
        }
    }

    @Actor
    public void reader(II_Result seen) {
        RingReader reader = new RingReader(ring, "c", StartPosition.stored(), closed -> {});
        reader.poll(this::onFrame, 1);
        reader.acknowledge(0);
        seen.r2 = isAltered ? 0 : 1;
    }

    private static void write(RingWriter writer, Frame frame, long value) {
        frame.putLong(0, value);
        frame.putLong(Long.BYTES, value);
        writer.commit(2 * Long.BYTES);
        writer.flush();
    }

    private Verdict onFrame(Frame frame, long position) {
        for (int i = 0; i < 2; i++) {
            isAltered |= frame.getLong(0) != 1 || frame.sequence() != 1 || frame.getLong(Long.BYTES) != 1;
        }
        return Verdict.DONE;
    }
}
