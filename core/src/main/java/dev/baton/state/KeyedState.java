package dev.baton.state;

import dev.baton.KeyedService;
import dev.baton.ServiceContext;
import java.time.Duration;
import java.util.function.BiConsumer;

/**
 * The state of a {@link KeyedService} by key, from {@link ServiceContext#state}. It survives the process of the service, in
 * snapshots that contain what changed since the one before.
 *
 * <p>A value is encoded when it is {@linkplain #put put}; the state holds its bytes, and {@link #get} decodes them. A later
 * change of the object has no effect until it is put again. So a snapshot that is written while the service continues contains
 * exactly the values of the moment at which it began.
 *
 * <p>Used in callbacks of the service, after {@code onStart}. A callback that throws changes nothing. Confined to the service's
 * loop: calls from another thread throw {@link IllegalStateException}.
 *
 * @param <K> immutable keys with {@code equals} and {@code hashCode}
 * @param <V> values
 */
public interface KeyedState<K, V> {
    /**
     * {@return the value of a key; null for none} A value from a {@link dev.baton.Codec} is valid until the next call of this
     * state, which may reuse it.
     *
     * @param key any key
     */
    V get(K key);

    /**
     * Sets the value of a key as of {@link ServiceContext#time}. Keeps the key, and allocates the bytes of the value. Throws what
     * a codec throws for the value or, if the state has no value of it yet, for the key.
     *
     * @param key any key
     * @param value value, which is only read
     */
    void put(K key, V value);

    /**
     * {@return whether a key had a value, which is removed}
     *
     * @param key any key
     */
    boolean remove(K key);

    /**
     * {@return the number of values removed because they were put longer ago than an age, by {@link ServiceContext#time}, in the order
     * of the puts} A value that is exactly that old remains. A value is never removed before one that was put earlier.
     *
     * @param age age that a removed value has exceeded
     * @param limit maximum number of values to remove, which limits the duration of the call
     */
    default int expire(Duration age, int limit) {
        return expire(age, limit, (key, value) -> {});
    }

    /**
     * Removes values as {@link #expire(Duration, int)} does, and passes each with its key to an action, for timers of keys.
     *
     * @param age age that a removed value has exceeded
     * @param limit maximum number of values to remove; if each leads to a message, at most {@link dev.baton.Service#maxOutputs}
     * @param action called after each removal; may change the state. Its value is valid as long as that of {@link #get}
     * @return number of values removed
     */
    int expire(Duration age, int limit, BiConsumer<? super K, ? super V> action);

    /** {@return the number of keys} */
    int size();

    /**
     * Passes each key with its value to an action, beginning with the value that was put longest ago. Takes time for each key.
     *
     * @param action must not change the state
     */
    void forEach(BiConsumer<? super K, ? super V> action);
}
