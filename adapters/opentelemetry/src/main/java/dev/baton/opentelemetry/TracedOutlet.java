package dev.baton.opentelemetry;

import dev.baton.Claim;
import dev.baton.Message;
import dev.baton.MessageFields;
import dev.baton.Outlet;
import java.nio.ByteBuffer;

/** An outlet whose messages carry the context of the service's span. Aimed anew for each message; confined to its loop. */
final class TracedOutlet implements Outlet {
    private final MessageFields traced = new MessageFields(); // of the message that is claimed
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
        return claim(maxLength, (ByteBuffer) null);
    }

    @Override
    public Claim claim(int maxLength, ByteBuffer key) {
        return out.claim(
                maxLength,
                traced.type(0).originNanos(Message.UNKNOWN_TIME).key(key).trace(context));
    }

    @Override
    public Claim claim(int maxLength, MessageFields fields) {
        return fields.trace() != null
                ? out.claim(maxLength, fields)
                : out.claim(maxLength, traced.copyFrom(fields).trace(context));
    }
}
