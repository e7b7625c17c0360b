package dev.baton.aeron;

import dev.baton.aeron.log.FragmentLayout;
import dev.baton.spi.Transport;
import dev.baton.tck.TransportFixture;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/** Topics over UDP on the loopback, whose consumers hold them back however long they are away. */
final class UdpFixture implements TransportFixture {
    private final UdpOptions options;

    UdpFixture(UdpOptions options) {
        this.options = options.with(UdpOptions.CONSUMER_TIMEOUT, Duration.ofDays(1));
    }

    @Override
    public Transport open() {
        return UdpTransport.open(options);
    }

    @Override
    public List<String> refusedNames() {
        return List.of("", " ", "a/b", "..");
    }

    /** A window of the shortest frames. */
    @Override
    public OptionalInt backlog() {
        return OptionalInt.of(options.window() / FragmentLayout.stagedBytes(0));
    }

    @Override
    public Duration settle() {
        return Duration.ofMillis(50);
    }

    @Override
    public void close() {
        // the topics were in the memory of the transport
    }
}
