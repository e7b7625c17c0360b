package dev.baton.engine.letters;

import dev.baton.engine.writing.FrameField;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;

/**
 * The inputs of which a service has stored letters, by the writer of the input, as runs of consecutive sequences; and the field of each
 * letter's message that lists the newest of them. After a restart, inputs that are delivered again are compared with this list. Confined
 * to its thread.
 *
 * <p>The field has a part for each writer, the latest first: the id of the writer's incarnation (8 bytes), the number of runs (1 byte), the
 * newest sequence (8 bytes), and for each run, the newest first, two numbers of 7 bits per byte, the lowest bits first, whose last byte
 * has no bit 7: the distance from the beginning of the later run (0 for the first one), and the number of further sequences of the run.
 * What finds no room is left out.
 */
public final class LetteredInputs implements FrameField {
    private static final int MOST_RUNS = 127; // of a writer
    private static final int MOST_WRITERS = 12;
    private static final int RUN_BYTES = 2 * 10; // at most
    private static final int HEAD_BYTES = 2 * Long.BYTES + 1;

    /** The inputs of one writer. */
    private record Part(long writer, TreeMap<Long, Long> runs) { // last sequences by first ones
        boolean contains(long sequence) {
            Map.Entry<Long, Long> run = runs.floorEntry(sequence);
            return run != null && sequence <= run.getValue();
        }

        void add(long sequence) {
            if (contains(sequence)) {
                return;
            }
            Map.Entry<Long, Long> before = runs.lowerEntry(sequence);
            long first = before != null && before.getValue() == sequence - 1 ? before.getKey() : sequence;
            Long last = runs.remove(sequence + 1);
            runs.put(first, last == null ? sequence : last);
            if (runs.size() > MOST_RUNS) {
                runs.pollFirstEntry();
            }
        }
    }

    private final Deque<Part> parts = new ArrayDeque<>(); // of the latest writer first
    private int room; // bytes that the field of the next frame may take
    private byte[] encoded = {};

    /** Creates the list of a letter's field; an empty one for null. */
    public LetteredInputs(byte[] field) {
        ByteBuffer in = field == null ? null : ByteBuffer.wrap(field).order(ByteOrder.LITTLE_ENDIAN);
        while (in != null && in.remaining() > HEAD_BYTES) {
            Part part = new Part(in.getLong(), new TreeMap<>());
            int count = Math.max(1, in.get());
            long last = in.getLong();
            for (int i = 0; i < count; i++) {
                last -= number(in);
                long first = last - number(in);
                if (first <= 0 || last < first) {
                    return; // not written by this class
                }
                part.runs.put(first, last);
                last = first;
            }
            parts.addLast(part);
        }
    }

    private static long number(ByteBuffer in) {
        long number = 0;
        for (int shift = 0; in.hasRemaining() && shift < Long.SIZE; shift += 7) {
            byte next = in.get();
            number |= (next & 0x7fL) << shift;
            if (next >= 0) {
                break;
            }
        }
        return number;
    }

    /**
     * Returns whether the list contains an input.
     *
     * @param writer id of the incarnation that has written it, 0 if it is not known
     */
    public boolean contains(long writer, long sequence) {
        return parts.stream().anyMatch(each -> each.writer == writer && each.contains(sequence));
    }

    /** Returns the newest sequence of the list, 0 for none. */
    public long newest() {
        return parts.stream()
                .mapToLong(each -> each.runs.lastEntry().getValue())
                .max()
                .orElse(0);
    }

    /** Adds an input. Of too many writers or runs of a writer the oldest are forgotten. */
    public void add(long writer, long sequence) {
        Part part = parts.stream()
                .filter(each -> each.writer == writer)
                .findFirst()
                .orElseGet(() -> new Part(writer, new TreeMap<>()));
        parts.remove(part);
        part.add(sequence);
        parts.addFirst(part);
        if (parts.size() > MOST_WRITERS) {
            parts.removeLast();
        }
    }

    /** Allows the next frame a field of this many bytes, with those around it; 0 for none. */
    public void allow(int bytes) {
        room = bytes;
    }

    @Override
    public int bytes() {
        int limit = Math.min(Extension.MAX_FIELD_BYTES, room - Extension.bytes(0));
        ByteBuffer out = ByteBuffer.allocate(Math.max(0, limit)).order(ByteOrder.LITTLE_ENDIAN);
        for (Part part : parts) {
            if (out.remaining() < HEAD_BYTES + RUN_BYTES) {
                break;
            }
            encode(part, out);
        }
        encoded = new byte[out.position()];
        out.get(0, encoded);
        return encoded.length == 0 ? 0 : Extension.bytes(encoded.length);
    }

    private static void encode(Part part, ByteBuffer out) {
        long end = part.runs.lastEntry().getValue();
        out.putLong(part.writer);
        int atCount = out.position();
        out.put((byte) 0).putLong(end);
        byte count = 0;
        for (Map.Entry<Long, Long> run : part.runs.descendingMap().entrySet()) {
            if (out.remaining() < RUN_BYTES) {
                break;
            }
            put(out, end - run.getValue());
            put(out, run.getValue() - run.getKey());
            end = run.getKey();
            count++;
        }
        out.put(atCount, count);
    }

    private static void put(ByteBuffer out, long number) {
        long left = number;
        while (left > 0x7f) {
            out.put((byte) (left | 0x80));
            left >>>= 7;
        }
        out.put((byte) left);
    }

    @Override
    public void add(Frame claim) {
        if (encoded.length > 0) {
            claim.putFieldBytes(claim.addField(Extension.LETTERED, encoded.length), encoded, 0, encoded.length);
        }
    }
}
