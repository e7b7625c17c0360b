package dev.baton;

/** A service that passes messages to the output handler, so that the outlet has the same duty cycle as every service. */
final class OutletService implements Service {
    private final OutputHandler handler;

    OutletService(OutputHandler handler) {
        this.handler = handler;
    }

    /** Of a handler of values. */
    static <T> OutletService of(Decoder<T> decoder, TypedOutputHandler<? super T> handler) {
        return new OutletService(in -> handler.onOutput(decoder.decode(in), in));
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
