package dev.baton.codec;

import dev.baton.Decoder;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.Serde;
import dev.baton.Service;
import dev.baton.UnexpectedTypeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A service with one function for each type of message, as a factory for {@link dev.baton.Chain.Builder#then}.
 *
 * <pre>{@code
 * Chain.named("orders").then("book", RoutingService.byType()
 *         .on(NewOrder.CODEC, (order, out) -> out.send(book(order), Booking.CODEC))
 *         .on(Cancel.CODEC, (cancel, out) -> out.send(undo(cancel), Booking.CODEC))
 *         .otherwise((in, out) -> out.forward(in)))
 * }</pre>
 *
 * Every instance of the chain decodes with its own objects; all instances share the functions. Immutable: each method returns
 * another factory. Thread-safe if its codecs and functions are.
 */
public final class RoutingService implements Supplier<Service> {
    /**
     * The function for messages of one type.
     *
     * @param <I> type of their values
     */
    @FunctionalInterface
    public interface Body<I> {
        /**
         * Handles one input.
         *
         * @param in value; from a {@link dev.baton.Codec} it is valid until this method returns
         * @param out takes up to {@link #maxOutputs} messages
         * @throws Exception any exception; the {@link dev.baton.ErrorPolicy} then applies
         */
        void handle(I in, Outlet out) throws Exception;
    }

    private record Route<I>(int type, Serde<I> codec, Body<? super I> body) {
        Body<Message> open() {
            Decoder<I> decoder = codec.decoder();
            return (in, out) -> body.handle(decoder.decode(in), out);
        }

        @Override
        public String toString() {
            return type + " (" + codec.getClass().getName() + ")";
        }
    }

    private final List<Route<?>> routes;
    private final Body<? super Message> other;
    private final int maxOutputs;

    private RoutingService(List<Route<?>> routes, Body<? super Message> other, int maxOutputs) {
        this.routes = List.copyOf(routes);
        this.other = other;
        this.maxOutputs = maxOutputs;
    }

    /** {@return a service without routes, which fails for every message with an {@link UnexpectedTypeException}} */
    public static RoutingService byType() {
        return new RoutingService(List.of(), null, 1);
    }

    /**
     * Adds a route for messages of the codec's type.
     *
     * @param <I> type of the values
     * @param codec codec that decodes them
     * @param body function for them
     * @return a service with that route as well; this one does not change
     * @throws IllegalArgumentException if that type already has a route
     */
    public <I> RoutingService on(Serde<I> codec, Body<? super I> body) {
        Route<I> added = new Route<>(codec.type(), codec, Objects.requireNonNull(body, "body"));
        for (Route<?> route : routes) {
            if (route.type == added.type) {
                throw new IllegalArgumentException("type " + added + " has a route already: " + route);
            }
        }
        List<Route<?>> all = new ArrayList<>(routes);
        all.add(added);
        return new RoutingService(all, other, maxOutputs);
    }

    /**
     * Adds a route for messages of all other types. Without it such a message stops the chain with an {@link
     * UnexpectedTypeException}, unless the {@link dev.baton.ErrorPolicy} names that class.
     *
     * @param body function for these messages, which are not decoded
     * @return a service with that route as well; this one does not change
     */
    public RoutingService otherwise(Body<? super Message> body) {
        return new RoutingService(routes, Objects.requireNonNull(body, "body"), maxOutputs);
    }

    /**
     * Sets the maximum number of messages that one input may produce, {@link Service#maxOutputs}; 1 by default.
     *
     * @param most number of messages, 0 or more
     * @return a service with that number; this one does not change
     */
    public RoutingService maxOutputs(int most) {
        if (most < 0) {
            throw new IllegalArgumentException("maxOutputs " + most + "; 0 or more is allowed");
        }
        return new RoutingService(routes, other, most);
    }

    /** Returns a service for one instance of a chain. */
    @Override
    public Service get() {
        return new ByType(this);
    }

    private String known() {
        return "the routes are "
                + (routes.isEmpty()
                        ? "none"
                        : routes.stream().map(Route::toString).collect(Collectors.joining(", ")));
    }

    /** Looks a message's type up among the routes. Confined to its loop. */
    private static final class ByType implements Service {
        private final RoutingService plan;
        private final int[] types;
        private final List<Body<Message>> bodies = new ArrayList<>();

        ByType(RoutingService plan) {
            this.plan = plan;
            this.types = plan.routes.stream().mapToInt(Route::type).toArray();
            plan.routes.forEach(route -> bodies.add(route.open()));
        }

        @Override
        public void onMessage(Message in, Outlet out) throws Exception {
            int type = in.type();
            for (int i = 0; i < types.length; i++) {
                if (types[i] == type) {
                    bodies.get(i).handle(in, out);
                    return;
                }
            }
            if (plan.other == null) {
                throw new UnexpectedTypeException(in, plan.known());
            }
            plan.other.handle(in, out);
        }

        @Override
        public int maxOutputs() {
            return plan.maxOutputs;
        }
    }
}
