package dev.baton;

import dev.baton.spi.Transport;

/** Gives the tests of other packages a transport in memory. */
public final class HostileTransports {
    private HostileTransports() {}

    /** One without any hardship. */
    public static Transport kind() {
        return new HostileTransport();
    }
}
