package dev.baton.kafka.admin;

import dev.baton.kafka.log.LogWriters;
import dev.baton.kafka.log.RepairMarker;
import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The records of a topic that are no frames that count, collected from all of its records in the order of the log.
 * Memory is bounded: when there are too many ranges, neighbours are merged. Confined to one thread.
 */
final class DamageScan {
    private final String topic;
    private final LogWriters writers;
    private final Frame view = new Frame();
    private final List<DamagedRange> ranges = new ArrayList<>();
    private final boolean isFromStart; // nothing was removed before it
    private final int maxRanges;
    private boolean isAdjacent; // no frame that counts since the last record that is none
    private long records;
    private long frames;
    private long first; // sequence of the first frame, 0: none was read
    private long last; // sequence of the newest frame
    private long outOfSequence;
    private String firstOutOfSequence;
    private Incarnation marker; // the newest that was read; null for none
    private RepairMarker repair; // the newest that was read; null for none

    /**
     * Creates a scan of no records.
     *
     * @param owner of the place where the topic begins now; null when it is not known
     * @param from offset of that place
     */
    DamageScan(String topic, Incarnation owner, long from, int maxRanges) {
        this.topic = topic;
        this.writers = new LogWriters(topic, owner, from);
        this.marker = owner;
        this.isFromStart = from == 0;
        this.maxRanges = maxRanges;
    }

    /** Takes the next record of the log. */
    boolean take(ConsumerRecord<byte[], ByteBuffer> record) {
        records++;
        switch (writers.next(record)) {
            case FRAME -> frame(record);
            case MARKER -> marker(record);
            case FOREIGN -> damaged(record);
            case DROPPED -> {
                // every reader steps over it
            }
        }
        return true;
    }

    private void frame(ConsumerRecord<byte[], ByteBuffer> record) {
        long sequence = writers.frame().sequence();
        if (frames == 0) {
            first = sequence;
            if (isFromStart && repair == null && sequence > 1) {
                outOfSequence++;
                firstOutOfSequence = "offset " + record.offset() + ": sequence " + sequence + " is the first";
            }
        } else if (sequence != last + 1) {
            outOfSequence++;
            if (firstOutOfSequence == null) {
                firstOutOfSequence = "offset " + record.offset() + ": sequence " + sequence + " follows " + last;
            }
        }
        frames++;
        last = sequence;
        isAdjacent = false;
    }

    private void marker(ConsumerRecord<byte[], ByteBuffer> record) {
        marker = writers.owner();
        RepairMarker found = RepairMarker.read(writers.frame(), record);
        if (found != null) {
            repair = found;
            last = frames == 0 ? found.lastSequence() : last;
            ranges.forEach(range -> range.declaredBy(found));
            isAdjacent = false;
        }
    }

    private void damaged(ConsumerRecord<byte[], ByteBuffer> record) {
        if (!isAdjacent) {
            isAdjacent = true;
            if (ranges.size() == maxRanges) {
                mergeNeighbours();
            }
            ranges.add(new DamagedRange(record.offset()));
        }
        RecordDefect defect = RecordDefect.of(record, view);
        long claimed = defect.hasSequence() ? view.sequence() : 0;
        boolean canBe = claimed > 0
                && (defect == RecordDefect.FORMER_TOPIC || claimed <= record.offset() + 1); // each took an offset
        ranges.get(ranges.size() - 1).add(defect, record.offset(), canBe ? claimed : 0);
    }

    private void mergeNeighbours() {
        List<DamagedRange> all = List.copyOf(ranges);
        ranges.clear();
        for (int i = 0; i < all.size(); i += 2) {
            if (i + 1 < all.size()) {
                all.get(i).merge(all.get(i + 1));
            }
            ranges.add(all.get(i));
        }
    }

    /** Returns the ranges that a repair has to declare, including those that earlier repairs have declared. */
    List<RepairMarker.Range> ranges() {
        return ranges.stream().map(DamagedRange::offsets).toList();
    }

    /** Returns the records that no repair has declared dropped yet. */
    Map<RecordDefect, DamagedRange.Tally> undeclared() {
        return sum(false);
    }

    /** Returns the number of records that earlier repairs have declared dropped. */
    long declaredRecords() {
        return count(sum(true));
    }

    long undeclaredRecords() {
        return count(undeclared());
    }

    private static long count(Map<RecordDefect, DamagedRange.Tally> tallies) {
        return tallies.values().stream().mapToLong(DamagedRange.Tally::records).sum();
    }

    private Map<RecordDefect, DamagedRange.Tally> sum(boolean isDeclared) {
        Map<RecordDefect, DamagedRange.Tally> sum = new EnumMap<>(RecordDefect.class);
        ranges.stream().filter(range -> range.isDeclared() == isDeclared).forEach(range -> range.addTo(sum));
        return sum;
    }

    /** Returns the sequence of the newest frame that counts, or the one that the newest repair declares; 0 for none. */
    long lastSequence() {
        return last;
    }

    /** Returns whether {@link #lastSequence} is known. */
    boolean hasLastSequence() {
        return frames > 0 || repair != null;
    }

    /** Returns the number of frames that count and do not follow the one before. */
    long outOfSequence() {
        return outOfSequence;
    }

    /** Returns the topology of the chain that writes the topic, if a marker was found. */
    String topology() {
        return marker == null ? Incarnation.NO_TOPOLOGY : marker.topology();
    }

    /**
     * Returns what was read and what is to be dropped of it, as lines of text.
     *
     * @param verb such as "would drop"
     * @param oldest offset of the topic
     * @param end offset behind the newest record
     * @param lastSequence behind which the next writer continues
     */
    List<String> report(String verb, long oldest, long end, long lastSequence) {
        List<String> lines = new ArrayList<>();
        lines.add("topic '" + topic + "': " + counted(records, "record")
                + (end > oldest ? " at offsets " + oldest + " to " + (end - 1) : "") + "; "
                + counted(frames, "frame")
                + (frames == 0 ? "" : ", sequences " + first + " to " + last + ",")
                + (frames == 1 ? " counts" : " count")
                + (writers.dropped() == 0
                        ? ""
                        : "; " + writers.dropped() + " of writers that had been replaced do not"));
        if (declaredRecords() > 0) {
            lines.add("dropped already: " + counted(declaredRecords(), "record") + ", by the repair at offset "
                    + repair.offset());
        }
        Map<RecordDefect, DamagedRange.Tally> undeclared = undeclared();
        undeclared.forEach((defect, tally) -> lines.add(verb + ": " + tally.records() + " " + defect.text()
                + ", the first at offset " + tally.firstOffset()
                + (tally.highest() == 0 ? "" : ", sequences " + tally.lowest() + " to " + tally.highest())));
        for (RecordDefect defect : RecordDefect.values()) {
            DamagedRange.Tally claimed = defect.hasSequence() ? undeclared.get(defect) : null;
            if (claimed == null || claimed.highest() <= lastSequence) {
                continue;
            }
            lines.add((defect == RecordDefect.FORMER_TOPIC ? "lost, unless it is sent again" : "lost")
                    + ": what was sent under sequences " + Math.max(claimed.lowest(), lastSequence + 1) + " to "
                    + claimed.highest() + ", which no frame that counts has");
        }
        if (!undeclared.isEmpty()) {
            lines.add("the next writer continues with sequence " + (lastSequence + 1));
        }
        if (outOfSequence > 0) {
            lines.add("not repaired: " + firstOutOfSequence
                    + (outOfSequence > 1 ? ", and " + (outOfSequence - 1) + " more such places" : "")
                    + ". Frames are missing there, and readers stop; set the positions of consumers that have not"
                    + " passed the place to that offset (kafka-consumer-groups --reset-offsets --to-offset)");
        }
        return lines;
    }

    private static String counted(long count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    /**
     * Records without a readable frame between them that are no frames, or such ranges merged. Confined to its scan.
     */
    static final class DamagedRange {
        /** Records of one kind: how many, where the first lies, and the sequences that they claim, 0 for none. */
        static final class Tally {
            private long records;
            private long firstOffset = Long.MAX_VALUE;
            private long lowest = Long.MAX_VALUE;
            private long highest;

            private void add(long count, long offset, long low, long high) {
                records += count;
                firstOffset = Math.min(firstOffset, offset);
                lowest = Math.min(lowest, low);
                highest = Math.max(highest, high);
            }

            long records() {
                return records;
            }

            long firstOffset() {
                return firstOffset;
            }

            /** The lowest sequence claimed. */
            long lowest() {
                return lowest;
            }

            /** The highest sequence claimed; 0 when none is. */
            long highest() {
                return highest;
            }
        }

        private final Map<RecordDefect, Tally> tallies = new EnumMap<>(RecordDefect.class);
        private final long first;
        private long last;
        private boolean isDeclared; // an earlier repair has declared it dropped

        DamagedRange(long first) {
            this.first = first;
            this.last = first;
        }

        /**
         * Adds a record.
         *
         * @param sequence that the record claims; 0: none that could be
         */
        void add(RecordDefect defect, long offset, long sequence) {
            last = offset;
            tally(defect).add(1, offset, sequence == 0 ? Long.MAX_VALUE : sequence, sequence);
        }

        /** Takes in a later range, and what lies between: frames that can be read count there all the same. */
        void merge(DamagedRange later) {
            last = later.last;
            isDeclared &= later.isDeclared;
            later.addTo(tallies);
        }

        void addTo(Map<RecordDefect, Tally> sum) {
            tallies.forEach((defect, tally) -> sum.computeIfAbsent(defect, missing -> new Tally())
                    .add(tally.records, tally.firstOffset, tally.lowest, tally.highest));
        }

        void declaredBy(RepairMarker repair) {
            isDeclared |= repair.covers(first, last);
        }

        boolean isDeclared() {
            return isDeclared;
        }

        RepairMarker.Range offsets() {
            return new RepairMarker.Range(first, last);
        }

        private Tally tally(RecordDefect defect) {
            return tallies.computeIfAbsent(defect, missing -> new Tally());
        }
    }
}
