package dev.baton.engine;

import dev.baton.BackPressureException;
import dev.baton.ChainFailedException;
import dev.baton.Claim;
import dev.baton.Inlet;
import dev.baton.Inlet.Batch;
import dev.baton.Message;
import dev.baton.MessageFields;
import dev.baton.Serde;
import dev.baton.engine.chain.Wait;
import dev.baton.engine.inlet.ThreadInlet;
import dev.baton.engine.message.Encoding;
import dev.baton.run.Environment;
import dev.baton.status.ChainStatus.HeldBack;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The inlet of a chain that restarts. It uses the inlet of the current run; between two runs there is no room. Confined to
 * one thread.
 */
final class RestartingInlet implements Inlet {
    private static final long WAIT_NANOS = 50_000;
    private static final MessageFields NONE = new MessageFields(); // never changed

    private final RestartingChain chain;
    private final Environment environment;
    private final long sendLimitNanos;
    private final boolean isDirect; // otherwise a commit that throws sends nothing
    private final MessageFields sending = new MessageFields();
    private ChainRun run; // run of the current inlet
    private ChainRun asked; // run that the call in progress uses; null before it has found one
    private Inlet inlet;

    RestartingInlet(RestartingChain chain, Environment environment, long sendLimitNanos, boolean isDirect) {
        this.chain = chain;
        this.environment = environment;
        this.sendLimitNanos = sendLimitNanos;
        this.isDirect = isDirect;
    }

    /** Returns the inlet of the current run, null between runs. */
    private Inlet current() {
        ChainRun now = chain.running();
        Throwable stopped = chain.failure();
        if (stopped != null) {
            throw new ChainFailedException(chain.chain(), stopped);
        }
        if (chain.isEnded()) {
            throw new IllegalStateException("chain " + chain.chain() + " is closed");
        }
        if (now == null || now.failure().isPresent()) {
            return null;
        }
        asked = now;
        if (now != run) {
            inlet = now.inlet();
            run = now;
        }
        return inlet;
    }

    /**
     * Calls a function with the inlet of the current run. Returns null if there is no run, or if it ended during the call:
     * the next run may have begun before the call on the ended one throws.
     */
    private <T> T tried(Function<Inlet, T> call) {
        try {
            asked = null;
            Inlet now = current();
            return now == null ? null : call.apply(now);
        } catch (RuntimeException thrown) {
            boolean hasEnded = asked != null && asked.failure().isPresent();
            if (!hasEnded && !chain.isRestarting()) {
                throw thrown;
            }
            return null;
        }
    }

    private <T> T awaited(Supplier<T> call) {
        long begun = environment.nanoTime();
        T answer = call.get();
        return answer == null ? awaited(call, begun) : answer;
    }

    private <T> T awaited(Supplier<T> call, long begun) {
        ThreadInlet.checkMayWait(chain.loops(), chain.chain()); // which the next run needs, too
        try (Wait wait = new Wait(environment)) {
            T answer = null;
            while (answer == null) {
                if (environment.nanoTime() - begun > sendLimitNanos) {
                    throw new BackPressureException("chain " + chain.chain() + " had no room for "
                            + sendLimitNanos / 1_000_000 + " ms: it "
                            + (chain.isRestarting() ? "is restarted after " + chain.lastFailure() : heldBack()));
                }
                wait.park(WAIT_NANOS);
                answer = call.get();
            }
            return answer;
        }
    }

    private String heldBack() {
        ChainRun now = run;
        HeldBack held = now == null ? null : now.holdingBack();
        return held == null ? "is slower than its senders, or stalled" : "waits: " + held;
    }

    /** Sends a complete message; if the run ends before the commit, the message is sent in the next run. */
    private void sent(int maxLength, MessageFields fields, Consumer<Claim> commit) {
        ThreadInlet.checkMayWait(chain.loops(), chain.chain());
        sending.copyFrom(fields); // all attempts have one origin
        if (fields.originNanos() == Message.UNKNOWN_TIME) {
            sending.originNanos(environment.nanoTime());
        }
        while (true) {
            Claim claim = awaited(() -> tryClaim(maxLength, sending));
            ChainRun called = run;
            try {
                commit.accept(claim);
                return;
            } catch (IllegalStateException refused) {
                if (called.failure().isEmpty()) {
                    throw refused;
                } // otherwise the claim was released or the inlet closed: nothing was sent
            } catch (RuntimeException thrown) {
                if (!isDirect && thrown instanceof ChainFailedException) {
                    continue; // the frame was not released to the loop
                }
                Throwable cause = called.failure().orElse(null);
                throw cause == null ? thrown : new ChainFailedException(chain.chain(), cause);
            }
        }
    }

    @Override
    public Claim tryClaim(int maxLength) {
        return tried(now -> now.tryClaim(maxLength));
    }

    @Override
    public Claim tryClaim(int maxLength, MessageFields fields) {
        return tried(now -> now.tryClaim(maxLength, fields));
    }

    @Override
    public <T> void send(T value, Serde<T> codec) {
        send(value, codec, NONE);
    }

    @Override
    public <T> void send(T value, Serde<T> codec, MessageFields fields) {
        sent(Encoding.maxLength(codec, value), fields, claim -> Encoding.send(claim, value, codec));
    }

    @Override
    public void send(byte[] payload) {
        Objects.requireNonNull(payload, "payload");
        send(ByteBuffer.wrap(payload), NONE);
    }

    @Override
    public void send(ByteBuffer payload, MessageFields fields) {
        int length = payload.remaining();
        sent(
                length,
                fields,
                claim -> claim.putBytes(0, payload, payload.position(), length).commit(length));
    }

    @Override
    public Batch batch() {
        return awaited(() -> tried(Inlet::batch));
    }

    @Override
    public long sequence() {
        return awaited(() -> tried(Inlet::sequence));
    }

    @Override
    public long storedSequence() {
        return awaited(() -> tried(Inlet::storedSequence));
    }
}
