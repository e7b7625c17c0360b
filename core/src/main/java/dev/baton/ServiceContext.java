package dev.baton;

import dev.baton.state.KeyedState;

/**
 * The environment of a running service, with which it can also hold inputs. Passed to {@link Service#onStart} and valid until
 * the chain has stopped. Confined to the service's loop; with a {@link
 * Concurrency}, to the calls of its service object.
 */
public interface ServiceContext {
    /** {@return the name of the chain} */
    String chain();

    /** {@return the name of the service} */
    String service();

    /** {@return the number of this instance of the chain; 0 for the only one} */
    int instance();

    /** {@return the number of the partition, from 0; -1 if the chain has no partitions} */
    int partition();

    /** {@return the name of the topic that the service reads; if the chain has partitions, that of its partition} */
    String input();

    /**
     * {@return the identity of the input topic, which changes if the topic is deleted and created again; 0 if it is not known}
     * Sequences of inputs that a service stores elsewhere are valid for this identity only.
     */
    long inputIdentity();

    /**
     * {@return the logical time, in nanoseconds since 1970-01-01T00:00Z: the commit time of the current input, or in {@link
     * TickingService#onTick} the time of the tick; {@link Long#MIN_VALUE} before the first of them} From input to input it never goes
     * back, and it is the same when inputs are delivered again, so results that depend only on it and on the inputs are the same as
     * well; in a service that holds inputs, unless the clock of a writer was set back. The time of a tick is never before those of
     * earlier ticks and inputs of the run; the next input may be older than the tick, because it waited meanwhile.
     */
    long time();

    /**
     * {@return whether the current tick or closing repeats one of an earlier run, as {@link Message#isRedelivered} for
     * messages; its outputs are already stored and are dropped}
     */
    default boolean isRepeatingTick() {
        return false;
    }

    /** {@return the time of the clock of {@link TickingService#deadlineNanos}; use it for waiting, not for results} */
    long nanoTime();

    /** {@return the sequence of the newest output that the transport has confirmed as stored; 0 for none} */
    long storedSequence();

    /**
     * {@return the sequence of the newest input that is delivered again although its outputs are stored; 0 for none} Until
     * it is consumed, the outputs of the service are dropped and there are no ticks: see {@link Service#holdsInputs}.
     */
    long redeliveredUpTo();

    /**
     * {@return a state by key, of a service that is a {@link KeyedService}} Called in {@link Service#onStart}, once for each
     * state; its values are restored afterwards, before the first message.
     *
     * @param <K> immutable keys with {@code equals} and {@code hashCode}
     * @param <V> values
     * @param name name of the state among those of the service
     * @param keys encodes keys in snapshots; {@link KeyedState#put} throws what it throws for a key. The format of a key cannot be
     *     changed later
     * @param values encodes values. In its decoder, {@link Message#type} is the {@link Service#keyedStateVersion} that wrote the
     *     value
     * @throws ConfigurationException when the service is no {@code KeyedService}, the name is used already, or this is not
     *     called in {@code onStart}
     */
    <K, V> KeyedState<K, V> state(String name, ValueCodec<K> keys, Serde<V> values);

    /**
     * {@return a state whose keys are strings, as {@link #state(String, ValueCodec, Serde)}}
     *
     * @param <V> values
     * @param name name of the state among those of the service
     * @param values encodes values
     */
    default <V> KeyedState<String, V> state(String name, Serde<V> values) {
        return state(name, ValueCodec.strings(0), values);
    }

    /**
     * Names the oldest input that the service still needs. This input and later ones are not acknowledged, and are delivered
     * again after a restart. Call it whenever the oldest needed input changes.
     *
     * <p>In a callback that throws it has no effect. At most {@link Deployment#maxHeld} inputs can be held. At that limit no
     * more are delivered, and a service without {@link TickingService#onTick} fails, as it could not release any.
     *
     * @param sequence sequence of that input; {@link Long#MAX_VALUE} to hold none
     * @throws ConfigurationException when the service does not {@link Service#holdsInputs hold inputs}
     */
    void holdFrom(long sequence);
}
