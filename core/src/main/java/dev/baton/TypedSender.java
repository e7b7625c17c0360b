package dev.baton;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A sender for the values of one codec: {@link Sender#typed}. Confined to the thread of the sender that it uses.
 *
 * @param <T> the values
 */
public final class TypedSender<T> {
    private final Sender sender;
    private final Serde<T> codec;

    TypedSender(Sender sender, Serde<T> codec) {
        this.sender = sender;
        this.codec = Objects.requireNonNull(codec, "codec");
    }

    /**
     * Sends a value as {@link Sender#send(Object, Serde)} does.
     *
     * @param value encoded before this returns, and not kept
     */
    public void send(T value) {
        sender.send(value, codec);
    }

    /**
     * Sends a value with a key as {@link Sender#send(Object, Serde, ByteBuffer)} does.
     *
     * @param value encoded before this returns, and not kept
     * @param key as for {@link Sender#tryClaim(int, long, ByteBuffer)}; null for none
     */
    public void send(T value, ByteBuffer key) {
        sender.send(value, codec, key);
    }

    /**
     * Sends a value as {@link Sender#offer(Object, Serde)} does.
     *
     * @param value encoded before this returns, and not kept
     * @return whether it was sent
     */
    public boolean offer(T value) {
        return sender.offer(value, codec);
    }
}
