package dev.baton.broken.memory;

import dev.baton.spi.Transport;
import dev.baton.tck.TransportFixture;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.function.Supplier;

/** The memory transport, whole or broken. */
public record MemoryFixture(
        Supplier<? extends MemoryTransport> transport,
        Duration longestWait,
        int manyFrames,
        boolean keepsAcknowledgedFrames)
        implements TransportFixture {
    /** That keeps the contract. */
    public static MemoryFixture whole() {
        return new MemoryFixture(MemoryTransport::new, Duration.ofSeconds(10), 20_000, true);
    }

    /** That keeps it, and what it holds. */
    public static MemoryFixture kept() {
        return new MemoryFixture(KeptMemory.whole(), Duration.ofSeconds(10), 20_000, true);
    }

    /** That keeps it, and in which the newest writer or reader takes the place of the one before. */
    public static MemoryFixture rivals() {
        return new MemoryFixture(RivalMemory.whole(), Duration.ofSeconds(10), 20_000, true);
    }

    /** Returns a fixture of rivals that keeps no frame that every consumer has acknowledged. */
    public static MemoryFixture trimmedRivals() {
        return new MemoryFixture(RivalMemory.trimmed(), Duration.ofSeconds(10), 20_000, false);
    }

    /** With a defect. */
    public static MemoryFixture broken(Supplier<? extends MemoryTransport> transport, Duration longestWait) {
        return new MemoryFixture(transport, longestWait, 5_000, true);
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
