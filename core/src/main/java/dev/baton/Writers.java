package dev.baton;

import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter;

/**
 * How the writers of one deployment are opened: with checksums or without. Immutable, thread-safe.
 *
 * @param isChecked whether frames bear checksums
 * @param longestPayload that the transport carries
 */
record Writers(boolean isChecked, int longestPayload) {
    TopicWriter open(Connection connection, String topic) {
        TopicWriter writer = connection.openWriter(topic);
        return isChecked ? new CheckedWriter(writer, maxPayload()) : writer;
    }

    /** The longest payload that a service or a sender may claim. */
    int maxPayload() {
        return isChecked ? longestPayload - Frame.CHECKSUM_BYTES : longestPayload;
    }
}
