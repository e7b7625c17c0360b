package dev.baton.aeron;

import dev.baton.spi.Transport;
import dev.baton.tck.TransportFixture;
import java.util.List;
import java.util.OptionalInt;

/** Terms that are short enough for tests to fill. */
final class AeronFixture implements TransportFixture {
    private static final int MAX_PAYLOAD = 100;

    private final int termLength;

    AeronFixture(int termLength) {
        this.termLength = termLength;
    }

    @Override
    public Transport open() {
        return AeronTransport.open(
                AeronOptions.defaults().withTermLength(termLength).withMaxPayload(MAX_PAYLOAD));
    }

    @Override
    public List<String> refusedNames() {
        return List.of("", " ", "a/b", "..");
    }

    /** Half a term of the shortest frames, in fragments that hold many. */
    @Override
    public OptionalInt backlog() {
        return OptionalInt.of(termLength / 2 / AeronOptions.stagedBytes(0));
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
