package dev.baton.codec;

import dev.baton.Claim;
import dev.baton.Codec;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.Service;
import java.util.function.Supplier;

/**
 * A service written against objects: decodes its input, lets a function fill the output, encodes that. The two objects
 * are reused for every message. One output per input at most, so effectively-once across a restart.
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
         */
        boolean apply(I in, O out) throws Exception;
    }

    private final Codec<I> inputs;
    private final Codec<O> outputs;
    private final Body<? super I, ? super O> body;
    private final I in;
    private final O out;

    private TypedService(Codec<I> inputs, Codec<O> outputs, Body<? super I, ? super O> body) {
        this.inputs = inputs;
        this.outputs = outputs;
        this.body = body;
        this.in = inputs.newInstance();
        this.out = outputs.newInstance();
    }

    /** A supplier for {@link dev.baton.Chain.Builder#then}: every instance of the chain gets objects of its own. */
    public static <I, O> Supplier<Service> of(Codec<I> inputs, Codec<O> outputs, Body<? super I, ? super O> body) {
        return () -> new TypedService<>(inputs, outputs, body);
    }

    @Override
    public void onMessage(Message message, Outlet outlet) throws Exception {
        inputs.decode(message, in);
        if (body.apply(in, out)) {
            Claim claim = outlet.claim(outputs.maxLength(out)).type(outputs.type());
            claim.commit(outputs.encode(out, claim));
        }
    }
}
