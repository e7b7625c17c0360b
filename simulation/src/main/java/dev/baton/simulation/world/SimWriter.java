package dev.baton.simulation.world;

import dev.baton.simulation.plan.Choices;
import dev.baton.simulation.plan.Reached;
import dev.baton.simulation.plan.Rule;
import dev.baton.simulation.plan.Setting;
import dev.baton.simulation.time.Actor;
import dev.baton.simulation.time.SimProcess;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicEnd;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.FencingRule;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/** A topic's writer over storage that stores at once, late, or over a network. Confined to its connection's actor. */
final class SimWriter implements TopicWriter {
    /** A frame before its arrival. */
    private record Sent(byte[] bytes, InputRef input, boolean endsFlush, long sequence, long arrivesAt) {}

    private final SimConnection connection;
    private final World world;
    final SimTopic topic;
    private final Incarnation incarnation;
    private final TopicEnd found;
    private final int restored; // of the topic, at open
    private final List<byte[]> pending = new ArrayList<>();
    private final Deque<Sent> outbox = new ArrayDeque<>(); // needs work before it leaves
    private final Deque<Sent> flight = new ArrayDeque<>();
    private final Frame view = new Frame();
    private InputRef input = InputRef.UNKNOWN;
    private byte[] open;
    private long flushed;
    private long stored;
    private TransportException failed; // by a sync; null: none failed
    private long lastArrival;
    private boolean isInFlush; // more frames of the flush follow the one that left last
    long noticesAt = Long.MAX_VALUE; // that it was replaced
    boolean isClosed;

    private SimWriter(SimConnection connection, SimTopic topic, Incarnation incarnation, SimTopic.Entry atOpen) {
        this.connection = connection;
        this.world = connection.world;
        this.topic = topic;
        this.incarnation = incarnation;
        this.found = atOpen == null
                ? TopicEnd.EMPTY
                : TopicEnd.at(atOpen.view(), world.setting.isAtomic && atOpen.endsFlush, atOpen.author, atOpen.input);
        if (found.field(Extension.MERGED) != null) {
            world.reached(Reached.MERGE_REOPENED);
        }
        this.flushed = atOpen == null ? 0 : atOpen.sequence;
        this.stored = flushed;
        this.restored = topic.restored;
    }

    static SimWriter open(SimConnection connection, SimTopic topic, String topology) {
        World world = connection.world;
        if (world.setting.isExclusive && !topic.writers.isEmpty()) {
            connection.transport.process.metRival = true;
            throw new TransportException("topic " + topic.name + " has a live writer");
        }
        topic.requireWhole(connection.transport.process);
        Incarnation before = topic.newestIncarnation();
        Incarnation.requireSameTopology(topic.name, before, topology);
        Incarnation own = null;
        FencingRule fencing = null;
        boolean isOwner = false;
        while (!isOwner) {
            long newest = before == null ? 0 : Incarnation.count(before.id());
            own = world.incarnation(newest, topology, connection.transport.process);
            topic.append(null, own, InputRef.UNKNOWN, true);
            topic.stored = topic.log.size();
            fencing = new FencingRule();
            for (SimTopic.Entry entry : topic.log) {
                if (entry.isMarker()) {
                    isOwner = fencing.announce(entry.author.id()) && entry.author == own;
                }
            }
            before = topic.newestIncarnation();
        }
        SimWriter writer = new SimWriter(connection, topic, own, topic.newestForReaders());
        for (SimWriter older : topic.writers) {
            older.replaced();
        }
        topic.writers.add(writer);
        world.account().opened("writers of topic " + topic.name, topic.writers.size());
        world.says("opens writer of " + topic.name + " behind " + writer.flushed);
        return writer;
    }

    /** Throws if a newer writer was opened, although this one may not have noticed it yet. */
    void requireNewest() {
        if (noticesAt != Long.MAX_VALUE) {
            throw new ReplacedException(topic.name, "topic " + topic.name + " has a newer writer already");
        }
    }

    private void replaced() {
        if (noticesAt == Long.MAX_VALUE) {
            noticesAt = world.scheduler.now + world.setting.noticeNanos();
            connection.transport.process.isReplaced = true;
        }
    }

    private void use(String what) {
        connection.use(what);
        if (isClosed) {
            throw new IllegalStateException(what + " after the close of the writer");
        }
    }

    private void checkNotReplaced() {
        if (failure() != null) {
            throw failure();
        }
    }

    @Override
    public TransportException failure() {
        return world.scheduler.now < noticesAt
                ? failed
                : new ReplacedException(topic.name, "topic " + topic.name + " has a newer writer");
    }

    @Override
    public int remainingCapacity() {
        use("room");
        if (world.setting.isStalled(topic.name) && !connection.transport.process.isRecovery) {
            return 0;
        }
        int unstored = (int) (newest() - stored);
        int room = world.setting.room - unstored;
        if (world.setting.isBounded) {
            room = Math.min(room, world.setting.capacity - world.backlog(topic) - pending.size());
        }
        return Math.max(0, room);
    }

    @Override
    public int capacity() {
        return world.setting.isBounded ? Math.min(world.setting.room, world.setting.capacity) : world.setting.room;
    }

    @Override
    public Frame claim(int maxLength) {
        use("claim");
        if (maxLength < 0 || maxLength > connection.transport.maxPayload()) {
            throw new IllegalArgumentException("claim of " + maxLength);
        }
        if (open != null) {
            world.account().violate(Rule.CONFINED, "a second claim while one is open", null);
        }
        if (remainingCapacity() == 0) {
            return null;
        }
        open = new byte[Frame.HEADER_BYTES + maxLength];
        return view.wrap(ByteBuffer.wrap(open).order(ByteOrder.LITTLE_ENDIAN), 0, maxLength);
    }

    @Override
    public long commit(int length) {
        use("commit");
        byte[] bytes =
                Frame.HEADER_BYTES + length == open.length ? open : Arrays.copyOf(open, Frame.HEADER_BYTES + length);
        open = null;
        pending.add(bytes);
        long sequence = newest();
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(Frame.SEQUENCE_OFFSET, sequence);
        return sequence;
    }

    @Override
    public void abort() {
        use("abort");
        open = null;
    }

    @Override
    public void flush() {
        use("flush");
        if (open != null) {
            world.account().violate(Rule.CONFINED, "flush with an open claim", null);
        }
        if (pending.isEmpty()) {
            return;
        }
        checkNotReplaced();
        world.trace.fact(flushed * 31 + pending.size());
        world.says("writes " + topic.name + " " + (flushed + 1) + ".." + newest());
        int last = pending.size() - 1;
        for (int i = 0; i <= last; i++) {
            send(pending.get(i), i == last);
        }
        pending.clear();
    }

    private void send(byte[] bytes, boolean endsFlush) {
        flushed++;
        Setting.Store store = world.setting.store;
        if (store == Setting.Store.OVER_NETWORK) {
            Sent sent = new Sent(bytes, input, endsFlush, flushed, 0);
            if (world.setting.needsWork) {
                outbox.add(sent);
            } else {
                leave(sent);
            }
            return;
        }
        boolean counts = topic.append(bytes, incarnation, input, endsFlush);
        world.appended(topic);
        if (store == Setting.Store.AT_ONCE) {
            topic.stored = topic.log.size();
            stored = counts ? flushed : stored;
        } else {
            int size = topic.log.size();
            long sequence = flushed;
            lastArrival = Math.max(lastArrival, world.scheduler.now + world.setting.storeNanos());
            world.at(lastArrival, () -> {
                if (isSynced(size)) {
                    heard(sequence, counts);
                }
            });
        }
    }

    /** Stores the entries up to a size of the topic. Returns whether the sync succeeded. */
    private boolean isSynced(int size) {
        if (hasFailed()) {
            return false;
        }
        if (world.storage.find(topic.name) == topic && topic.log.size() >= size) {
            topic.stored = Math.max(topic.stored, size);
        }
        return true;
    }

    /** Looks whether a sync has failed: nothing after it is stored by this writer. */
    private boolean hasFailed() {
        SimProcess process = connection.transport.process;
        if (process.failsNextSync && failed == null && !process.isDead) {
            process.failsNextSync = false;
            process.metFault = true;
            failed = new TransportException("simulated failure of a sync of topic " + topic.name);
            connection.news();
        }
        return failed != null;
    }

    private void leave(Sent sent) {
        if (!world.setting.isAtomic || !isInFlush) {
            lastArrival = Math.max(lastArrival, world.scheduler.now + world.setting.storeNanos());
        }
        isInFlush = !sent.endsFlush;
        Sent leaving = new Sent(sent.bytes, sent.input, sent.endsFlush, sent.sequence, lastArrival);
        flight.add(leaving);
        world.at(lastArrival, this::arrive);
    }

    /** Stores the frames that have crossed the network by now, and notifies the writer some time later. */
    private void arrive() {
        while (!flight.isEmpty() && flight.peek().arrivesAt <= world.scheduler.now) {
            Sent sent = flight.poll();
            boolean counts = store(sent);
            long sequence = sent.sequence;
            world.at(world.scheduler.now + world.setting.storeNanos(), () -> heard(sequence, counts));
        }
    }

    /**
     * Stores a frame.
     *
     * @return whether it counts: no newer writer's marker stands before it
     */
    private boolean store(Sent sent) {
        if (restored != topic.restored) {
            return true; // its writer's process has ended
        }
        boolean counts = topic.append(sent.bytes, incarnation, sent.input, sent.endsFlush);
        topic.stored = topic.log.size();
        world.appended(topic);
        return counts;
    }

    /** Handles a notification. A frame after a newer marker never counts as stored. */
    private void heard(long sequence, boolean counts) {
        if (counts && sequence > stored && !connection.transport.process.isDead) {
            stored = sequence;
            connection.news();
        }
    }

    int doWork() {
        if (isClosed || failure() != null) {
            return 0;
        }
        int work = outbox.size();
        for (Sent sent = outbox.poll(); sent != null; sent = outbox.poll()) {
            leave(sent);
        }
        return work;
    }

    /** Withdraws it after it was prepared. */
    void withdrawn() {
        isClosed = true;
        topic.writers.remove(this);
    }

    /** Ends it, as its process was killed: the first {@code arriving} of the sent frames arrive. */
    void killed(Choices choices) {
        isClosed = true;
        topic.writers.remove(this);
        int arriving = flight.isEmpty() ? 0 : choices.next(Choices.Kind.WORLD, flight.size() + 1);
        List<Sent> sent = new ArrayList<>(flight);
        flight.clear();
        if (world.setting.isAtomic) {
            while (arriving > 0 && !sent.get(arriving - 1).endsFlush) {
                arriving--;
            }
        }
        for (int i = 0; i < arriving; i++) {
            if (world.setting.isExclusive) {
                store(sent.get(i));
            } else {
                flight.add(sent.get(i));
            }
        }
        outbox.clear();
    }

    @Override
    public void rewind(long sequence) {
        use("rewind");
        if (open != null || sequence < flushed || sequence > newest()) {
            world.account().violate(Rule.CONFINED, "rewind to " + sequence + " behind a flush to " + flushed, null);
            return;
        }
        while (newest() > sequence) {
            pending.remove(pending.size() - 1);
        }
    }

    @Override
    public long sequence() {
        use("sequence");
        return newest();
    }

    private long newest() {
        return flushed + pending.size();
    }

    @Override
    public long storedSequence() {
        use("storedSequence");
        return stored;
    }

    @Override
    public TopicEnd found() {
        return found;
    }

    @Override
    public void answers(InputRef answered) {
        use("answers");
        input = answered;
    }

    @Override
    public Incarnation incarnation() {
        return incarnation;
    }

    @Override
    public void close() {
        connection.transport.checkAlive();
        if (isClosed) {
            return;
        }
        open = null;
        try {
            if (!connection.isClosed) {
                Actor owner = connection.owner;
                connection.owner = world.scheduler.current; // a close may come from another thread
                try {
                    flush();
                } finally {
                    connection.owner = owner;
                }
            }
        } finally {
            List<Sent> sent = new ArrayList<>(flight);
            flight.clear();
            List<Sent> queued = new ArrayList<>(outbox);
            outbox.clear();
            sent.forEach(this::store);
            queued.forEach(this::store);
            if (noticesAt == Long.MAX_VALUE && failed == null) {
                stored = flushed;
                topic.stored = topic.log.size();
            }
            isClosed = true;
            topic.writers.remove(this);
            world.says("closes writer of " + topic.name + " at " + flushed);
        }
        if (failed != null) {
            throw failed; // what was written is not known to be stored
        }
    }

    SimConnection connection() {
        return connection;
    }
}
