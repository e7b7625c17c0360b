package dev.baton.engine.state;

import dev.baton.Decoder;
import dev.baton.Serde;
import dev.baton.ValueCodec;
import dev.baton.state.KeyedState;
import dev.baton.state.SnapshotOutput;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * One keyed state: a map of keys to encoded values, whose entries are linked in the order in which they were put.
 *
 * <p>An entry is immutable, and a put replaces it by a new one at the end of the order. So what changed since the last
 * snapshot is the end of the order, and the oldest values, which expire first, are its beginning. A snapshot is cut at
 * one moment and walks from the newest entry of that moment backwards, slice by slice, while the service continues. An entry
 * that is replaced or removed before the walk has reached it stays in the order, marked as replaced, until it is written.
 *
 * <p>The map consists of {@value #SEGMENTS} small ones with different load factors, which grow one after the other, so that no put
 * has to move the whole table. Confined to its loop.
 */
final class KeyedEntries<K, V> implements KeyedState<K, V> {
    private static final int SEGMENTS = 256;
    private static final int FIRST_CAPACITY = 16;
    private static final float LEAST_LOAD = 0.6f;
    private static final int NEVER = -1;
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE); // no value is that old

    /** An entry, or the two ends of the order. */
    private static final class Entry<K> {
        final K key;
        final byte[] value;
        final long time;
        final int epoch; // number of cuts before it was put
        final boolean isKnown; // its key may be in an earlier snapshot, whatever its epoch
        Entry<K> before = this;
        Entry<K> after = this;
        int writtenIn = NEVER; // epoch of the newest snapshot that contains it
        boolean isReplaced; // it is in the order only for the snapshot in progress

        Entry(K key, byte[] value, long time, int epoch, boolean isKnown) {
            this.key = key;
            this.value = value;
            this.time = time;
            this.epoch = epoch;
            this.isKnown = isKnown;
        }

        void linkBefore(Entry<K> next) {
            after = next;
            before = next.before;
            relink();
        }

        /** Puts an entry back between those that were its neighbours when it was unlinked. */
        void relink() {
            before.after = this;
            after.before = this;
        }

        void unlink() {
            before.after = after;
            after.before = before;
        }
    }

    private final KeyedStates states;
    private final ValueCodec<K> keys;
    private final Serde<V> values;
    private final Decoder<K> keyDecoder;
    private final Decoder<V> decoder;
    private final List<Map<K, Entry<K>>> segments = new ArrayList<>(SEGMENTS);
    private final Entry<K> ends = new Entry<>(null, null, 0, NEVER, false);
    private Entry<K> oldest = ends; // no entry before it is current
    private int size;
    private long changes;
    private int epoch = 1; // number of cuts; restored entries are of epoch 0
    private ArrayDeque<K> removed = new ArrayDeque<>(); // since the last cut

    private Entry<K> cursor = ends; // next entry to be written; ends if there is none
    private ArrayDeque<K> removedToWrite = removed;
    private int cut = NEVER; // epoch of the newest snapshot
    private int since; // newest epoch of which it contains nothing
    private Entry<K> anchor = ends; // next entry is restored before this one

    KeyedEntries(KeyedStates states, ValueCodec<K> keys, Serde<V> values) {
        this.states = states;
        this.keys = keys;
        this.values = values;
        keyDecoder = keys.decoder();
        decoder = values.decoder();
        for (int i = 0; i < SEGMENTS; i++) {
            segments.add(new HashMap<>(FIRST_CAPACITY, LEAST_LOAD + i * (1 - LEAST_LOAD) / SEGMENTS));
        }
    }

    private Map<K, Entry<K>> segment(K key) {
        int mixed = key.hashCode() * 0x9E3779B9; // the upper bits choose the segment, the map uses the lower ones
        return segments.get(mixed >>> Integer.SIZE - 8);
    }

    @Override
    public V get(K key) {
        states.requireUsable();
        Entry<K> entry = segment(key).get(key);
        return entry == null ? null : states.bytes().decode(decoder, entry.value, states.version());
    }

    @Override
    public void put(K key, V value) {
        states.requireUsable();
        Map<K, Entry<K>> segment = segment(key);
        Entry<K> former = segment.get(key);
        if (former == null) {
            states.bytes().encode(keys, key); // refuses it here, where the error policy applies, not in a snapshot
        }
        Entry<K> next = new Entry<>(
                key,
                states.bytes().encode(values, value),
                states.time(),
                epoch,
                former != null && isInSnapshot(former));
        Entry<K> replaced = segment.put(key, next);
        if (replaced == null) {
            size++;
        } else {
            retire(replaced);
        }
        next.linkBefore(ends);
        oldest = oldest == ends ? next : oldest;
        changes++;
        states.changed(() -> undoPut(next, replaced));
    }

    private void undoPut(Entry<K> put, Entry<K> replaced) {
        put.unlink();
        oldest = ends.after;
        if (replaced == null) {
            segment(put.key).remove(put.key);
            size--;
        } else {
            revive(replaced);
        }
    }

    @Override
    public boolean remove(K key) {
        states.requireUsable();
        Entry<K> entry = segment(key).remove(key);
        if (entry == null) {
            return false;
        }
        size--;
        retire(entry);
        boolean isRecorded = isInSnapshot(entry);
        if (isRecorded) {
            removed.add(key);
        }
        changes++;
        states.changed(() -> {
            if (isRecorded) {
                removed.removeLast();
            }
            size++;
            revive(entry);
        });
        return true;
    }

    /** Returns whether a snapshot that was cut may contain the key of a current entry, which its removal then has to undo. */
    private boolean isInSnapshot(Entry<K> entry) {
        return entry.epoch < epoch || entry.isKnown;
    }

    /** Unlinks an entry, unless the snapshot in progress contains it and has not written it yet. */
    private void retire(Entry<K> entry) {
        if (cursor != ends && entry.epoch <= cut && entry.epoch > since && entry.writtenIn != cut) {
            entry.isReplaced = true;
        } else {
            unlink(entry);
        }
    }

    private void revive(Entry<K> entry) {
        segment(entry.key).put(entry.key, entry);
        if (entry.isReplaced) {
            entry.isReplaced = false;
        } else {
            entry.relink();
        }
        oldest = ends.after;
    }

    private void unlink(Entry<K> entry) {
        if (oldest == entry) {
            oldest = entry.after;
        }
        entry.unlink();
    }

    @Override
    public int expire(Duration age, int limit, BiConsumer<? super K, ? super V> action) {
        states.requireUsable();
        if (age.compareTo(LONGEST) > 0) {
            return 0;
        }
        long before = states.time() - age.toNanos();
        int count = 0;
        while (count < limit && oldest() != ends && oldest.time < before) {
            Entry<K> expired = oldest;
            remove(expired.key);
            count++;
            action.accept(expired.key, states.bytes().decode(decoder, expired.value, states.version()));
        }
        return count;
    }

    /** Advances {@link #oldest} to the oldest current entry, and returns it. */
    private Entry<K> oldest() {
        while (oldest.isReplaced) {
            oldest = oldest.after;
        }
        return oldest;
    }

    @Override
    public int size() {
        states.requireUsable();
        return size;
    }

    @Override
    public void forEach(BiConsumer<? super K, ? super V> action) {
        states.requireUsable();
        long begun = changes;
        for (Entry<K> each = oldest(); each != ends; each = each.after) {
            if (!each.isReplaced) {
                action.accept(each.key, states.bytes().decode(decoder, each.value, states.version()));
                if (changes != begun) {
                    throw new ConcurrentModificationException(
                            "the action of forEach has changed the state; collect the keys, and change it afterwards");
                }
            }
        }
    }

    void cut(boolean isWhole) {
        cut = epoch;
        since = isWhole ? NEVER : epoch - 1;
        epoch++;
        removedToWrite = isWhole ? new ArrayDeque<>() : removed;
        removed = new ArrayDeque<>();
        cursor = ends.before;
    }

    /** Writes the next slice of the snapshot; returns whether it is complete. */
    boolean save(SnapshotOutput out) {
        while (!removedToWrite.isEmpty()) {
            byte[] key = states.bytes().encode(keys, removedToWrite.remove());
            out.putLong(KeyedStates.lengths(key.length, KeyedStates.REMOVED)).putBytes(key, 0, key.length);
            if (!out.hasTime()) {
                return false;
            }
        }
        while (cursor != ends && cursor.epoch > since) {
            write(cursor, out);
            if (!out.hasTime()) {
                return false;
            }
        }
        cursor = ends;
        return true;
    }

    private void write(Entry<K> entry, SnapshotOutput out) {
        byte[] key = states.bytes().encode(keys, entry.key);
        out.putLong(KeyedStates.lengths(key.length, entry.value.length))
                .putBytes(key, 0, key.length)
                .putLong(entry.time)
                .putBytes(entry.value, 0, entry.value.length);
        entry.writtenIn = cut;
        cursor = entry.before;
        if (entry.isReplaced) {
            unlink(entry);
        }
    }

    void beginRestoring() {
        anchor = ends;
    }

    /** Restores a value, before those restored since {@link #beginRestoring}, or a removal, for which the value is null. */
    void restore(byte[] key, long time, byte[] value, int found, int version) {
        ValueBytes bytes = states.bytes();
        K of = bytes.decode(keyDecoder, key, 0);
        Entry<K> former = segment(of).remove(of);
        if (former != null) {
            former.unlink();
            size--;
        }
        if (value != null) {
            byte[] current = found == version ? value : bytes.encode(values, bytes.decode(decoder, value, found));
            Entry<K> entry = new Entry<>(of, current, time, 0, true);
            segment(of).put(of, entry);
            entry.linkBefore(anchor);
            anchor = entry;
            size++;
        }
        oldest = ends.after;
    }
}
