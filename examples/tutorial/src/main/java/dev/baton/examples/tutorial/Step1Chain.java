package dev.baton.examples.tutorial;

import dev.baton.Chain;
import dev.baton.Inlet;
import dev.baton.RunningChain;
import dev.baton.codec.TypedService;
import dev.baton.disruptor.DisruptorTransport;
import dev.baton.jackson.JacksonCodec;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.util.Map;

/** Step 1: a chain with records. */
public final class Step1Chain {
    /** An order, the input of the chain. */
    public record Order(long id, String customer, String item, int quantity) {
        static final JacksonCodec<Order> CODEC = JacksonCodec.of(1, Order.class);
    }

    /** An order with its price. */
    record Priced(long id, String customer, long cents) {
        static final JacksonCodec<Priced> CODEC = JacksonCodec.of(2, Priced.class);
    }

    private static final Map<String, Long> PRICES = Map.of("tea", 250L, "coffee", 320L);

    private Step1Chain() {}

    static Chain chain() {
        return Chain.named("orders")
                .then("check", TypedService.mapping(Order.CODEC, Order.CODEC, Step1Chain::check))
                .then("price", TypedService.mapping(Order.CODEC, Priced.CODEC, Step1Chain::price))
                .build();
    }

    static Order check(Order order) {
        return order.quantity() > 0 ? order : null; // null: the order goes no further
    }

    static Priced price(Order order) {
        Long each = PRICES.get(order.item());
        if (each == null) {
            throw new IllegalArgumentException("no price for " + order.item());
        }
        return new Priced(order.id(), order.customer(), each * order.quantity());
    }

    /** Sends three orders, and prints what comes out. */
    public static void main(String[] args) {
        try (Transport transport = DisruptorTransport.create();
                Loops loops = Loops.cooperative(1);
                RunningChain running = chain().on(transport)
                        .with(loops)
                        .onOutput(Priced.CODEC, (priced, message) -> System.out.println(priced))
                        .start()) {
            Inlet inlet = running.inlet();
            inlet.send(new Order(1, "ada", "tea", 2), Order.CODEC);
            inlet.send(new Order(2, "bob", "tea", 0), Order.CODEC);
            inlet.send(new Order(3, "ada", "coffee", 1), Order.CODEC);
        } // delivers what is in the topics, then closes
    }
}
