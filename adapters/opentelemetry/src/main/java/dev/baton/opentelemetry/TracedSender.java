package dev.baton.opentelemetry;

import dev.baton.Claim;
import dev.baton.MessageFields;
import dev.baton.Sender;
import dev.baton.Serde;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Consumer;

/** A sender whose messages carry the context of a new span, or of the current one. Its threads are those of its sender. */
final class TracedSender implements Sender {
    private static final MessageFields NONE = new MessageFields(); // never changed

    private final MessageFields sent = new MessageFields();
    private final Tracer tracer;
    private final Sender sender;
    private final String topic;
    private final String spanName;

    TracedSender(Tracer tracer, Sender sender, String topic) {
        this.tracer = tracer;
        this.sender = sender;
        this.topic = topic;
        this.spanName = "send " + topic;
    }

    @Override
    public Claim tryClaim(int maxLength) {
        return tryClaim(maxLength, NONE);
    }

    @Override
    public Claim tryClaim(int maxLength, MessageFields fields) {
        return sender.tryClaim(maxLength, fields.trace() == null ? with(fields, BatonTracing.current()) : fields);
    }

    @Override
    public <T> void send(T value, Serde<T> codec) {
        send(value, codec, NONE);
    }

    @Override
    public <T> void send(T value, Serde<T> codec, MessageFields fields) {
        if (fields.trace() == null) {
            traced(context -> sender.send(value, codec, with(fields, context)));
        } else {
            sender.send(value, codec, fields);
        }
    }

    @Override
    public void send(byte[] payload) {
        Objects.requireNonNull(payload, "payload");
        send(ByteBuffer.wrap(payload), NONE);
    }

    @Override
    public void send(ByteBuffer payload, MessageFields fields) {
        if (fields.trace() == null) {
            traced(context -> sender.send(payload, with(fields, context)));
        } else {
            sender.send(payload, fields);
        }
    }

    private MessageFields with(MessageFields fields, ByteBuffer context) {
        return sent.copyFrom(fields).trace(context);
    }

    private void traced(Consumer<ByteBuffer> sending) {
        Span span = tracer.spanBuilder(spanName)
                .setSpanKind(SpanKind.PRODUCER)
                .setAttribute(Attributes.SYSTEM, Attributes.BATON)
                .setAttribute(Attributes.OPERATION_NAME, "send")
                .setAttribute(Attributes.OPERATION_TYPE, "send")
                .setAttribute(Attributes.DESTINATION, topic)
                .startSpan();
        try {
            sending.accept(BatonTracing.contextOf(span));
        } catch (RuntimeException | Error thrown) {
            Attributes.failed(span, thrown);
            throw thrown;
        } finally {
            span.end();
        }
    }
}
