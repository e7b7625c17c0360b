package dev.baton.engine.loop;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.baton.proofs.OneConnection;
import dev.baton.run.Environment;
import dev.baton.spi.Connection;
import dev.baton.spi.Opening;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Proof that a loop without work waits, and that a frame published while it decides to wait ends the wait.
 *
 * <p>The writer publishes with a release store, executes a full fence and reads the loop's flag. The loop sets the flag, executes a full
 * fence and sweeps once more, which loads the published sequence with acquire. If both reads found the old value, each load would precede
 * the other side's store, although each follows its own store and a fence: a cycle. So the sweep sees the frame, or the writer sees the
 * flag; then exactly one side clears it and wakes.
 *
 * <p>The real loop runs here, to its end, over a connection whose wait ends with a wake-up or when the writer has finished without one.
 */
@JCStressTest
@Outcome(id = "0", expect = ACCEPTABLE, desc = "A sweep saw the news.")
@Outcome(id = "1", expect = ACCEPTABLE, desc = "The wait was ended by the writer.")
@Outcome(id = "2", expect = FORBIDDEN, desc = "The wake-up was lost: the loop would have slept on.")
@State
public class LoopWakeProof implements Connection, Task {
    private static final VarHandle NEWS;

    static {
        try {
            NEWS = MethodHandles.lookup().findVarHandle(LoopWakeProof.class, "news", boolean.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final Loop loop = new Loop(Environment.system(), idleSweeps -> 1_000_000, 0, false, true);
    private boolean news;
    private volatile boolean isWoken;
    private volatile boolean isWriterDone;
    private int outcome; // the loop's

    @Actor
    public void loop(I_Result seen) {
        loop.add(this);
        while (loop.run()) {
            // its pauses are its own
        }
        seen.r1 = outcome;
    }

    @Actor
    public void writer() {
        NEWS.setRelease(this, true); // as transports publish
        loop.wake();
        isWriterDone = true;
    }

    @Override
    public void open(Connections connections) {
        connections.to(new OneConnection(this));
    }

    @Override
    public int doWork() {
        if ((boolean) NEWS.getAcquire(this)) {
            loop.stop();
        }
        return 0;
    }

    @Override
    public void await(long nanos) {
        while (!isWoken && !isWriterDone) {
            Thread.onSpinWait();
        }
        outcome = Math.max(outcome, isWoken ? 1 : 2);
    }

    @Override
    public void wake() {
        isWoken = true;
    }

    @Override
    public void failed(Throwable cause) {
        // Its loop was stopped before it was taken off: that is how this loop ends.
    }

    @Override
    public Opening<TopicWriter> beginWriter(String topic, String topology) {
        throw new UnsupportedOperationException("nothing is written here");
    }

    @Override
    public Opening<TopicReader> beginReader(String topic, String consumer, StartPosition from) {
        throw new UnsupportedOperationException("nothing is read here");
    }

    @Override
    public void close() {}
}
