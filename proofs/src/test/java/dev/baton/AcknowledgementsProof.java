package dev.baton;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.baton.engine.cycle.Acknowledgements;
import dev.baton.kafka.write.AcknowledgedWriter;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.TopicReader;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * An input is acknowledged only after every output it caused is stored, with the storing done by another thread.
 *
 * <p>Only the loop uses the ledger. The stored sequence crosses threads, here that of a Kafka writer. The log stands for the broker's: a
 * plain counter that the producer's thread raises before each acknowledgement. Input 10 caused output 1, input 11 outputs 2 and 3. The
 * ledger acknowledges an input only for a stored sequence that has reached its last output, and the release and the acquire of that
 * sequence order the storing before the acknowledgement. So at that moment the log holds at least those outputs.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Nothing was stored yet as far as the loop knew.")
@Outcome(
        id = {"10, 1", "10, 2", "10, 3"},
        expect = ACCEPTABLE,
        desc = "The first input, whose output is stored; the log may contain more.")
@Outcome(id = "11, 3", expect = ACCEPTABLE, desc = "Both inputs; all three outputs are stored.")
@Outcome(expect = FORBIDDEN, desc = "An input was acknowledged whose outputs are not all stored.")
@State
public class AcknowledgementsProof {
    private final AcknowledgedWriter kafka = new AcknowledgedWriter();
    private final Inputs inputs = new Inputs();
    private final Acknowledgements pending = new Acknowledgements(inputs);

    public AcknowledgementsProof() {
        pending.note(1, 10, 1);
        pending.note(2, 11, 3);
    }

    @Actor
    public void producer() {
        for (int i = 0; i < 3; i++) {
            inputs.log++;
            kafka.acknowledge();
        }
    }

    @Actor
    public void loop(II_Result seen) {
        pending.settle(kafka.writer().storedSequence());
        seen.r1 = inputs.acknowledged;
        seen.r2 = inputs.logThen;
    }

    /** Records with each acknowledgement the number of outputs in the log. */
    private static final class Inputs implements TopicReader {
        private int log; // plain, the producer's
        private int acknowledged;
        private int logThen;

        @Override
        public void acknowledge(long position) {
            acknowledged = (int) position;
            logThen = log;
        }

        @Override
        public int poll(FrameHandler handler, int limit) {
            throw new UnsupportedOperationException("a ledger does not poll");
        }

        @Override
        public void close() {}
    }
}
