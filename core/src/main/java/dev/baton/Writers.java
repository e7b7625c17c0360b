package dev.baton;

import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter;

/**
 * How the writers of one deployment are opened: with checksums or without. Immutable, thread-safe.
 *
 * @param isChecked whether frames bear checksums
 * @param longestPayload that the transport carries
 * @param topology of the chain: its services in order
 */
record Writers(boolean isChecked, int longestPayload, String topology) {
    /** The topology of a chain, as topics keep it. */
    static String topologyOf(Chain chain) {
        return chain.services().isEmpty() ? "no service" : String.join(" > ", chain.services());
    }

    TopicWriter open(Connection connection, String topic) {
        TopicWriter writer = connection.openWriter(topic, topology);
        return isChecked ? new CheckedWriter(writer, maxPayload()) : writer;
    }

    /** The longest payload that a service or a sender may claim. */
    int maxPayload() {
        return isChecked ? longestPayload - Frame.CHECKSUM_BYTES : longestPayload;
    }
}
