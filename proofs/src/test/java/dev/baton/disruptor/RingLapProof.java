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
 * Proof that a lap begins only when its reader has finished, and that the reader finds the frames of a new lap.
 *
 * <p>Two of four slots hold a frame and the consumer has acknowledged none. The reader reads both and acknowledges them, a release
 * store. The writer adds a third frame: in the third slot, or, if its acquire load finds the acknowledgement, in the first one as a new
 * lap. The reader then polls once more: it finds nothing, or the third frame, wherever it lies.
 */
@JCStressTest
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "The reader polled before the third frame was published.")
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "The reader found the third frame.")
@Outcome(expect = FORBIDDEN, desc = "The reader found another frame in a slot than the one published there.")
@State
public class RingLapProof {
    private final SlottedRing ring = new SlottedRing("t", 4, Long.BYTES);
    private long next = 1; // of the reader
    private boolean isAltered;

    public RingLapProof() {
        ring.closeConsumer(ring.openConsumer("c", StartPosition.stored()));
        RingWriter writer = new RingWriter(ring, "", new Publications(), closed -> {});
        write(writer, 1);
        write(writer, 2);
        writer.close();
    }

    @Actor
    public void writer() {
        write(new RingWriter(ring, "", new Publications(), closed -> {}), 3);
    }

    @Actor
    public void reader(II_Result seen) {
        RingReader reader = new RingReader(ring, "c", StartPosition.stored(), closed -> {});
        reader.poll(this::onFrame, 2);
        reader.acknowledge(1);
        seen.r1 = reader.poll(this::onFrame, 1);
        seen.r2 = isAltered ? 0 : 1;
    }

    private static void write(RingWriter writer, long value) {
        writer.claim(Long.BYTES).putLong(0, value);
        writer.commit(Long.BYTES);
        writer.flush();
    }

    private Verdict onFrame(Frame frame, long position) {
        isAltered |= frame.length() != Long.BYTES || frame.getLong(0) != next || frame.sequence() != next;
        next++;
        return Verdict.DONE;
    }
}
