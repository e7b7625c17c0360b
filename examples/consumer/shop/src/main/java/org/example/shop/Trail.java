package org.example.shop;

import dev.baton.Chain;
import dev.baton.Merge;
import dev.baton.RunningChain;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.util.List;

/** Composition: good and bad orders take separate branches, which a merge joins. */
public final class Trail {
    /** The chain that is branched. */
    public static final Chain ORDERS =
            Chain.named("orders").then("check", () -> (in, out) -> out.forward(in)).build();

    /** Takes orders with a quantity. */
    public static final Chain GOOD = Chain.named("good")
            .from(ORDERS.topic(0, 1), in -> Order.CODEC.decode(in).quantity() > 0)
            .then("book", () -> (in, out) -> out.forward(in))
            .build();

    /** Takes the others. */
    public static final Chain BAD = Chain.named("bad")
            .from(ORDERS.topic(0, 1), in -> Order.CODEC.decode(in).quantity() <= 0)
            .then("explain", () -> (in, out) -> out.forward(in))
            .build();

    /** Both together. */
    public static final Merge ALL =
            Merge.named("all").from(GOOD.topic(0, 1)).from(BAD.topic(0, 1)).build();

    private Trail() {}

    /** Starts everything, writers before readers; to be closed in this order. */
    public static List<RunningChain> start(Transport transport, Loops loops) {
        return List.of(
                ORDERS.on(transport).with(loops).start(),
                GOOD.on(transport).with(loops).start(),
                BAD.on(transport).with(loops).start(),
                ALL.on(transport).with(loops).start());
    }
}
