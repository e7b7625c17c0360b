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
 * Proof that a reader that sees a ring's cursor sees every byte of every frame up to it, and a batch at once or not at all.
 *
 * <p>The writer fills two frames, header and payload, and publishes them with one release store of the cursor. The reader loads the cursor
 * once with acquire. It reads the old value, and then nothing; or the new one, and then the release and the acquire order both frames'
 * bytes before its reads. The store is one, so no value between the two exists.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "The reader looked before the batch was published.")
@Outcome(id = "2, 2", expect = ACCEPTABLE, desc = "The reader saw the whole batch, and all of its bytes.")
@Outcome(expect = FORBIDDEN, desc = "Half of a batch, or a frame without its bytes.")
@State
public class RingPublicationProof {
    private static final long PAYLOAD = 0x0123_4567_89AB_CDEFL;

    private final SlottedRing ring = new SlottedRing("t", 2, Long.BYTES);
    private int whole;

    @Actor
    public void writer() {
        RingWriter writer = new RingWriter(ring, "", new Publications(), closed -> {});
        write(writer);
        write(writer);
        writer.flush();
    }

    @Actor
    public void reader(II_Result seen) {
        RingReader reader = new RingReader(ring, "c", StartPosition.stored(), closed -> {});
        seen.r1 = reader.poll(this::onFrame, 10);
        seen.r2 = whole;
    }

    private static void write(RingWriter writer) {
        Frame frame = writer.claim(Long.BYTES);
        frame.putLong(0, PAYLOAD);
        frame.stamp(1, 2, 3, 4, 5);
        writer.commit(Long.BYTES);
    }

    private Verdict onFrame(Frame frame, long position) {
        if (frame.sequence() == position + 1
                && frame.length() == Long.BYTES
                && frame.sentNanos() == 5
                && frame.cause() == 3
                && frame.getLong(0) == PAYLOAD) {
            whole++;
        }
        return Verdict.DONE;
    }
}
