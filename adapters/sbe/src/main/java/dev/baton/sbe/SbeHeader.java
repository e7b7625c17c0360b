package dev.baton.sbe;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.sbe.MessageFlyweight;

/**
 * SBE's standard message header, in front of each payload: block length, template id, schema id and version, two bytes each in
 * little-endian order. Stateless.
 */
final class SbeHeader {
    static final int BYTES = 8;

    private static final int TEMPLATE_ID = 2;
    private static final int SCHEMA_ID = 4;
    private static final int VERSION = 6;

    private SbeHeader() {}

    /** Writes the header of a flyweight's message. */
    static void write(MutableDirectBuffer buffer, MessageFlyweight message) {
        buffer.putShort(0, (short) message.sbeBlockLength(), ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(TEMPLATE_ID, (short) message.sbeTemplateId(), ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(SCHEMA_ID, (short) message.sbeSchemaId(), ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(VERSION, (short) message.sbeSchemaVersion(), ByteOrder.LITTLE_ENDIAN);
    }

    static int blockLength(DirectBuffer buffer, int at) {
        return unsigned(buffer, at);
    }

    static int templateId(DirectBuffer buffer, int at) {
        return unsigned(buffer, at + TEMPLATE_ID);
    }

    static int schemaId(DirectBuffer buffer, int at) {
        return unsigned(buffer, at + SCHEMA_ID);
    }

    static int version(DirectBuffer buffer, int at) {
        return unsigned(buffer, at + VERSION);
    }

    private static int unsigned(DirectBuffer buffer, int at) {
        return buffer.getShort(at, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
    }

    /**
     * Returns a buffer to aim at payloads.
     *
     * @throws IllegalStateException when Agrona cannot reach the memory of buffers in this JVM
     */
    static UnsafeBuffer newBuffer() {
        try {
            return new UnsafeBuffer(new byte[0]);
        } catch (LinkageError thrown) {
            throw new IllegalStateException(
                    "Agrona needs the JVM flag --add-opens=java.base/jdk.internal.misc=ALL-UNNAMED to read and write SBE",
                    thrown);
        }
    }
}
