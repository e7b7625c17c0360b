package dev.baton.codec;

import dev.baton.Codec;
import dev.baton.Decoder;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.Serde;
import dev.baton.Service;
import java.util.function.Supplier;

/**
 * A service written against objects: decodes its input, lets a function fill or return the output, encodes that. The
 * objects of a {@link Codec} are reused for every message. One output per input at most, so effectively-once across a
 * restart. A message of another type than the codec of the inputs goes through the {@link dev.baton.ErrorPolicy} as an
 * {@link dev.baton.UnexpectedTypeException}; {@link RoutingService} takes several types. Confined to its loop.
 *
 * @param <I> type of the inputs
 * @param <O> type of the outputs
 */
public final class TypedService<I, O> implements Service {
    /**
     * What a typed service does.
     *
     * @param <I> type of the inputs
     * @param <O> type of the outputs
     */
    @FunctionalInterface
    public interface Body<I, O> {
        /**
         * Handles one input.
         *
         * @param in valid until this method returns
         * @param out as the last message left it: set every field
         * @return whether {@code out} is to be sent
         * @throws Exception of any kind: the {@link dev.baton.ErrorPolicy} decides
         */
        boolean apply(I in, O out) throws Exception;
    }

    /**
     * What a typed service does that returns its outputs.
     *
     * @param <I> type of the inputs
     * @param <O> type of the outputs
     */
    @FunctionalInterface
    public interface Mapping<I, O> {
        /**
         * Handles one input.
         *
         * @param in of a {@link Codec}: valid until this method returns
         * @return what is to be sent, or null: nothing
         * @throws Exception of any kind: the {@link dev.baton.ErrorPolicy} decides
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
     * {@return a supplier for {@link dev.baton.Chain.Builder#then}: every instance of the chain gets objects of its
     * own} Allocates nothing for each message when {@code inputs} is a {@link Codec}.
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
     * {@return a supplier as of {@link #of}, for a function that returns its outputs, as one of immutable values does}
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
