package dev.baton.opentelemetry;

import dev.baton.Claim;
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
        return tryClaim(maxLength, System.nanoTime(), null);
    }

    @Override
    public Claim tryClaim(int maxLength, long originNanos) {
        return tryClaim(maxLength, originNanos, null);
    }

    @Override
    public Claim tryClaim(int maxLength, long originNanos, ByteBuffer key) {
        return sender.tryClaim(maxLength, originNanos, key, BatonTracing.current());
    }

    @Override
    public Claim tryClaim(int maxLength, long originNanos, ByteBuffer key, ByteBuffer trace) {
        return sender.tryClaim(maxLength, originNanos, key, trace == null ? BatonTracing.current() : trace);
    }

    @Override
    public <T> void send(T value, Serde<T> codec) {
        traced(context -> sender.send(value, codec, null, context));
    }

    @Override
    public <T> void send(T value, Serde<T> codec, ByteBuffer key) {
        traced(context -> sender.send(value, codec, key, context));
    }

    @Override
    public <T> void send(T value, Serde<T> codec, ByteBuffer key, ByteBuffer trace) {
        if (trace == null) {
            send(value, codec, key);
        } else {
            sender.send(value, codec, key, trace);
        }
    }

    @Override
    public void send(byte[] payload) {
        Objects.requireNonNull(payload, "payload");
        traced(context -> sender.send(payload, Bytes.ofType(0), null, context));
    }

    @Override
    public void send(byte[] payload, int offset, int length, int type) {
        Objects.checkFromIndexSize(offset, length, payload.length);
        send(ByteBuffer.wrap(payload, offset, length), type);
    }

    @Override
    public void send(ByteBuffer payload, int type) {
        byte[] copy = new byte[payload.remaining()];
        payload.get(payload.position(), copy);
        traced(context -> sender.send(copy, Bytes.ofType(type), null, context));
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
