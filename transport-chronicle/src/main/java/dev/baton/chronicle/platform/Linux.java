package dev.baton.chronicle.platform;

import dev.baton.spi.TransportException;

/**
 * The system that topics may be written on. Elsewhere space cannot be taken before it is stored into, so that a full disk
 * would leave torn excerpts; and where file names have no case, topics whose names differ in case only would share a
 * directory while each has a lock of its own. Stateless.
 */
public final class Linux {
    private Linux() {}

    /** @throws TransportException when the system is another one */
    public static void require(String system) {
        if (!system.startsWith("Linux")) {
            throw new TransportException("chronicle writes topics on Linux, and this is " + system
                    + ": a full disk would leave torn excerpts there, and topics whose names differ in case only would"
                    + " share files; use disruptor or kafka");
        }
    }
}
