package dev.baton.kafka.admin;

import dev.baton.kafka.log.RepairMarker;
import java.util.EnumMap;
import java.util.Map;

/** Records without a readable frame between them that are no frames, or such ranges merged. Confined to its scan. */
final class DamagedRange {
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

    private final Map<Defect, Tally> tallies = new EnumMap<>(Defect.class);
    private final long first;
    private long last;
    private boolean isDeclared; // an earlier repair has declared it dropped

    DamagedRange(long first) {
        this.first = first;
        this.last = first;
    }

    /** @param sequence that the record claims; 0: none that could be */
    void add(Defect defect, long offset, long sequence) {
        last = offset;
        tally(defect).add(1, offset, sequence == 0 ? Long.MAX_VALUE : sequence, sequence);
    }

    /** Takes in a later range, and what lies between: frames that can be read count there all the same. */
    void merge(DamagedRange later) {
        last = later.last;
        isDeclared &= later.isDeclared;
        later.addTo(tallies);
    }

    void addTo(Map<Defect, Tally> sum) {
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

    private Tally tally(Defect defect) {
        return tallies.computeIfAbsent(defect, missing -> new Tally());
    }
}
