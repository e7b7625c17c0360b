package dev.baton.disruptor;

import dev.baton.spi.Transport;
import dev.baton.tck.TransportFixture;
import java.util.List;
import java.util.OptionalInt;

/** Small rings, so that every test goes round. */
final class DisruptorFixture implements TransportFixture {
    private static final int SLOTS = 64;

    @Override
    public Transport open() {
        return DisruptorTransport.create(DisruptorOptions.defaults()
                .with(DisruptorOptions.SLOTS, SLOTS)
                .with(DisruptorOptions.MAX_PAYLOAD, 100));
    }

    @Override
    public List<String> refusedNames() {
        return List.of("", " ", "a/b", "..");
    }

    @Override
    public OptionalInt backlog() {
        return OptionalInt.of(SLOTS);
    }

    @Override
    public boolean allocatesNothing() {
        return true;
    }

    @Override
    public void close() {
        // nothing is stored
    }
}
