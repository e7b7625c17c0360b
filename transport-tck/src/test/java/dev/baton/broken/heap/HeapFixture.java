package dev.baton.broken.heap;

import dev.baton.spi.Transport;
import dev.baton.tck.TransportFixture;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.function.Supplier;

/** The transport in the heap, whole or broken. */
public record HeapFixture(
        Supplier<? extends HeapTransport> transport,
        Duration longestWait,
        int manyFrames,
        boolean keepsAcknowledgedFrames)
        implements TransportFixture {
    /** That keeps the contract. */
    public static HeapFixture whole() {
        return new HeapFixture(HeapTransport::new, Duration.ofSeconds(10), 20_000, true);
    }

    /** That keeps it, and what it holds. */
    public static HeapFixture kept() {
        return new HeapFixture(DurableHeap.whole(), Duration.ofSeconds(10), 20_000, true);
    }

    /** That keeps it, and in which the newest writer or reader takes the place of the one before. */
    public static HeapFixture rivals() {
        return new HeapFixture(RivalHeap.whole(), Duration.ofSeconds(10), 20_000, true);
    }

    /** Returns a fixture of rivals that keeps no frame that every consumer has acknowledged. */
    public static HeapFixture trimmedRivals() {
        return new HeapFixture(RivalHeap.trimmed(), Duration.ofSeconds(10), 20_000, false);
    }

    /** With a defect. */
    public static HeapFixture broken(Supplier<? extends HeapTransport> transport, Duration longestWait) {
        return new HeapFixture(transport, longestWait, 5_000, true);
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
        return OptionalInt.of(HeapTopic.SLOTS);
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
