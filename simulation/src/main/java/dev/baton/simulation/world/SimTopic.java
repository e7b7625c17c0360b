package dev.baton.simulation.world;

import dev.baton.simulation.time.SimProcess;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.FencingRule;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The stored entries of a topic. It survives the processes. Single-threaded. */
final class SimTopic {
    /** The request of a frame. */
    record Mark(long asker, long number) {}

    /** The kind of a frame: a message, or a reply in place of the output of a service. */
    enum Kind {
        MESSAGE,
        EMPTY,
        FAILED
    }

    /** A frame, or the marker of a writer's epoch. */
    static final class Entry {
        final ByteBuffer frame; // null: a marker
        final int payloadLength;
        final Incarnation author;
        final InputRef input;
        final boolean endsFlush;
        final long sequence;
        final long cause;
        final long payload; // its first 8 bytes, 0 for a shorter one
        final int type;
        final boolean counts; // by a rule of the simulation's own
        final Mark request; // null: it belongs to none
        final Kind kind;

        Entry(byte[] bytes, Incarnation author, InputRef input, boolean endsFlush, boolean counts) {
            this.author = author;
            this.input = input;
            this.endsFlush = endsFlush;
            this.counts = counts;
            if (bytes == null) {
                frame = null;
                payloadLength = 0;
                sequence = 0;
                cause = 0;
                payload = 0;
                type = 0;
                request = null;
                kind = Kind.MESSAGE;
            } else {
                frame = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
                payloadLength = bytes.length - Frame.HEADER_BYTES;
                sequence = frame.getLong(Frame.SEQUENCE_OFFSET);
                cause = frame.getLong(16);
                Frame view = view();
                type = view.type();
                payload = view.length() < Long.BYTES ? 0 : view.getLong(0);
                int mark = view.field(Extension.REQUEST);
                request = mark == Extension.NONE
                        ? null
                        : new Mark(view.getFieldLong(mark), view.getFieldLong(mark + Long.BYTES));
                kind = request == null
                        ? Kind.MESSAGE
                        : Kind.values()[view.memory().get(view.fieldOffset(mark, Extension.REQUEST_BYTES) + KIND)];
            }
        }

        /** The frame, its fields taken from its payload. */
        Frame view() {
            Frame view = new Frame().wrap(frame, 0, payloadLength);
            view.validate();
            return view;
        }

        boolean isMarker() {
            return frame == null;
        }

        /** {@return whether it is a frame that counts} */
        boolean isFrame() {
            return frame != null && counts;
        }

        /** {@return whether it is a frame that counts, and no reply} */
        boolean isMessage() {
            return isFrame() && kind == Kind.MESSAGE;
        }

        long sentNanos() {
            return view().sentNanos();
        }
    }

    /** A named consumer: its position and its reader. */
    static final class Consumer {
        final FencingRule fencing = new FencingRule();
        final List<SimReader> live = new ArrayList<>();
        SimProcess opener; // of its newest reader
        int position; // entries acknowledged
        int older; // the copy that was stored before
        int flipped = -1; // what a damaged position has become; -1: it is whole

        /** Returns the stored position: the older copy where the checksum of the newer one is wrong. */
        int open() {
            position = flipped < 0 ? position : older;
            flipped = -1;
            return position;
        }

        long readers; // opened so far
    }

    private static final int KIND = 2 * Long.BYTES; // in the field of a request

    final String name;
    final long identity;
    final List<Entry> log = new ArrayList<>();
    final Map<String, Consumer> consumers = new TreeMap<>();
    final List<SimWriter> writers = new ArrayList<>(); // live
    final List<SimReader> readers = new ArrayList<>(); // live
    int stored; // entries that survive the machine
    int restored; // times that it went back to a copy: what was on its way then never arrives
    private final List<Entry> missing = new ArrayList<>(); // stored, and behind a damage
    private int shortened; // the size without them
    private int remembered; // entries, by the record of the newest stored one
    private boolean isDamaged;
    private Incarnation owner; // of the newest marker

    SimTopic(String name, long identity) {
        this.name = name;
        this.identity = identity;
    }

    Consumer consumer(String consumer) {
        return consumers.computeIfAbsent(consumer, any -> new Consumer());
    }

    Incarnation newestIncarnation() {
        return owner;
    }

    /**
     * Appends an entry.
     *
     * @return whether it counts
     */
    boolean append(byte[] bytes, Incarnation author, InputRef input, boolean endsFlush) {
        if (bytes == null && (owner == null || Incarnation.count(author.id()) >= Incarnation.count(owner.id()))) {
            owner = author;
        }
        log.add(new Entry(bytes, author, input, endsFlush, author == owner));
        return author == owner;
    }

    /** {@return the newest frame that counts; null for none} */
    Entry newest() {
        for (int i = log.size() - 1; i >= 0; i--) {
            Entry entry = log.get(i);
            if (!entry.isMarker() && entry.counts) {
                return entry;
            }
        }
        return null;
    }

    /** {@return the number of entries before the first frame that was sent at a time or later} */
    int sentBefore(long nanos) {
        int entries = 0;
        while (entries < log.size()
                && (log.get(entries).isMarker() || log.get(entries).sentNanos() < nanos)) {
            entries++;
        }
        return entries;
    }

    /** {@return the newest frame that counts by the rule of every reader; null for none} */
    Entry newestForReaders() {
        FencingRule fencing = new FencingRule();
        Entry newest = null;
        for (Entry entry : log) {
            if (entry.isMarker()) {
                fencing.announce(entry.author.id());
            } else if (fencing.counts(entry.author.id())) {
                newest = entry;
            }
        }
        return newest;
    }

    /** Removes all entries from a size on. */
    void truncate(int size) {
        while (log.size() > size) {
            log.remove(log.size() - 1);
        }
        stored = Math.min(stored, size);
        restored++;
        owner = null;
        for (Entry entry : log) {
            if (entry.isMarker()
                    && (owner == null || Incarnation.count(entry.author.id()) >= Incarnation.count(owner.id()))) {
                owner = entry.author;
            }
        }
    }

    /** Damages a stored entry, which hides all that follow, or removes it and those; nothing where there is none. */
    void damage(int entry, boolean isRemoved) {
        if (entry >= stored || !missing.isEmpty()) {
            return;
        }
        List<Entry> behind = log.subList(entry, log.size());
        missing.addAll(behind);
        behind.clear();
        remembered = isRemoved ? stored : 0;
        isDamaged = !isRemoved;
        stored = entry;
        shortened = entry;
    }

    /** {@return the number of entries, including those that {@link #restore} would add} */
    int restorableSize() {
        return log.size() + (log.size() == shortened ? missing.size() : 0);
    }

    /** Restores what is missing, as a person does after a refusal; nothing where others have been stored since. */
    void restore() {
        if (log.size() == shortened && !missing.isEmpty()) {
            log.addAll(missing);
            stored = log.size();
        }
        missing.clear();
        remembered = 0;
        isDamaged = false;
    }

    /** Refuses a topic with a damage before its end, or with fewer entries than its record says. */
    void requireWhole(SimProcess process) {
        if (isDamaged || log.size() < remembered) {
            String what = isDamaged ? "is damaged behind entry " : "was longer than its entries: ";
            int entries = log.size();
            restore();
            process.metFault = true;
            throw new TransportException("topic " + name + " " + what + entries);
        }
    }

    /** {@return the messages that count, in order} */
    List<Entry> frames() {
        List<Entry> frames = new ArrayList<>(log.size());
        for (Entry entry : log) {
            if (entry.isMessage()) {
                frames.add(entry);
            }
        }
        return frames;
    }
}
