package dev.baton.opentelemetry;

import dev.baton.Message;
import dev.baton.MessageHandler;
import dev.baton.Outlet;
import dev.baton.ServiceContext;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.nio.ByteBuffer;

/** Records a span for each sampled message of one part. Other messages reach the service unchanged. Confined to the part's loop. */
final class TracedHandler implements MessageHandler {
    private final Tracer tracer;
    private final ServiceContext context;
    private final MessageHandler next;
    private final TracedOutlet outlet = new TracedOutlet();
    private final String spanName;

    TracedHandler(Tracer tracer, ServiceContext context, MessageHandler next) {
        this.tracer = tracer;
        this.context = context;
        this.next = next;
        this.spanName = "process " + context.input();
    }

    @Override
    public void onMessage(Message in, Outlet out) throws Exception {
        ByteBuffer trace = in.trace();
        if (trace == null || !TraceBytes.isSampled(trace) || in.isRedelivered()) {
            next.onMessage(in, out);
            return;
        }
        SpanContext parent = TraceBytes.read(trace);
        if (parent.isValid()) {
            handle(in, out, parent);
        } else {
            next.onMessage(in, out);
        }
    }

    private void handle(Message in, Outlet out, SpanContext parent) throws Exception {
        Span span = begin(in, parent);
        Scope current = span.makeCurrent();
        try {
            next.onMessage(in, outlet.of(out, BatonTracing.contextOf(span)));
        } catch (Throwable thrown) {
            Attributes.failed(span, thrown);
            throw thrown;
        } finally {
            current.close();
            span.end();
        }
    }

    private Span begin(Message in, SpanContext parent) {
        Span span = tracer.spanBuilder(spanName)
                .setParent(Context.root().with(Span.wrap(parent)))
                .setSpanKind(SpanKind.CONSUMER)
                .setAttribute(Attributes.SYSTEM, Attributes.BATON)
                .setAttribute(Attributes.OPERATION_NAME, "process")
                .setAttribute(Attributes.OPERATION_TYPE, "process")
                .setAttribute(Attributes.DESTINATION, context.input())
                .setAttribute(Attributes.CONSUMER_GROUP, context.service())
                .setAttribute(Attributes.MESSAGE_ID, Long.toString(in.sequence()))
                .setAttribute(Attributes.BODY_SIZE, (long) in.length())
                .setAttribute(Attributes.CHAIN, context.chain())
                .startSpan();
        if (in.partition() >= 0) {
            span.setAttribute(Attributes.PARTITION, Integer.toString(in.partition()));
        }
        return span;
    }
}
