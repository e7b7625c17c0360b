package dev.baton.test;

import java.nio.ByteBuffer;

/**
 * What a service has sent, without where and when.
 *
 * @param type of the message
 * @param key null for none
 * @param payload compared by content
 */
record Sent(int type, ByteBuffer key, ByteBuffer payload) {
    /** Of a message that was taken. */
    static Sent of(Output output) {
        return new Sent(output.type(), output.key(), output.payload());
    }

    @Override
    public String toString() {
        return Output.text(type, key, payload);
    }
}
