package dev.baton.aeron;

import dev.baton.spi.Transport;
import dev.baton.tck.TransportFixture;
import java.util.List;
import java.util.OptionalInt;

/** Topics of the shared Archive. */
final class ArchiveFixture implements TransportFixture {
    private final ArchiveOptions options;
    private final boolean isMeasured;

    /** Of tests that send one message after the other some ten thousand times only if they are to measure allocation. */
    ArchiveFixture(ArchiveOptions options, boolean isMeasured) {
        this.options = options;
        this.isMeasured = isMeasured;
    }

    @Override
    public Transport open() {
        return ArchiveTransport.open(options);
    }

    @Override
    public Transport reopen() {
        return open();
    }

    @Override
    public Transport openAnother() {
        return open();
    }

    @Override
    public List<String> refusedNames() {
        return List.of("", " ", "a/b", "..");
    }

    /** The Archive's file system is the limit. */
    @Override
    public OptionalInt backlog() {
        return OptionalInt.empty();
    }

    @Override
    public boolean allocatesNothing() {
        return isMeasured;
    }

    @Override
    public void close() {
        // the Archive is everybody's
    }
}
