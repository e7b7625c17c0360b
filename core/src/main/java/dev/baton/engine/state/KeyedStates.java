package dev.baton.engine.state;

import dev.baton.ConfigurationException;
import dev.baton.Serde;
import dev.baton.ValueCodec;
import dev.baton.run.Environment;
import dev.baton.state.KeyedState;
import dev.baton.state.SnapshotInput;
import dev.baton.state.SnapshotOutput;
import dev.baton.state.UnknownSnapshotVersionException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The keyed states of one service. A snapshot holds one section for each state: a record with its name, then records of
 * removed keys, then records of values, newest first. A record begins with the lengths of value and key (4 bytes each); the
 * length -2 of a value marks the name of a state as the key, -1 a removed key. Key, time of the put (8 bytes) and value follow.
 * Snapshots of changes are applied in their order.
 *
 * <p>A callback that throws changes nothing: its changes are recorded, and undone if it throws. The record of an earlier
 * callback is cleared by the first change of the next one, so a successful callback costs nothing more. Confined to the thread that creates it.
 */
public final class KeyedStates implements StateContents {
    private static final int SLICE_BYTES = 256 << 10; // of a restoration
    private static final int NAME = -2; // in place of the length of a value
    static final int REMOVED = -1;

    private final String service;
    private final Environment environment;
    private final Thread owner;
    private final int version;
    private final LongSupplier time; // logical time of the callback in progress
    private final LongSupplier call; // a number of that callback, which the next one does not have
    private final ValueBytes bytes;
    private final Map<String, KeyedEntries<?, ?>> states = new LinkedHashMap<>();
    private final ArrayDeque<String> unsaved = new ArrayDeque<>(); // states that the snapshot in progress lacks
    private final ArrayDeque<Runnable> undoing =
            new ArrayDeque<>(); // changes of the callback in progress, or of an earlier one
    private long changedBy;
    private boolean isNameDue = true; // the section of the next state begins with its name
    private KeyedEntries<?, ?> restoring; // state of the current section; null for one that is not declared any more
    private boolean isRestored;

    public KeyedStates(
            String service, String topic, int version, Environment environment, LongSupplier time, LongSupplier call) {
        this.service = service;
        this.environment = environment;
        this.owner = environment.thread();
        this.version = version;
        this.time = time;
        this.call = call;
        this.bytes = new ValueBytes(topic);
    }

    public <K, V> KeyedState<K, V> open(String name, ValueCodec<K> keys, Serde<V> values) {
        if (isRestored || name.isBlank() || states.containsKey(name)) {
            throw new ConfigurationException("service " + service + " declares state '" + name
                    + "'; declare each state once, in onStart, with a name that is not blank");
        }
        KeyedEntries<K, V> state = new KeyedEntries<>(this, keys, values);
        states.put(name, state);
        return state;
    }

    ValueBytes bytes() {
        return bytes;
    }

    long time() {
        return time.getAsLong();
    }

    /** Checks that the service may use its states: on its loop's thread, and after they are restored. */
    void requireUsable() {
        if (environment.thread() != owner) {
            throw new IllegalStateException("the keyed state of service '" + service + "' belongs to thread '"
                    + owner.getName() + "', used by thread '"
                    + environment.thread().getName() + "'");
        }
        if (!isRestored) {
            throw new IllegalStateException(
                    "the state of service " + service + " is restored after onStart; use it from the first message on");
        }
    }

    /** Records how a change of the callback in progress is undone. */
    void changed(Runnable undo) {
        if (changedBy != call.getAsLong()) {
            undoing.clear();
            changedBy = call.getAsLong();
        }
        undoing.push(undo);
    }

    /** Undoes the changes of the callback in progress, which has thrown. */
    public void rollBack() {
        if (changedBy == call.getAsLong()) {
            undoing.forEach(Runnable::run);
        }
        undoing.clear();
    }

    @Override
    public int version() {
        return version;
    }

    @Override
    public boolean savesChanges() {
        return true;
    }

    @Override
    public void cut(boolean isWhole) {
        undoing.clear(); // these changes are in the snapshot
        states.values().forEach(state -> state.cut(isWhole));
        unsaved.addAll(states.keySet());
    }

    @Override
    public boolean save(SnapshotOutput out) {
        while (!unsaved.isEmpty()) {
            KeyedEntries<?, ?> state = states.get(unsaved.peek());
            if (isNameDue) {
                byte[] name = unsaved.peek().getBytes(StandardCharsets.UTF_8);
                out.putLong(lengths(name.length, NAME)).putBytes(name, 0, name.length);
            }
            isNameDue = state.save(out);
            if (!isNameDue) {
                return false;
            }
            unsaved.remove();
        }
        return true;
    }

    /** Returns the first 8 bytes of a record. */
    static long lengths(int key, int value) {
        return (long) key << Integer.SIZE | value & 0xFFFF_FFFFL;
    }

    @Override
    public boolean restore(SnapshotInput in, int found) {
        if (found > version) {
            throw new UnknownSnapshotVersionException(found, version);
        }
        long end = in.remaining() - SLICE_BYTES;
        while (in.remaining() > Math.max(0, end)) {
            long lengths = in.getLong();
            byte[] key = read(in, (int) (lengths >>> Integer.SIZE));
            int length = (int) lengths;
            if (length == NAME) {
                restoring = named(new String(key, StandardCharsets.UTF_8), found);
            } else {
                long put = length == REMOVED ? 0 : in.getLong();
                byte[] value = length == REMOVED ? null : read(in, length);
                if (restoring != null) {
                    restoring.restore(key, put, value, found, version);
                }
            }
        }
        return in.remaining() == 0;
    }

    private static byte[] read(SnapshotInput in, int length) {
        byte[] read = new byte[length];
        in.getBytes(read, 0, length);
        return read;
    }

    private KeyedEntries<?, ?> named(String name, int found) {
        KeyedEntries<?, ?> state = states.get(name);
        if (state == null && found == version) {
            throw new IllegalStateException("a snapshot holds state '" + name + "', which service " + service
                    + " does not declare; declare it in onStart, or increase the version of the service to drop it");
        }
        if (state != null) {
            state.beginRestoring();
        }
        return state;
    }

    @Override
    public void restored() {
        isRestored = true;
    }
}
