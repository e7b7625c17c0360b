package dev.baton.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.Chain;
import dev.baton.Deployment;
import dev.baton.ErrorPolicy;
import dev.baton.MessageFields;
import dev.baton.RunningChain;
import dev.baton.Sender;
import dev.baton.SharedInlet;
import dev.baton.ValueCodec;
import dev.baton.chronicle.ChronicleTransport;
import dev.baton.disruptor.DisruptorOptions;
import dev.baton.disruptor.DisruptorTransport;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Spans of messages, recorded by the SDK. */
class BatonTracingTest {
    private static final ValueCodec<String> TEXT = ValueCodec.strings(0);
    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final Loops loops = Loops.manual();
    private SdkTracerProvider provider;

    @AfterEach
    void close() {
        loops.close();
        if (provider != null) {
            provider.close();
        }
    }

    private BatonTracing tracing(Sampler sampler) {
        provider = SdkTracerProvider.builder()
                .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                .setSampler(sampler)
                .build();
        return BatonTracing.of(
                OpenTelemetrySdk.builder().setTracerProvider(provider).build());
    }

    private static Chain chain() {
        return Chain.named("orders")
                .then("price", () -> (in, out) -> out.forward(in))
                .then("book", () -> (in, out) -> out.forward(in))
                .build();
    }

    private Deployment deployment(Chain chain, Transport transport) {
        return chain.on(transport).with(loops);
    }

    private SpanData span(String name) {
        return exporter.getFinishedSpanItems().stream()
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no span " + name + " in " + exporter.getFinishedSpanItems()));
    }

    private static String attribute(SpanData span, String key) {
        return span.getAttributes().get(AttributeKey.stringKey(key));
    }

    @Test
    void oneTraceSpansSenderServicesAndSink() {
        BatonTracing tracing = tracing(Sampler.alwaysOn());
        try (DisruptorTransport transport = DisruptorTransport.create(DisruptorOptions.defaults());
                RunningChain running = tracing.trace(
                                deployment(chain(), transport).onOutput(in -> {}))
                        .start()) {
            Sender sender = tracing.sender(running.inlet(), "orders-0");
            sender.send(new byte[8]);
            loops.turn();
        }
        SpanData sent = span("send orders-0");
        SpanData price = span("process orders-0");
        SpanData book = span("process orders-1");
        SpanData sink = span("process orders-2");

        assertThat(exporter.getFinishedSpanItems())
                .hasSize(4)
                .allSatisfy(each -> assertThat(each.getTraceId()).isEqualTo(sent.getTraceId()));
        assertThat(price.getParentSpanId()).isEqualTo(sent.getSpanId());
        assertThat(book.getParentSpanId()).isEqualTo(price.getSpanId());
        assertThat(sink.getParentSpanId()).isEqualTo(book.getSpanId());
        assertThat(sent.getKind()).isEqualTo(SpanKind.PRODUCER);
        assertThat(price.getKind()).isEqualTo(SpanKind.CONSUMER);
        assertThat(attribute(price, "messaging.system")).isEqualTo("baton");
        assertThat(attribute(price, "messaging.destination.name")).isEqualTo("orders-0");
        assertThat(attribute(price, "messaging.consumer.group.name")).isEqualTo("price");
        assertThat(attribute(price, "messaging.message.id")).isEqualTo("1");
        assertThat(price.getAttributes().get(AttributeKey.longKey("messaging.message.body.size")))
                .isEqualTo(8);
    }

    @Test
    void tracedServicesKeepTheKey() {
        BatonTracing tracing = tracing(Sampler.alwaysOn());
        ByteBuffer key = ByteBuffer.wrap(new byte[] {1, 2});
        List<ByteBuffer> keys = new ArrayList<>();
        Chain keyed = Chain.named("orders")
                .then("price", () -> (in, out) -> out.forward(in))
                .then("book", () -> (in, out) -> out.send("booked", TEXT))
                .build();
        try (DisruptorTransport transport = DisruptorTransport.create(DisruptorOptions.defaults());
                RunningChain running = tracing.trace(deployment(keyed, transport)
                                .onOutput(in ->
                                        keys.add(ByteBuffer.allocate(in.key().remaining())
                                                .put(in.key())
                                                .flip())))
                        .start()) {
            running.inlet()
                    .tryClaim(8, new MessageFields().originNanos(1).key(key))
                    .commit(8);
            loops.turn();
        }
        assertThat(keys).containsExactly(key);
    }

    @Test
    void unsampledMessageCarriesNoContext() {
        BatonTracing tracing = tracing(Sampler.alwaysOff());
        List<Object> contexts = new ArrayList<>();
        try (DisruptorTransport transport = DisruptorTransport.create(DisruptorOptions.defaults());
                RunningChain running = tracing.trace(deployment(chain(), transport)
                                .onOutput(in -> contexts.add(in.trace() == null ? "none" : "some")))
                        .start()) {
            tracing.sender(running.inlet(), "orders-0").send(new byte[8]);
            running.inlet().send(new byte[8]);
            loops.turn();
        }

        assertThat(contexts).containsExactly("none", "none");
        assertThat(exporter.getFinishedSpanItems()).isEmpty();
    }

    @Test
    void traceContinuesThroughSharedInlet() {
        BatonTracing tracing = tracing(Sampler.alwaysOn());
        List<String> current = new ArrayList<>();
        Chain chain = Chain.named("orders")
                .then(
                        "price",
                        () -> (in, out) ->
                                current.add(Span.current().getSpanContext().getSpanId()))
                .build();
        Span request = provider.get("test").spanBuilder("POST /orders").startSpan();
        try (DisruptorTransport transport = DisruptorTransport.create(DisruptorOptions.defaults());
                RunningChain running =
                        tracing.trace(deployment(chain, transport)).start()) {
            SharedInlet inlet = running.sharedInlet(4);
            try (Scope scope = request.makeCurrent()) {
                assertThat(scope).isNotNull();
                inlet.offer("abc", TEXT, new MessageFields().trace(BatonTracing.current()));
            }
            assertThat(BatonTracing.current()).isNull();
            loops.turn();
            loops.turn();
        }
        request.end();

        SpanData price = span("process orders-0");
        assertThat(price.getParentSpanId()).isEqualTo(request.getSpanContext().getSpanId());
        assertThat(current).containsExactly(price.getSpanId());
        assertThat(Span.current().getSpanContext().isValid()).isFalse();
    }

    @Test
    void eachAttemptHasASpanWithItsFailure() {
        BatonTracing tracing = tracing(Sampler.alwaysOn());
        int[] calls = {0};
        Chain chain = Chain.named("orders")
                .then("price", () -> (in, out) -> {
                    if (calls[0]++ == 0) {
                        throw new IllegalStateException("no price");
                    }
                    out.forward(in);
                })
                .build();
        try (DisruptorTransport transport = DisruptorTransport.create(DisruptorOptions.defaults());
                RunningChain running = tracing.trace(
                                deployment(chain, transport).onError(ErrorPolicy.retry(3)))
                        .start()) {
            tracing.sender(running.inlet(), "orders-0").send(new byte[8]);
            loops.turn();
            loops.turn();
        }

        List<SpanData> attempts = exporter.getFinishedSpanItems().stream()
                .filter(each -> each.getName().startsWith("process"))
                .toList();
        assertThat(attempts).hasSize(2);
        assertThat(attempts.get(0).getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(attribute(attempts.get(0), "error.type")).isEqualTo("java.lang.IllegalStateException");
        assertThat(attempts.get(1).getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    }

    @Test
    void traceCrossesRunsOverChronicle(@TempDir Path folder) {
        BatonTracing tracing = tracing(Sampler.alwaysOn());
        try (Transport transport = ChronicleTransport.in(folder);
                RunningChain sending =
                        tracing.trace(deployment(chain(), transport).only()).start()) {
            tracing.sender(sending.inlet(), "orders-0").send(new byte[8]);
        }
        try (Transport transport = ChronicleTransport.in(folder);
                Loops threads = Loops.cooperative(1);
                RunningChain serving = tracing.trace(
                                chain().on(transport).with(threads).only("price", "book"))
                        .start()) {
            await().until(() -> serving.status().parts().size() == 2
                    && serving.status().parts().get(1).output().sent() == 1);
        }

        SpanData sent = span("send orders-0");
        assertThat(span("process orders-0").getParentSpanId()).isEqualTo(sent.getSpanId());
        assertThat(span("process orders-1").getTraceId()).isEqualTo(sent.getTraceId());
    }
}
