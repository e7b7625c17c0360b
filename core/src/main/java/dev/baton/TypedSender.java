package dev.baton;

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
     * Sends a value as {@link Sender#send(Object, Serde, MessageFields)} does.
     *
     * @param value encoded before this returns, and not kept
     * @param fields origin, key and trace context
     */
    public void send(T value, MessageFields fields) {
        sender.send(value, codec, fields);
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

    /**
     * Sends a value as {@link Sender#offer(Object, Serde, MessageFields)} does.
     *
     * @param value encoded before this returns, and not kept
     * @param fields origin, key and trace context
     * @return whether it was sent
     */
    public boolean offer(T value, MessageFields fields) {
        return sender.offer(value, codec, fields);
    }
}
