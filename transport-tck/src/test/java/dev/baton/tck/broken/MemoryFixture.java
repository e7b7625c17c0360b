package dev.baton.tck.broken;

import dev.baton.spi.Transport;
import dev.baton.tck.TransportFixture;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.function.Supplier;

/** The memory transport, whole or broken. */
record MemoryFixture(Supplier<? extends MemoryTransport> transport, Duration longestWait, int manyFrames)
        implements TransportFixture {
    /** That keeps the contract. */
    static MemoryFixture whole() {
        return new MemoryFixture(MemoryTransport::new, Duration.ofSeconds(10), 20_000);
    }

    /** That keeps it, and what it holds. */
    static MemoryFixture kept() {
        return new MemoryFixture(KeptMemory.whole(), Duration.ofSeconds(10), 20_000);
    }

    /** That keeps it, and in which the newest writer or reader takes the place of the one before. */
    static MemoryFixture rivals() {
        return new MemoryFixture(RivalMemory.whole(), Duration.ofSeconds(10), 20_000);
    }

    /** With a defect. */
    static MemoryFixture broken(Defect defect, Duration longestWait) {
        return new MemoryFixture(defect.transport(), longestWait, 5_000);
    }

    @Override
    public Transport open() {
        return transport.get();
    }

    @Override
    public Transport reopen() {
        return transport.get();
    }

    @Override
    public Transport openAnother() {
        return transport.get();
    }

    @Override
    public OptionalInt backlog() {
        return OptionalInt.of(MemoryTopic.SLOTS);
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
