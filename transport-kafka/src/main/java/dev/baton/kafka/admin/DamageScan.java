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
 * What a topic holds in addition to frames that count, found from its records, handed in from the oldest to the
 * newest. Memory is bounded however damaged the topic: of very many ranges neighbours are merged. Confined to one thread.
 */
final class DamageScan {
    private final LogWriters writers;
    private final Frame view = new Frame();
    private final List<DamagedRange> ranges = new ArrayList<>();
    private final boolean isFromStart; // nothing was removed before it
    private final int maxRanges;
    private boolean isAdjacent; // no frame that counts since the last record that is none
    private long records;
    private long frames;
    private long first; // sequence of the first frame, 0: none was met
    private long last; // sequence of the newest frame
    private long outOfSequence;
    private String firstOutOfSequence;
    private Incarnation marker; // the newest that was met; null for none
    private RepairMarker repair; // the newest that was met; null for none

    /**
     * Begins to scan.
     *
     * @param owner of the place where the topic begins now; null when it is not known
     * @param from offset of that place
     */
    DamageScan(String topic, Incarnation owner, long from, int maxRanges) {
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
        Defect defect = Defect.of(record, view);
        long claimed = defect.hasSequence() ? view.sequence() : 0;
        boolean canBe =
                claimed > 0 && (defect == Defect.FORMER_TOPIC || claimed <= record.offset() + 1); // each took an offset
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

    /** All that a repair has to declare, what earlier ones have declared included. */
    List<RepairMarker.Range> ranges() {
        return ranges.stream().map(DamagedRange::offsets).toList();
    }

    /** What no repair has declared dropped yet. */
    Map<Defect, DamagedRange.Tally> undeclared() {
        return sum(false);
    }

    /** What earlier repairs have declared dropped. */
    long declaredRecords() {
        return count(sum(true));
    }

    long undeclaredRecords() {
        return count(undeclared());
    }

    private static long count(Map<Defect, DamagedRange.Tally> tallies) {
        return tallies.values().stream().mapToLong(DamagedRange.Tally::records).sum();
    }

    private Map<Defect, DamagedRange.Tally> sum(boolean isDeclared) {
        Map<Defect, DamagedRange.Tally> sum = new EnumMap<>(Defect.class);
        ranges.stream().filter(range -> range.isDeclared() == isDeclared).forEach(range -> range.addTo(sum));
        return sum;
    }

    long records() {
        return records;
    }

    /** That count. */
    long frames() {
        return frames;
    }

    /** Stored by writers that had been replaced. */
    long replaced() {
        return writers.dropped();
    }

    long firstSequence() {
        return first;
    }

    /** Of the newest frame that counts, or what the newest repair says of it; 0 for none. */
    long lastSequence() {
        return last;
    }

    /** Whether that is known. */
    boolean hasLastSequence() {
        return frames > 0 || repair != null;
    }

    /** Frames that count and do not follow the one before. */
    long outOfSequence() {
        return outOfSequence;
    }

    /** Null for none. */
    String firstOutOfSequence() {
        return firstOutOfSequence;
    }

    /** The newest repair met; null for none. */
    RepairMarker repair() {
        return repair;
    }

    /** Of the chain that writes the topic, as far as a marker tells. */
    String topology() {
        return marker == null ? Incarnation.NO_TOPOLOGY : marker.topology();
    }
}
