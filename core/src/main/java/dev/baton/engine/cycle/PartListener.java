package dev.baton.engine.cycle;

import dev.baton.engine.chain.ChainState;
import dev.baton.engine.chain.GuardedListener;
import dev.baton.run.Environment;
import dev.baton.spi.TopicWriter;

/** Notifies the listener of a chain about the events of one part. Confined to its loop. */
public final class PartListener {
    private final GuardedListener listener;
    private final boolean takesBatches;
    private final String part;
    private final String input;
    private final String output;
    private final TopicWriter writer;
    private final Environment environment;
    private long handedOver; // sequence of the newest output of the last batch
    private long blockedSince;
    private boolean isBlocked;

    private PartListener(
            GuardedListener listener,
            String part,
            String input,
            String output,
            TopicWriter writer,
            Environment environment) {
        this.listener = listener;
        this.takesBatches = listener.takesBatches();
        this.part = part;
        this.input = input;
        this.output = output;
        this.writer = writer;
        this.environment = environment;
        this.handedOver = writer.sequence();
    }

    /** Returns null if the chain has no listener. */
    public static PartListener of(ChainState state, String part, String input, String output, TopicWriter writer) {
        return state.listener() == null
                ? null
                : new PartListener(state.listener(), part, input, output, writer, state.environment());
    }

    /** Records whether the part can take no input because there is no room for its outputs. Called before each poll. */
    void blocked(boolean isBlockedNow) {
        if (isBlockedNow == isBlocked) {
            return;
        }
        isBlocked = isBlockedNow;
        if (isBlocked) {
            blockedSince = environment.nanoTime();
            listener.onBackPressure(part, output);
        } else {
            listener.onBackPressureEnded(part, output, environment.nanoTime() - blockedSince);
        }
    }

    /** Notifies the listener of a batch that was flushed. */
    public void batch(int inputs) {
        if (!takesBatches) {
            return;
        }
        long newest = writer.sequence();
        int outputs = (int) (newest - handedOver);
        handedOver = newest;
        if (inputs > 0 || outputs > 0) {
            listener.onBatch(part, input, inputs, outputs);
        }
    }

    void retry(long sequence, int attempts, Throwable thrown) {
        listener.onRetry(part, input, sequence, attempts, thrown);
    }

    void deadLetter(long sequence, int attempts, Throwable thrown) {
        listener.onDeadLetter(part, input, sequence, attempts, thrown);
    }
}
