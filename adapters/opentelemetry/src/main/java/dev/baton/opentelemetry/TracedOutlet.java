package dev.baton.opentelemetry;

import dev.baton.Claim;
import dev.baton.Outlet;
import java.nio.ByteBuffer;

/** An outlet whose messages carry the context of the service's span. Aimed anew for each message; confined to its loop. */
final class TracedOutlet implements Outlet {
    private Outlet out;
    private ByteBuffer context; // null: the span is not sampled, and the input's context is passed on

    TracedOutlet of(Outlet behind, ByteBuffer contextOfSpan) {
        out = behind;
        context = contextOfSpan;
        return this;
    }

    @Override
    public int remainingCapacity() {
        return out.remainingCapacity();
    }

    @Override
    public long sequence() {
        return out.sequence();
    }

    @Override
    public ByteBuffer inputKey() {
        return out.inputKey();
    }

    @Override
    public Claim claim(int maxLength) {
        return out.claim(maxLength, null, context);
    }

    @Override
    public Claim claim(int maxLength, long originNanos) {
        return out.claim(maxLength, originNanos, null, context);
    }

    @Override
    public Claim claim(int maxLength, ByteBuffer key) {
        return out.claim(maxLength, key, context);
    }

    @Override
    public Claim claim(int maxLength, long originNanos, ByteBuffer key) {
        return out.claim(maxLength, originNanos, key, context);
    }

    @Override
    public Claim claim(int maxLength, ByteBuffer key, ByteBuffer trace) {
        return out.claim(maxLength, key, trace == null ? context : trace);
    }

    @Override
    public Claim claim(int maxLength, long originNanos, ByteBuffer key, ByteBuffer trace) {
        return out.claim(maxLength, originNanos, key, trace == null ? context : trace);
    }
}
