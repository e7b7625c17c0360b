package dev.baton.codec;

import dev.baton.Codec;
import dev.baton.Decoder;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.Serde;
import dev.baton.Service;
import java.util.function.Supplier;

/**
 * A service that handles objects: it decodes its input, calls a function that fills or returns the output, and encodes the
 * output. The objects of a {@link Codec} are reused for every message. It sends at most one output per input, so it is
 * effectively-once across a restart. A message of another type than the input codec's stops the chain with an {@link
 * dev.baton.UnexpectedTypeException}, unless the {@link dev.baton.ErrorPolicy} names that class; {@link RoutingService} handles
 * several types. Confined to its loop.
 *
 * @param <I> type of the inputs
 * @param <O> type of the outputs
 */
public final class TypedService<I, O> implements Service {
    /**
     * The function of a typed service that fills its output.
     *
     * @param <I> type of the inputs
     * @param <O> type of the outputs
     */
    @FunctionalInterface
    public interface Body<I, O> {
        /**
         * Handles one input.
         *
         * @param in input, valid until this method returns
         * @param out output, which still has the values of the last message: set every field
         * @return whether {@code out} is to be sent
         * @throws Exception any exception; the {@link dev.baton.ErrorPolicy} then applies
         */
        boolean apply(I in, O out) throws Exception;
    }

    /**
     * The function of a typed service that returns its output.
     *
     * @param <I> type of the inputs
     * @param <O> type of the outputs
     */
    @FunctionalInterface
    public interface Mapping<I, O> {
        /**
         * Handles one input.
         *
         * @param in value; from a {@link Codec} it is valid until this method returns
         * @return the output to be sent; null for none
         * @throws Exception any exception; the {@link dev.baton.ErrorPolicy} then applies
         */
        O apply(I in) throws Exception;
    }

    private final Decoder<I> inputs;
    private final Codec<O> outputs;
    private final Body<? super I, ? super O> body;
    private final O out;

    private TypedService(Serde<I> inputs, Codec<O> outputs, Body<? super I, ? super O> body) {
        this.inputs = inputs.checkedDecoder();
        this.outputs = outputs;
        this.body = body;
        this.out = outputs.newInstance();
    }

    /**
     * {@return a supplier for {@link dev.baton.Chain.Builder#then}; every instance of the chain has its own objects} Allocates
     * nothing per message if {@code inputs} is a {@link Codec}.
     *
     * @param <I> type of the inputs
     * @param <O> type of the outputs
     * @param inputs decodes the inputs
     * @param outputs makes and encodes the output
     * @param body fills the output
     */
    public static <I, O> Supplier<Service> of(Serde<I> inputs, Codec<O> outputs, Body<? super I, ? super O> body) {
        return () -> new TypedService<>(inputs, outputs, body);
    }

    /**
     * {@return a supplier as for {@link #of}, for a function that returns its output, such as one of immutable values}
     *
     * @param <I> type of the inputs
     * @param <O> type of the outputs
     * @param inputs decodes the inputs
     * @param outputs encodes the outputs
     * @param body returns the output
     */
    public static <I, O> Supplier<Service> mapping(
            Serde<I> inputs, Serde<O> outputs, Mapping<? super I, ? extends O> body) {
        return () -> {
            Decoder<I> decoder = inputs.checkedDecoder();
            return (message, outlet) -> {
                O out = body.apply(decoder.decode(message));
                if (out != null) {
                    outlet.send(out, outputs);
                }
            };
        };
    }

    @Override
    public void onMessage(Message message, Outlet outlet) throws Exception {
        if (body.apply(inputs.decode(message), out)) {
            outlet.send(out, outputs);
        }
    }
}
