package dev.baton.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Chain;
import dev.baton.Claim;
import dev.baton.Codec;
import dev.baton.Message;
import dev.baton.RunningChain;
import dev.baton.Sender.TypedSender;
import dev.baton.Service;
import dev.baton.ServiceFailure;
import dev.baton.UnexpectedTypeException;
import dev.baton.ValueCodec;
import dev.baton.fixtures.HostileTransports;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Values at every end of a chain, of types that are compared with those of the messages. */
class TypedEndsTest {
    record Quote(long cents) {
        static final int TYPE = 1;
        static final ValueCodec<Quote> CODEC = new QuoteCodec();
    }

    private static final class QuoteCodec implements ValueCodec<Quote> {
        @Override
        public int maxLength(Quote value) {
            return Long.BYTES;
        }

        @Override
        public int encode(Quote value, Claim into) {
            into.putLong(0, value.cents);
            return Long.BYTES;
        }

        @Override
        public Quote decode(Message from) {
            return new Quote(from.getLong(0));
        }

        @Override
        public int type() {
            return Quote.TYPE;
        }
    }

    /** Mutable. */
    static final class Cancel {
        static final int TYPE = 2;
        int id;
    }

    private enum CancelCodec implements Codec<Cancel> {
        INSTANCE;

        @Override
        public Cancel newInstance() {
            return new Cancel();
        }

        @Override
        public int maxLength(Cancel value) {
            return Integer.BYTES;
        }

        @Override
        public int encode(Cancel value, Claim into) {
            into.putInt(0, value.id);
            return Integer.BYTES;
        }

        @Override
        public void decode(Message from, Cancel into) {
            into.id = from.getInt(0);
        }

        @Override
        public int type() {
            return Cancel.TYPE;
        }
    }

    private final Transport transport = HostileTransports.kind();
    private final Loops loops = Loops.manual();
    private final List<Object> out = new ArrayList<>();
    private RunningChain running;

    @AfterEach
    void close() {
        running.close();
        loops.close();
        transport.close();
    }

    @Test
    void immutableValuesAreMapped() {
        running = Chain.named("quotes")
                .then(
                        "double",
                        TypedService.mapping(
                                Quote.CODEC, Quote.CODEC, quote -> quote.cents > 1 ? new Quote(quote.cents * 2) : null))
                .build()
                .on(transport)
                .with(loops)
                .onOutput(Quote.CODEC, (quote, in) -> out.add(in.sequence() + ":" + quote.cents()))
                .start();
        TypedSender<Quote> quotes = running.inlet().typed(Quote.CODEC);
        quotes.send(new Quote(1));
        quotes.send(new Quote(2));
        assertThat(quotes.offer(new Quote(3))).isTrue();
        loops.turn();
        assertThat(out).containsExactly("1:4", "2:6");
    }

    @Test
    void aReaderOfMutableValuesReusesOne() {
        running = Chain.named("cancels")
                .build()
                .on(transport)
                .with(loops)
                .onOutput(CancelCodec.INSTANCE, (cancel, in) -> out.add(cancel))
                .start();
        sendCancel(5);
        sendCancel(6);
        loops.turn();
        assertThat(out).hasSize(2);
        assertThat(out.get(0)).isSameAs(out.get(1));
    }

    @Test
    void typedServiceRefusesOtherTypesNamingBoth() {
        start(TypedService.mapping(Quote.CODEC, Quote.CODEC, quote -> quote));
        sendCancel(5);
        loops.turn();
        assertFailed("has type 2; codec " + QuoteCodec.class.getName() + " reads type 1");
    }

    @Test
    void typedOutputRefusesOtherTypesNamingBoth() {
        running = Chain.named("quotes")
                .build()
                .on(transport)
                .with(loops)
                .onFailure(cause -> {})
                .onOutput(Quote.CODEC, (quote, in) -> out.add(quote))
                .start();
        sendCancel(5);
        loops.turn();
        assertFailed("has type 2; codec " + QuoteCodec.class.getName() + " reads type 1");
    }

    @Test
    void eachTypeTakesItsRoute() {
        start(RoutingService.byType()
                .on(Quote.CODEC, (quote, to) -> out.add(quote))
                .on(CancelCodec.INSTANCE, (cancel, to) -> to.send(new Quote(cancel.id), Quote.CODEC)));
        running.inlet().send(new Quote(7), Quote.CODEC);
        sendCancel(5);
        loops.turn();
        assertThat(out).containsExactly(new Quote(7), "out 1:5");
    }

    @Test
    void typeWithoutRouteFailsAndRoutesAreNamed() {
        start(RoutingService.byType().on(Quote.CODEC, (quote, to) -> out.add(quote)));
        sendCancel(5);
        loops.turn();
        assertFailed("has type 2; the routes are 1 (" + QuoteCodec.class.getName() + ")");
    }

    @Test
    void unroutedTypesTakeTheDefaultRoute() {
        start(RoutingService.byType()
                .maxOutputs(2)
                .on(Quote.CODEC, (quote, to) -> {
                    to.send(quote, Quote.CODEC);
                    to.send(quote, Quote.CODEC);
                })
                .otherwise((in, to) -> out.add("type " + in.type())));
        sendCancel(5);
        running.inlet().send(new Quote(7), Quote.CODEC);
        loops.turn();
        assertThat(out).containsExactly("type 2", "out 1:7", "out 1:7");
    }

    @Test
    void aTypeHasOneRoute() {
        start(RoutingService.byType());
        RoutingService routes = RoutingService.byType().on(Quote.CODEC, (quote, to) -> {});
        assertThatThrownBy(() -> routes.on(Quote.CODEC, (quote, to) -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("type 1 (")
                .hasMessageContaining("has a route already");
        assertThatThrownBy(() -> routes.maxOutputs(-1)).hasMessageContaining("0 or more");
    }

    private void start(Supplier<? extends Service> service) {
        running = Chain.named("typed")
                .then("service", service)
                .build()
                .on(transport)
                .with(loops)
                .onFailure(cause -> {})
                .onOutput(in -> out.add("out " + in.type() + ":" + in.getLong(0)))
                .start();
    }

    private void sendCancel(int id) {
        Cancel cancel = new Cancel();
        cancel.id = id;
        running.inlet().send(cancel, CancelCodec.INSTANCE);
    }

    private void assertFailed(String text) {
        assertThat(out).isEmpty();
        assertThat(running.failure().orElseThrow())
                .isInstanceOf(ServiceFailure.class)
                .hasMessageContaining(text)
                .hasCauseInstanceOf(UnexpectedTypeException.class);
    }
}
