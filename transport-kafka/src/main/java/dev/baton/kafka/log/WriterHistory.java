package dev.baton.kafka.log;

import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import dev.baton.spi.support.FencingRule;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The writers of a topic, found by reading its records in the order of the log: classifies the records and finds the
 * frames that count, by {@link FencingRule}, and their writers.
 *
 * <p>Frames that do not count are logged once for each writer that was replaced. Confined to its reader's thread.
 */
public final class WriterHistory {
    /** The kinds of records. */
    public enum Kind {
        /** A frame that counts; {@link #frame} is aimed at it. */
        FRAME,
        /** A writer begins here. */
        MARKER,
        /** A frame that its writer stored after a newer one had begun. */
        DROPPED,
        /** A record that is no frame of this topic: {@link #defectOf} gives the reason. */
        FOREIGN
    }

    private final String topic;
    private final long from;
    private final LongPredicate begins;
    private final FencingRule fencing;
    private final NavigableMap<Long, Incarnation> known = new TreeMap<>();
    private final Set<Long> strangers = new HashSet<>(); // ids of writers that did not begin in this topic
    private final Frame frame = new Frame();
    private long writer; // of the last frame
    private long newestDropped; // id of the newest writer whose frames were dropped; 0: none
    private long reported; // of these the newest that was logged
    private long firstDropped; // sequence of the first frame of the newest
    private long firstDroppedOffset;
    private long droppedBefore; // frames, of others

    /**
     * Creates the state of a reader at an offset of the log.
     *
     * @param owner of that place; null when it is not known
     * @param from offset of that place
     */
    public WriterHistory(String topic, Incarnation owner, long from) {
        this(topic, owner, from, writer -> true);
    }

    /**
     * Creates the state of a reader at an offset of the log, which can look farther back.
     *
     * @param owner of that place; null when it is not known
     * @param from offset of that place
     * @param begins returns false for the id of a writer that certainly did not begin before that place. Asked for a writer newer
     *     than the owner whose marker was not met; it may block
     */
    public WriterHistory(String topic, Incarnation owner, long from, LongPredicate begins) {
        this.topic = topic;
        this.from = from;
        this.begins = begins;
        this.fencing = new FencingRule(owner == null ? 0 : owner.id());
        if (owner != null) {
            known.put(owner.id(), owner);
        }
    }

    /** Takes the next record of the log. */
    public Kind next(ConsumerRecord<byte[], ByteBuffer> record) {
        if (RecordDecoder.tryAimAtAny(frame, record) != null) {
            return Kind.FOREIGN;
        }
        if (frame.sequence() == WriterMarker.SEQUENCE) {
            Incarnation begun = WriterMarker.read(frame, record);
            if (begun == null) {
                return Kind.FOREIGN;
            }
            known.put(begun.id(), begun);
            fencing.announce(begun.id());
            return Kind.MARKER;
        }
        writer = RecordDecoder.writerOf(frame, record);
        if (writer == 0) {
            return Kind.FOREIGN;
        }
        long before = fencing.owner();
        if (writer != before && isStranger()) {
            strangers.add(writer);
            return Kind.FOREIGN;
        }
        if (!fencing.counts(writer)) {
            noteDropped(record.offset());
            return Kind.DROPPED;
        }
        if (writer != before) {
            known.putIfAbsent(writer, WriterMarker.unknown(writer));
        }
        return Kind.FRAME;
    }

    /**
     * Returns whether a frame, which would count, names a writer that did not begin in this topic: its marker should
     * lie among the records that were read, or behind that of the owner, and does not. It wrote a former topic of this
     * name, which was deleted while it ran.
     */
    private boolean isStranger() {
        if (strangers.contains(writer)) {
            return true;
        }
        boolean isFirst = fencing.owner() == 0;
        return (isFirst || Incarnation.count(writer) > Incarnation.count(fencing.owner()))
                && !known.containsKey(writer)
                && (WriterMarker.offsetOf(writer) >= from || !isFirst && !begins.test(writer));
    }

    /**
     * Aims a view at a record and returns why it is no frame of this topic; null for a frame. The record was taken
     * before.
     */
    public String defectOf(Frame view, ConsumerRecord<byte[], ByteBuffer> record) {
        String defect = RecordDecoder.tryAim(view, record);
        return defect == null && !strangers.isEmpty() && strangers.contains(RecordDecoder.writerOf(view, record))
                ? RecordDecoder.OF_FORMER_TOPIC
                : defect;
    }

    /** Returns the last frame. */
    public Frame frame() {
        return frame;
    }

    /** Returns the id of the incarnation that wrote the last frame. */
    public long writer() {
        return writer;
    }

    /** Returns the incarnation that owns the place behind the last record; null when it is not known. */
    public Incarnation owner() {
        return fencing.owner() == 0 ? null : of(fencing.owner());
    }

    /** Returns the number of frames that did not count. */
    public long dropped() {
        return fencing.dropped();
    }

    /** Returns the incarnation with an id, always the same object. */
    public Incarnation of(long id) {
        return known.computeIfAbsent(id, WriterMarker::unknown);
    }

    /**
     * Returns the id of the newest incarnation whose marker lies before an offset that was read; 0 when none is known.
     */
    public long ownerAt(long offset) {
        Long id = known.lowerKey(Incarnation.id(offset, 0));
        return id == null ? 0 : id;
    }

    /** Forgets incarnations that are not needed from this offset on. */
    public void forgetBefore(long offset) {
        if (known.size() > 1) {
            Long owner = known.lowerKey(Incarnation.id(offset, 0));
            if (owner != null) {
                known.headMap(owner).clear();
            }
        }
    }

    /** Logs what was dropped, once for each writer. Called behind the records that came together. */
    public void logDropped() {
        if (newestDropped == reported) {
            return;
        }
        reported = newestDropped;
        Incarnation former = known.get(newestDropped);
        System.getLogger("dev.baton")
                .log(
                        Level.WARNING,
                        "topic '" + topic + "': dropped " + (dropped() - droppedBefore) + " frames, from sequence "
                                + firstDropped + " at offset " + firstDroppedOffset + " on, of "
                                + (former == null ? "a writer that began before this reader" : former.process()) + ": "
                                + owner().process() + " had taken its place at offset "
                                + WriterMarker.offsetOf(fencing.owner()) + ". What else it writes is dropped, too");
        droppedBefore = dropped();
    }

    private void noteDropped(long offset) {
        if (writer > newestDropped) {
            newestDropped = writer;
            firstDropped = frame.sequence();
            firstDroppedOffset = offset;
            droppedBefore = dropped() - 1;
        }
    }
}
