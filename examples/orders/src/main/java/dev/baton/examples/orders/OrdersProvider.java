package dev.baton.examples.orders;

import dev.baton.Chain;
import dev.baton.ErrorPolicy;
import dev.baton.Serde;
import dev.baton.chains.ChainProvider;
import dev.baton.chains.ProvidedChain;
import dev.baton.chains.ProvidedChain.MessageGenerator;
import dev.baton.chains.ProvidedChain.OutputCheck;
import dev.baton.spi.options.OptionSpec;
import dev.baton.spi.options.Options;
import java.util.List;
import java.util.Map;

/** The chain {@code orders}, for the laboratory and {@code baton service}. Thread-safe. */
public final class OrdersProvider implements ChainProvider {
    private static final String REJECTED = "rejected";
    private static final String RISKY = "risky";
    private static final int MOST_PERCENT = 50;

    @Override
    public String name() {
        return "orders";
    }

    @Override
    public String summary() {
        return "the order pipeline of the examples: orders of 48 bytes are validated, enriched, priced, checked and booked";
    }

    @Override
    public List<OptionSpec> options() {
        return List.of(
                new OptionSpec(REJECTED, "5", "0 to 50", "orders in a hundred that validate rejects, by an exception"),
                new OptionSpec(RISKY, "5", "0 to 50", "orders in a hundred that risk drops"));
    }

    @Override
    public ProvidedChain open(Map<String, String> options) {
        Options read = new Options(name(), options(), options);
        return new Orders(read.integer(REJECTED, 0, MOST_PERCENT), read.integer(RISKY, 0, MOST_PERCENT));
    }

    private record Orders(int rejected, int risky) implements ProvidedChain {
        @Override
        public Chain chain() {
            return OrderPipeline.chain(ErrorPolicy.skipTo((service, in, attempts, cause) -> {}));
        }

        @Override
        public int maxPayload() {
            return Order.Wire.LENGTH;
        }

        @Override
        public List<Serde<?>> codecs() {
            return List.of(Order.Wire.INSTANCE);
        }

        @Override
        public Outputs outputs() {
            return rejected + risky == 0 ? Outputs.ONE_EACH : Outputs.AT_MOST_ONE;
        }

        @Override
        public MessageGenerator generator(long seed, int instance) {
            OrderBook book = new OrderBook(seed, instance, rejected, risky);
            Order order = new Order();
            return (number, into) -> {
                book.fill(number, order);
                return Order.Wire.INSTANCE.encode(order, into);
            };
        }

        @Override
        public OutputCheck check(long seed, int instance) {
            return new BookedOrderCheck(new OrderBook(seed, instance, rejected, risky));
        }
    }
}
