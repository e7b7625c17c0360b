package dev.baton.kafka.admin;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a repair found, as lines of text. Stateless, thread-safe. */
final class RepairLines {
    private RepairLines() {}

    /**
     * What was read and what is to be dropped of it.
     *
     * @param verb such as "would drop"
     * @param lastSequence behind which the next writer goes on
     */
    static List<String> of(String topic, DamageScan scan, long oldest, long end, long lastSequence, String verb) {
        List<String> lines = new ArrayList<>();
        lines.add("topic '" + topic + "': " + count(scan.records(), "record")
                + (end > oldest ? " at offsets " + oldest + " to " + (end - 1) : "") + "; "
                + count(scan.frames(), "frame")
                + (scan.frames() == 0 ? "" : ", sequences " + scan.firstSequence() + " to " + scan.lastSequence() + ",")
                + (scan.frames() == 1 ? " counts" : " count")
                + (scan.replaced() == 0 ? "" : "; " + scan.replaced() + " of writers that had been replaced do not"));
        if (scan.declaredRecords() > 0) {
            lines.add("dropped already: " + count(scan.declaredRecords(), "record") + ", by the repair at offset "
                    + scan.repair().offset());
        }
        Map<Defect, DamagedRange.Tally> undeclared = scan.undeclared();
        undeclared.forEach((defect, tally) -> lines.add(verb + ": " + tally.records() + " " + defect.text()
                + ", the first at offset " + tally.firstOffset()
                + (tally.highest() == 0 ? "" : ", sequences " + tally.lowest() + " to " + tally.highest())));
        for (Defect defect : Defect.values()) {
            DamagedRange.Tally claimed = defect.hasSequence() ? undeclared.get(defect) : null;
            if (claimed == null || claimed.highest() <= lastSequence) {
                continue;
            }
            lines.add((defect == Defect.FORMER_TOPIC ? "lost, unless it is sent again" : "lost")
                    + ": what was sent under sequences " + Math.max(claimed.lowest(), lastSequence + 1) + " to "
                    + claimed.highest() + ", which no frame that counts has");
        }
        if (!undeclared.isEmpty()) {
            lines.add("the next writer continues with sequence " + (lastSequence + 1));
        }
        if (scan.outOfSequence() > 0) {
            lines.add("not repaired: " + scan.firstOutOfSequence()
                    + (scan.outOfSequence() > 1 ? ", and " + (scan.outOfSequence() - 1) + " more such places" : "")
                    + ". Frames are missing there, and readers stop; set the positions of consumers that have not"
                    + " passed the place to that offset (kafka-consumer-groups --reset-offsets --to-offset)");
        }
        return lines;
    }

    private static String count(long count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }
}
