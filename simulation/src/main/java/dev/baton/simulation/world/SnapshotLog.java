package dev.baton.simulation.world;

import dev.baton.simulation.plan.Reached;
import dev.baton.spi.Incarnation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The snapshots of a topic, parsed without core's code: determines which inputs may be acknowledged by them.
 * Single-threaded.
 */
final class SnapshotLog {
    private static final int BEGIN = 0x5342;
    private static final int CHUNK = 0x5343;
    private static final int END = 0x5345;
    private static final int START = 0x5353;
    private static final int INPUT = 8;
    private static final int OUTPUT = 32;
    private static final int BYTES = 56;
    private static final int CHUNKS = 64;
    private static final int FOLLOWS = 72;

    /**
     * A complete snapshot.
     *
     * @param base first entry of the whole state that it and earlier ones change
     * @param begin its first entry
     * @param end its last entry
     */
    private record Whole(int base, int begin, int end, long sequence, long input) {}

    private final String name;
    private final World world;
    private final List<Whole> whole = new ArrayList<>(); // and stored
    private SimTopic scanned;
    private int entries; // scanned
    private Incarnation author;
    private int begin = -1; // of the one that was begun; -1: none
    private long bytes;
    private int chunks;

    SnapshotLog(World world, String name) {
        this.world = world;
        this.name = name;
    }

    String name() {
        return name;
    }

    /** Returns the newest output that an end record lists as contained; -1 for another entry. */
    static long outputOf(SimTopic.Entry entry) {
        return entry.isMarker() || entry.type != END ? -1 : field(entry, OUTPUT);
    }

    private static long field(SimTopic.Entry entry, int at) {
        return entry.view().getLong(at);
    }

    /** Reads the entries stored by now. */
    void scan() {
        SimTopic topic = world.storage.find(name);
        if (topic != scanned) {
            scanned = topic;
            entries = 0;
            begin = -1;
            author = null;
            whole.clear();
        }
        int end = topic == null ? 0 : Math.min(topic.stored, topic.log.size());
        for (; entries < end; entries++) {
            SimTopic.Entry entry = topic.log.get(entries);
            if (!entry.isMarker() && entry.counts) {
                if (entry.author != author) {
                    author = entry.author;
                    tear();
                }
                add(entry);
            }
        }
    }

    private void add(SimTopic.Entry entry) {
        if (entry.type == BEGIN) {
            tear();
            begin = entries;
            bytes = 0;
            chunks = 0;
        } else if (entry.type == CHUNK) {
            bytes += entry.view().length();
            chunks++;
        } else if (entry.type == START) {
            tear();
        } else {
            if (begin >= 0 && field(entry, BYTES) == bytes && entry.view().getInt(CHUNKS) == chunks) {
                complete(entry);
            }
            begin = -1;
        }
    }

    private void complete(SimTopic.Entry end) {
        long follows = field(end, FOLLOWS);
        int base = follows == 0 ? begin : -1;
        for (Whole each : whole) {
            base = each.sequence == follows ? each.base : base;
        }
        if (base >= 0) {
            whole.add(new Whole(base, begin, entries, end.sequence, field(end, INPUT)));
        }
        if (follows != 0) {
            world.reached(Reached.CHANGES_SAVED);
        }
    }

    private void tear() {
        if (begin >= 0) {
            world.reached(Reached.SNAPSHOT_TORN);
            begin = -1;
        }
    }

    /** {@return the newest input that the older of the two newest complete snapshots contains; 0 for none} */
    long releasedInput() {
        scan();
        return whole.size() < 2 ? 0 : whole.get(whole.size() - 2).input;
    }

    /** {@return the first entry that the older of the two newest complete snapshots needs; 0 while there are not two} */
    int releasedEntry() {
        scan();
        return whole.size() < 2 ? 0 : whole.get(whole.size() - 2).base;
    }

    /** Alters a byte in the first chunk of the newest complete snapshot, if it has one. */
    boolean damage() {
        scan();
        if (whole.isEmpty()) {
            return false;
        }
        Whole newest = whole.get(whole.size() - 1);
        for (int i = newest.begin; i < newest.end && i < scanned.log.size(); i++) {
            SimTopic.Entry entry = scanned.log.get(i);
            if (!entry.isMarker() && entry.counts && entry.type == CHUNK) {
                ByteBuffer frame = entry.frame;
                int at = entry.view().offset(0, 1);
                frame.put(at, (byte) (frame.get(at) ^ 1));
                return true;
            }
        }
        return false;
    }
}
