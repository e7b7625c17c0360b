package dev.baton.engine.cycle;

import dev.baton.Decoder;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.OutputHandler;
import dev.baton.OutputHandler.TypedOutputHandler;
import dev.baton.Service;

/**
 * The service at the end of a chain: passes messages to the output handler, in the same duty cycle as every service. Called by the loop
 * of its part.
 */
public final class SinkService implements Service {
    private final OutputHandler handler;

    public SinkService(OutputHandler handler) {
        this.handler = handler;
    }

    /** Returns a service that decodes each message and passes the value to a handler. */
    public static <T> SinkService of(Decoder<T> decoder, TypedOutputHandler<? super T> handler) {
        return new SinkService(in -> handler.onOutput(decoder.decode(in), in));
    }

    @Override
    public void onMessage(Message in, Outlet out) throws Exception {
        handler.onOutput(in);
    }

    @Override
    public int maxOutputs() {
        return 0;
    }
}
