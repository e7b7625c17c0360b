package dev.baton.kafka.log;

import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The one record that a repair appends: the marker of a writer that writes nothing, with a second line that declares
 * which records before it are dropped.
 *
 * <p>A range covers every record between its two ends that is no frame of this version, and nothing else: frames that
 * can be read count within it, too. So ranges may be merged without loss. Immutable, thread-safe.
 *
 * @param offset of the marker
 * @param lastSequence of the newest frame that counts before it, after which the next writer continues
 * @param records that it drops
 * @param ranges in rising order, at least one
 */
public record RepairMarker(long offset, long lastSequence, long records, List<Range> ranges) {
    /** Offsets, both ends included. */
    public record Range(long first, long last) {}

    /** The most ranges that a marker holds: 32 KiB of text. */
    public static final int MAX_RANGES = 1_000;

    private static final String BEGIN = "repair";
    private static final String SEPARATOR = "\t";
    private static final int PARTS = 5;
    private static final int HEXADECIMAL = 16;

    public RepairMarker {
        ranges = List.copyOf(ranges);
    }

    /** The text of a marker, before its place is known. */
    public static String text(Incarnation draft, long lastSequence, long records, List<Range> ranges) {
        StringBuilder text = new StringBuilder(draft.text()).append(WriterMarker.LINE_END);
        text.append(String.join(
                        SEPARATOR,
                        BEGIN,
                        Integer.toString(Frame.VERSION),
                        Long.toString(lastSequence),
                        Long.toString(records)))
                .append(SEPARATOR);
        for (int i = 0; i < ranges.size(); i++) {
            text.append(i == 0 ? "" : ",")
                    .append(Long.toHexString(ranges.get(i).first()))
                    .append('-')
                    .append(Long.toHexString(ranges.get(i).last()));
        }
        return text.toString();
    }

    /**
     * Reads a record that a view is aimed at.
     *
     * @return null when it is no marker of a repair, or one of a release whose frames have another version
     */
    public static RepairMarker read(Frame frame, ConsumerRecord<?, ?> record) {
        if (frame.sequence() != WriterMarker.SEQUENCE || WriterMarker.read(frame, record) == null) {
            return null;
        }
        String[] parts = WriterMarker.secondLine(frame).split(SEPARATOR, PARTS);
        if (parts.length < PARTS || !parts[0].equals(BEGIN) || !parts[1].equals(Integer.toString(Frame.VERSION))) {
            return null;
        }
        try {
            List<Range> ranges = new ArrayList<>();
            for (String range : parts[4].split(",")) {
                int dash = range.indexOf('-');
                ranges.add(new Range(
                        Long.parseLong(range.substring(0, Math.max(0, dash)), HEXADECIMAL),
                        Long.parseLong(range.substring(dash + 1), HEXADECIMAL)));
            }
            return new RepairMarker(record.offset(), Long.parseLong(parts[2]), Long.parseLong(parts[3]), ranges);
        } catch (NumberFormatException somethingElse) {
            return null;
        }
    }

    /** Returns whether it drops the record at an offset, if that is no frame. */
    public boolean drops(long recordOffset) {
        return recordOffset < offset && covers(recordOffset, recordOffset);
    }

    /** Returns whether one of its ranges contains all of these offsets. */
    public boolean covers(long first, long last) {
        int low = 0;
        int high = ranges.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            Range range = ranges.get(middle);
            if (first < range.first) {
                high = middle - 1;
            } else if (first > range.last) {
                low = middle + 1;
            } else {
                return last <= range.last;
            }
        }
        return false;
    }

    long firstDropped() {
        return ranges.get(0).first();
    }

    long lastDropped() {
        return ranges.get(ranges.size() - 1).last();
    }
}
