package dev.baton.examples.gateway;

import dev.baton.Claim;
import dev.baton.Message;
import dev.baton.ValueCodec;

/** The body of a request or of an answer as the payload of a message. Stateless, thread-safe. */
public enum Body implements ValueCodec<byte[]> {
    /** The codec. */
    CODEC;

    @Override
    public int maxLength(byte[] body) {
        return body.length;
    }

    @Override
    public int encode(byte[] body, Claim into) {
        into.putBytes(0, body, 0, body.length);
        return body.length;
    }

    @Override
    public byte[] decode(Message from) {
        byte[] body = new byte[from.length()];
        from.getBytes(0, body, 0, body.length);
        return body;
    }
}
