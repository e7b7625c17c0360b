package dev.baton.opentelemetry;

import dev.baton.Deployment;
import dev.baton.Sender;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.Tracer;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Traces messages from their sender through all services to the consumer of the last topic, across processes.
 * <pre>{@code
 * BatonTracing tracing = BatonTracing.of(openTelemetry);
 * RunningChain running = tracing.trace(chain.on(transport).with(loops)).start();
 * Sender sender = tracing.sender(running.inlet(), "orders-0");
 * sender.send(order, Order.CODEC); // a span of its own, or a child of the current one
 * }</pre>
 *
 * <p>The sampler of the SDK decides at the sender. A message whose sender is not sampled carries no context and costs one check in each
 * service. Attributes and names of spans follow OpenTelemetry's conventions for messaging, which are in development and may change with
 * them. Thread-safe.
 */
public final class BatonTracing {
    private static final String SCOPE = "dev.baton";

    private final Tracer tracer;

    private BatonTracing(Tracer tracer) {
        this.tracer = tracer;
    }

    /**
     * {@return tracing with a tracer of this instance}
     *
     * @param openTelemetry which exports the spans
     */
    public static BatonTracing of(OpenTelemetry openTelemetry) {
        return new BatonTracing(
                Objects.requireNonNull(openTelemetry, "OpenTelemetry").getTracer(SCOPE));
    }

    /**
     * Makes a deployment record a span for each sampled message that a service or the consumer of the last topic handles, and pass the
     * trace context on to what they send. The span is the current one while the service runs. Before it is started; in all processes of the
     * chain.
     *
     * @param deployment which is unchanged
     * @return a deployment that does so
     */
    public Deployment trace(Deployment deployment) {
        return deployment.traceContext(true).around((context, next) -> new TracedHandler(tracer, context, next));
    }

    /**
     * {@return a sender whose messages carry trace contexts} {@code send} records a span, a child of the current one if
     * there is one; a claim, and an {@code offer}, carries the context of the span that is current when it is made. As
     * many threads as the sender behind it allows.
     *
     * @param sender which sends them
     * @param topic that it writes, for the spans' names
     */
    public Sender sender(Sender sender, String topic) {
        return new TracedSender(
                tracer, Objects.requireNonNull(sender, "sender"), Objects.requireNonNull(topic, "topic"));
    }

    /**
     * {@return the context of the current span in the form that claims and sends take, such as those of {@link
     * dev.baton.SharedInlet}; null where no sampled span is current}
     */
    public static ByteBuffer current() {
        return contextOf(Span.current());
    }

    /** Returns the context of a span in a new buffer; null for a span that is not sampled. */
    static ByteBuffer contextOf(Span span) {
        SpanContext context = span.getSpanContext();
        return context.isSampled() ? TraceBytes.write(context, ByteBuffer.allocate(TraceBytes.LENGTH)) : null;
    }
}
