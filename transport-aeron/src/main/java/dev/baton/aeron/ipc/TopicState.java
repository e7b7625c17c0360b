package dev.baton.aeron.ipc;

import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicWriter.ConsumerLag;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.SequenceRanges;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The state of a topic that its writer and readers share: a file beside the media driver's own, mapped by each process.
 *
 * <pre>
 * in the byte order of the processor, but for frames
 *    0  identity of the topic      8
 *    8  bytes of a term            8
 *   16  client that deletes it     8  0: none
 *   24  client that changes it     8  0: none
 *   32  list of writers            4  its number; the odd one behind it while a writer takes the topic over
 *   36  changes                    4  that were begun, see {@link #beginChange}; replaced together with the list
 *   40  client of the writer       8  0: none
 *   56  floor                      8  log position from which frames are kept
 *   64  consumers                  8  slots in use
 *   72  1: there was a consumer    8
 *   80  inputs                     8  the newest four: {first sequence, topic, writer}
 *  192  notes                      8  of flushes, pair 0; the newest one is in the slot of its lowest bit
 *  200  notes                      8  of pair 1
 *  256  two pairs of notes            {sequence, log position behind it, bytes behind the header, header and extension}
 * 4864  consumers                     {client 8, held from 8, acknowledged 8, bytes of the name 8, name}
 * </pre>
 *
 * <p>What the writer stores with each flush has cache lines of its own: readers look at the number of the list before each
 * fragment.
 *
 * <p>A client is the id of a client of the media driver. What several processes change is changed by the one that has the
 * third field, but for the floor, which the writer raises: it writes the new floor, and moves on unless a consumer
 * that is being added holds less ({@link #raiseFloor}).
 *
 * <p>A writer and the next one have different pairs of notes, and bit 1 of the list's number is the pair that counts. So a writer
 * that was suspended before it notes a flush overwrites no note of the one that has replaced it. Thread-safe, but for the notes
 * and inputs, which belong to the writer.
 */
final class TopicState {
    /** The value of {@link #acknowledged} before the first reader is open. */
    static final long UNSEEN = -1;

    /** The largest number of consumers. */
    static final int MOST_CONSUMERS = 64;

    private static final int IDENTITY = 0;
    private static final int TERM = 8;
    private static final int DELETED = 16;
    private static final int CHANGER = 24;
    private static final int WRITERS = 32;
    private static final int WRITER = 40;
    private static final int[] NOTES = {192, 200};
    private static final int FLOOR = 56;
    private static final int SLOTS = 64;
    private static final int HAD_CONSUMERS = 72;
    private static final int INPUT_COUNT = 80;
    private static final int INPUTS = 88;
    private static final int INPUT_BYTES = 24;
    private static final int INPUTS_KEPT = 4;
    private static final int NOTE = 256;
    private static final int NOTE_BYTES = 1152;
    private static final int NOTED_FRAME = 24;
    private static final int LONGEST_NOTED = Extension.MAX_BYTES + Frame.CHECKSUM_BYTES;
    private static final int CONSUMERS = 4864;
    private static final int CONSUMER_BYTES = 512;
    private static final int HELD = 8;
    private static final int ACKNOWLEDGED = 16;
    private static final int NAME_LENGTH = 24;
    private static final int NAME = 32;
    private static final int BYTES = CONSUMERS + MOST_CONSUMERS * CONSUMER_BYTES;

    private final Path file;
    private final ByteBuffer memory;
    private final AtomicBuffer longs; // the same memory
    private final OwnNote own; // of a topic that one process uses; null for a shared one

    /**
     * The newest flush of a topic that one process uses, and all inputs. A note in the mapping takes 8 ns more. What the writer
     * stores with each flush is in one array with padding: without it, the stores shared cache lines with objects that readers
     * use, which took the sender about 100 ns of each message.
     */
    private static final class OwnNote {
        private static final int PADDING = 128; // processors fetch lines of 64 bytes in pairs
        private static final int SEQUENCE = PADDING; // written last
        private static final int END = SEQUENCE + Long.BYTES; // log position
        private static final int BEHIND = END + Long.BYTES; // bytes behind the header
        private static final int FRAME = BEHIND + Long.BYTES;

        private final byte[] bytes = new byte[FRAME + Frame.HEADER_BYTES + LONGEST_NOTED + PADDING];
        private final AtomicBuffer values = new UnsafeBuffer(bytes);
        private final ByteBuffer frame = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        private volatile SequenceRanges<InputRef> inputs = SequenceRanges.none();

        long sequence() {
            return values.getLongVolatile(SEQUENCE);
        }

        long end() {
            return values.getLongVolatile(END);
        }

        void put(long sequence, long end, ByteBuffer from, int at, int behind) {
            values.putInt(BEHIND, behind);
            frame.put(FRAME, from, at, Frame.HEADER_BYTES + behind);
            values.putLongRelease(END, end);
            values.putLongRelease(SEQUENCE, sequence);
        }

        Frame newest() {
            return new Frame().wrap(frame, FRAME, values.getInt(BEHIND));
        }
    }

    private TopicState(Path file, ByteBuffer memory, boolean isAlone) {
        this.file = file;
        own = isAlone ? new OwnNote() : null;
        this.memory = memory.order(ByteOrder.LITTLE_ENDIAN);
        longs = new UnsafeBuffer(memory);
    }

    /** Creates the file of a new topic, without consumers. */
    static void create(Path file, long identity, int termLength) throws IOException {
        ByteBuffer first = ByteBuffer.allocate(CONSUMERS).order(ByteOrder.nativeOrder());
        first.putLong(IDENTITY, identity).putLong(TERM, termLength);
        write(file, first, 0, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    /** Writes a part of the file, so that its pages are allocated: without space, a store to the mapping would end the process. */
    private static void write(Path file, ByteBuffer part, int at, OpenOption... options) throws IOException {
        try (FileChannel channel = FileChannel.open(file, options)) {
            while (part.hasRemaining()) {
                channel.write(part, at + part.position());
            }
        }
    }

    /**
     * Maps the file of a topic, to the length that it has with all consumers.
     *
     * @param isAlone whether no other process uses the topic, and this one maps it once
     * @throws TransportException when there is none
     */
    static TopicState map(Path file, boolean isAlone) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new TopicState(file, channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES), isAlone);
        } catch (IOException failed) {
            throw new TransportException("the state of a topic cannot be mapped: " + failed, failed);
        }
    }

    private long get(int at) {
        return longs.getLongVolatile(at);
    }

    private void set(int at, long value) {
        longs.putLongVolatile(at, value);
    }

    long identity() {
        return get(IDENTITY);
    }

    int termLength() {
        return (int) get(TERM);
    }

    /** Returns the client that has deleted the topic; 0 while it is there. */
    long deleter() {
        return get(DELETED);
    }

    boolean isDeleted() {
        return deleter() != 0;
    }

    boolean deleter(long from, long to) {
        return longs.compareAndSetLong(DELETED, from, to);
    }

    /** Returns the client that changes the topic. */
    long changer() {
        return get(CHANGER);
    }

    boolean change(long from, long to) {
        return longs.compareAndSetLong(CHANGER, from, to);
    }

    /**
     * Counts a change, so that no takeover that was begun before can end any more, and returns the count with the number of the
     * list that is valid.
     */
    long beginChange() {
        while (true) {
            long before = get(WRITERS);
            long begun = ((before >>> Integer.SIZE) + 1) << Integer.SIZE | list(before);
            if (longs.compareAndSetLong(WRITERS, before, begun)) {
                return begun;
            }
        }
    }

    /** Returns the number of the list that was valid when a change began; 0 for none. */
    static int list(long change) {
        return (int) change & ~1;
    }

    /** Returns the number of the list that a takeover within a change adds, with the other pair. No other change has it. */
    static int nextList(long change) {
        return (int) (change >>> Integer.SIZE) << 2 | ~list(change) & 2;
    }

    /** Begins a takeover; false when another change has begun since. */
    boolean beginTakeover(long change) {
        return longs.compareAndSetLong(WRITERS, change, change | 1);
    }

    /** Returns whether a takeover is neither over nor ended by another change. */
    boolean isTakingOver(long change) {
        return get(WRITERS) == (change | 1);
    }

    /** Ends a takeover with its own list; false when another change has begun since. */
    boolean endTakeover(long change) {
        return longs.compareAndSetLong(
                WRITERS,
                change | 1,
                change >>> Integer.SIZE << Integer.SIZE | Integer.toUnsignedLong(nextList(change)));
    }

    /** Ends a takeover that has failed. */
    void abandonTakeover(long change) {
        longs.compareAndSetLong(WRITERS, change | 1, change);
    }

    /** Returns the number of the list of writers; the odd one behind it while a writer takes the topic over. */
    int writers() {
        return (int) get(WRITERS);
    }

    /** Returns the client of the writer; 0 for none. */
    long writer() {
        return get(WRITER);
    }

    boolean writer(long from, long to) {
        return longs.compareAndSetLong(WRITER, from, to);
    }

    private static int pair(int list) {
        return list >> 1 & 1;
    }

    private static int note(int pair, long notes) {
        return NOTE + (2 * pair + (int) (notes & 1)) * NOTE_BYTES;
    }

    private int note(int list) {
        int pair = pair(list);
        return note(pair, get(NOTES[pair]));
    }

    /** Returns the sequence of the newest frame that the writer has noted. */
    long published() {
        return published(writers());
    }

    /** Returns the sequence of the newest frame that the writer with a list has noted. */
    long published(int list) {
        return own != null ? own.sequence() : get(note(list));
    }

    /** Returns the log position behind the newest frame that the writer has noted. */
    long publishedTo() {
        return own != null ? own.end() : get(note(writers()) + 8);
    }

    /** Copies the newest note for the writer with the next list. That writer only. */
    void copyNote(int nextList) {
        if (own != null) {
            return;
        }
        int pair = pair(nextList);
        long notes = get(NOTES[pair]) + 1;
        memory.put(note(pair, notes), memory, note(writers()), NOTE_BYTES);
        longs.putLongRelease(NOTES[pair], notes);
    }

    /** Notes the newest frame, of which header and extension are copied. The writer with this list only. */
    void published(int list, long sequence, long end, ByteBuffer from, int frame, int payload) {
        int behind = Frame.isPlain(from.getLong(frame)) ? 0 : Math.min(payload, LONGEST_NOTED);
        if (own != null) {
            own.put(sequence, end, from, frame, behind);
            return;
        }
        int pair = pair(list);
        long notes = get(NOTES[pair]) + 1;
        int at = note(pair, notes);
        longs.putLongOpaque(at, sequence);
        longs.putLongOpaque(at + 8, end);
        longs.putLong(at + 16, behind);
        memory.put(at + NOTED_FRAME, from, frame, Frame.HEADER_BYTES + behind);
        longs.putLongRelease(NOTES[pair], notes);
    }

    /** Returns the newest frame that the writer with a list has noted; null if there is none. That writer only. */
    Frame newest(int list) {
        if (published(list) == 0) {
            return null;
        }
        if (own != null) {
            return own.newest();
        }
        int at = note(list);
        return new Frame().wrap(memory, at + NOTED_FRAME, (int) longs.getLong(at + 16));
    }

    /** Notes the input that frames answer from a sequence on. The writer only. */
    void answers(long sequence, InputRef input) {
        if (own != null) {
            own.inputs = own.inputs.with(sequence, input);
            return;
        }
        long count = get(INPUT_COUNT);
        boolean isReplaced = count > 0 && longs.getLong(inputAt(count - 1)) >= sequence;
        int at = inputAt(isReplaced ? count - 1 : count);
        longs.putLong(at, sequence);
        longs.putLong(at + 8, input.topic());
        longs.putLong(at + 16, input.incarnation());
        if (!isReplaced) {
            set(INPUT_COUNT, count + 1);
        }
    }

    /** Makes the newest input hold from a sequence on, since the frames from there on were withdrawn. The writer only. */
    void rewound(long sequence) {
        if (own != null) {
            own.inputs = own.inputs.rewound(sequence);
            return;
        }
        long count = get(INPUT_COUNT);
        if (count > 0 && longs.getLong(inputAt(count - 1)) > sequence) {
            longs.putLong(inputAt(count - 1), sequence);
        }
    }

    /** Returns the input that a frame answers. The writer only. */
    InputRef inputOf(long sequence) {
        if (own != null) {
            InputRef input = own.inputs.at(sequence);
            return input == null ? InputRef.UNKNOWN : input;
        }
        long count = get(INPUT_COUNT);
        for (long i = count - 1; i >= Math.max(0, count - INPUTS_KEPT); i--) {
            int at = inputAt(i);
            if (longs.getLong(at) <= sequence) {
                return new InputRef(longs.getLong(at + 8), longs.getLong(at + 16));
            }
        }
        return InputRef.UNKNOWN;
    }

    private static int inputAt(long index) {
        return INPUTS + (int) (index % INPUTS_KEPT) * INPUT_BYTES;
    }

    /** Returns the log position from which frames are kept. */
    long floor() {
        return get(FLOOR);
    }

    void floor(long position) {
        set(FLOOR, position);
    }

    /**
     * Raises the floor to what the slowest consumer needs. The writer only.
     *
     * @return the log position from which frames are kept
     */
    long raiseFloor() {
        long floor = floor();
        long target = heldFrom();
        if (target <= floor) {
            return target;
        }
        if (!longs.compareAndSetLong(FLOOR, floor, target)) { // by the writer that has replaced this one
            return floor;
        }
        return heldFrom() < target ? floor : target; // less: a consumer is being added, which finds this floor
    }

    /** Returns the log position of the first fragment that some consumer needs. */
    long heldFrom() {
        long least = get(HAD_CONSUMERS) == 0 ? floor() : publishedTo();
        int slots = (int) get(SLOTS);
        for (int i = 0; i < slots; i++) {
            if (get(at(i) + NAME_LENGTH) != 0) {
                least = Math.min(least, get(at(i) + HELD));
            }
        }
        return least;
    }

    /** Returns the least sequence that all consumers have acknowledged; that of the newest frame if there is no consumer. */
    long acknowledgedByAll() {
        long least = get(HAD_CONSUMERS) == 0 ? 0 : published();
        int slots = (int) get(SLOTS);
        for (int i = 0; i < slots; i++) {
            if (get(at(i) + NAME_LENGTH) != 0) {
                least = Math.min(least, Math.max(0, acknowledged(i)));
            }
        }
        return least;
    }

    /** Returns the consumer that is furthest behind; null when none is. */
    ConsumerLag slowest() {
        long newest = published();
        int slowest = -1;
        long least = newest;
        int slots = (int) get(SLOTS);
        for (int i = 0; i < slots; i++) {
            if (get(at(i) + NAME_LENGTH) != 0 && Math.max(0, acknowledged(i)) < least) {
                least = Math.max(0, acknowledged(i));
                slowest = i;
            }
        }
        return slowest < 0 ? null : new ConsumerLag(name(slowest), newest - least);
    }

    private static int at(int consumer) {
        return CONSUMERS + consumer * CONSUMER_BYTES;
    }

    private String name(int consumer) {
        byte[] name = new byte[(int) get(at(consumer) + NAME_LENGTH)];
        memory.get(at(consumer) + NAME, name);
        return new String(name, StandardCharsets.UTF_8);
    }

    /** Returns the name of a consumer, in quotes. */
    String consumer(int consumer) {
        return "'" + name(consumer) + "'";
    }

    /** Returns the number of slots of consumers, some of which may be free. */
    int consumers() {
        return (int) get(SLOTS);
    }

    /** Returns the slot of a consumer; -1 for none. */
    int find(String consumer) {
        for (int i = 0; i < consumers(); i++) {
            if (get(at(i) + NAME_LENGTH) != 0 && name(i).equals(consumer)) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Adds a consumer at the floor, and returns its slot; -1 when there is no room for it.
     *
     * @throws TransportException when the file cannot grow
     */
    int add(String consumer) {
        byte[] name = consumer.getBytes(StandardCharsets.UTF_8);
        int slot = 0;
        while (slot < consumers() && get(at(slot) + NAME_LENGTH) != 0) {
            slot++;
        }
        if (slot == MOST_CONSUMERS || name.length > CONSUMER_BYTES - NAME) {
            return -1;
        }
        if (slot == consumers()) {
            try {
                write(file, ByteBuffer.allocate(CONSUMER_BYTES), at(slot), StandardOpenOption.WRITE);
            } catch (IOException full) {
                throw new TransportException(
                        "consumer '" + consumer + "' cannot be added in " + file + ": " + full, full);
            }
        }
        set(at(slot), 0);
        set(at(slot) + HELD, 0);
        set(at(slot) + ACKNOWLEDGED, UNSEEN);
        memory.put(at(slot) + NAME, name);
        set(at(slot) + NAME_LENGTH, name.length);
        set(SLOTS, Math.max(slot + 1, consumers()));
        set(at(slot) + HELD, floor()); // after the slot counts, which stops the writer from raising it
        return slot;
    }

    void remove(int consumer) {
        set(at(consumer) + NAME_LENGTH, 0);
    }

    /** Returns the client of a consumer's reader; 0 for none. */
    long reader(int consumer) {
        return get(at(consumer));
    }

    boolean reader(int consumer, long from, long to) {
        return longs.compareAndSetLong(at(consumer), from, to);
    }

    long heldFrom(int consumer) {
        return get(at(consumer) + HELD);
    }

    void heldFrom(int consumer, long position) {
        longs.putLongRelease(at(consumer) + HELD, position);
    }

    /** Moves what a consumer holds; false when it is not where its reader has left it. */
    boolean heldFrom(int consumer, long from, long to) {
        return longs.compareAndSetLong(at(consumer) + HELD, from, to);
    }

    long acknowledged(int consumer) {
        return get(at(consumer) + ACKNOWLEDGED);
    }

    /** Moves an acknowledgement that no other process can move. */
    void acknowledged(int consumer, long position) {
        longs.putLongRelease(at(consumer) + ACKNOWLEDGED, position);
    }

    /** Moves an acknowledgement; false when it is not where its reader has left it. */
    boolean acknowledge(int consumer, long from, long to) {
        return longs.compareAndSetLong(at(consumer) + ACKNOWLEDGED, from, to);
    }

    /** Notes that a consumer is open: from now on the topic keeps only the frames that its consumers need. */
    void opened() {
        set(HAD_CONSUMERS, 1);
    }
}
