package dev.baton.aeron;

import dev.baton.spi.Transport;
import dev.baton.tck.TransportFixture;
import java.util.List;
import java.util.OptionalInt;

/** Short terms, so that every test goes round. */
final class AeronFixture implements TransportFixture {
    private static final int MAX_PAYLOAD = 100;
    private static final int WARM = 30_000;

    /** The driver runs once in some hundred messages: tests that count bytes would find its code uncompiled. */
    static {
        try (AeronTransport transport = AeronTransport.open()) {
            transport.createTopics(List.of("warm-1", "warm-2"));
            for (int i = 0; i < WARM; i++) {
                transport.raiseFloors();
            }
        }
    }

    @Override
    public Transport open() {
        return AeronTransport.open(
                AeronOptions.defaults().withTermLength(AeronOptions.LEAST_TERM).withMaxPayload(MAX_PAYLOAD));
    }

    @Override
    public List<String> refusedNames() {
        return List.of("", " ", "a/b", "..");
    }

    /** Half a term of the shortest frames, in fragments that hold many. */
    @Override
    public OptionalInt backlog() {
        return OptionalInt.of(AeronOptions.LEAST_TERM / 2 / AeronOptions.stagedBytes(0));
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
