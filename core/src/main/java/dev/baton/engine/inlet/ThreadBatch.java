package dev.baton.engine.inlet;

import dev.baton.Batch;
import dev.baton.Claim;
import dev.baton.MessageFields;
import dev.baton.Serde;
import dev.baton.engine.writing.OutputFrames;
import dev.baton.engine.writing.WriterOutlet;
import dev.baton.run.Environment;
import dev.baton.spi.Frame;
import dev.baton.spi.errors.TransportException;
import java.nio.ByteBuffer;

/**
 * The batch of a {@link ThreadInlet}. While it is open, the inlet sends through an outlet that commits without a flush.
 * Confined to the inlet's thread, except for calls by the closing thread.
 */
public final class ThreadBatch implements Batch {
    private final ThreadInlet inlet;
    private final Environment environment;
    private WriterOutlet flushing; // outlet of the inlet while a batch is open; otherwise null
    private WriterOutlet batching; // null until the first batch

    ThreadBatch(ThreadInlet inlet, Environment environment) {
        this.inlet = inlet;
        this.environment = environment;
    }

    /** Begins a batch. */
    Batch begin() {
        inlet.enter();
        try {
            inlet.opened();
            if (flushing != null) {
                throw new IllegalStateException("a batch of this inlet is open; close it first");
            }
            inlet.outlet.checkNoOpenClaim();
            if (batching == null) {
                batching = new Committing(inlet.outlet.frames());
            }
            flushing = inlet.outlet;
            inlet.outlet = batching;
            return this;
        } finally {
            inlet.leave();
        }
    }

    /**
     * Flushes the committed messages if a batch is open. Called in a call of the inlet, or by the closing thread after the
     * inlet was stopped.
     */
    void handOver() {
        if (flushing != null) {
            batching.writer().flush();
            inlet.wakeLoops();
        }
    }

    @Override
    public void flush() {
        open();
        TransportException ended;
        inlet.enter();
        try {
            handOver();
            return;
        } catch (TransportException failed) {
            ended = inlet.endOfWriter(failed);
        } finally {
            inlet.leave();
        }
        throw inlet.failedBy(ended);
    }

    @Override
    public void close() {
        if (flushing == null) {
            return;
        }
        batching.abortOpenClaim();
        if (!inlet.isEntered()) { // the close of the chain has flushed the batch
            return;
        }
        TransportException ended;
        try {
            handOver();
            return;
        } catch (TransportException failed) {
            ended = inlet.endOfWriter(failed);
        } finally {
            inlet.outlet = flushing;
            flushing = null;
            inlet.leave();
        }
        throw inlet.failedBy(ended);
    }

    private ThreadInlet open() {
        if (flushing == null) {
            throw new IllegalStateException("the batch is closed");
        }
        return inlet;
    }

    @Override
    public Claim tryClaim(int maxLength) {
        return open().tryClaim(maxLength);
    }

    @Override
    public Claim tryClaim(int maxLength, MessageFields fields) {
        return open().tryClaim(maxLength, fields);
    }

    @Override
    public <T> void send(T value, Serde<T> codec) {
        open().send(value, codec);
    }

    @Override
    public <T> void send(T value, Serde<T> codec, MessageFields fields) {
        open().send(value, codec, fields);
    }

    @Override
    public void send(byte[] payload) {
        open().send(payload);
    }

    @Override
    public void send(ByteBuffer payload, MessageFields fields) {
        open().send(payload, fields);
    }

    /** An outlet that commits without a flush. */
    private final class Committing extends WriterOutlet {
        Committing(OutputFrames frames) {
            super(frames, 0, environment, null);
            beginSource();
        }

        @Override
        public long commit(Frame frame, int length, int type, long originNanos) {
            TransportException ended;
            inlet.enter();
            try {
                beginBatch();
                inlet.sent = super.commit(frame, length, type, originNanos);
                return inlet.sent;
            } catch (TransportException failed) {
                ended = inlet.endOfWriter(failed);
            } finally {
                inlet.leave();
            }
            throw inlet.failedBy(ended);
        }

        @Override
        public void abort() {
            inlet.abortInCall(super::abort);
        }
    }
}
