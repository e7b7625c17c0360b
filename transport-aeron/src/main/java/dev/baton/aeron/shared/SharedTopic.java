package dev.baton.aeron.shared;

import dev.baton.aeron.AeronOptions;
import dev.baton.aeron.driver.TopicDriver;
import dev.baton.aeron.driver.TopicStream;
import dev.baton.aeron.log.FragmentLayout;
import dev.baton.aeron.log.TopicLog;
import dev.baton.spi.ConsumerLag;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicEnd;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TransportException;
import io.aeron.ExclusivePublication;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A topic as one process sees it: the state that all processes share, and the publication with which this one writes.
 *
 * <p><b>Logs.</b> The writer of another process begins a log of its own behind the positions of the one before, so that log
 * positions increase through all logs of a topic. The log of a process that has ended stays under a second name
 * ({@link LogFile}) until all consumers have acknowledged its frames.
 *
 * <p><b>Room.</b> The driver knows one subscription of the log, the <em>retainer</em> of the writer's process, which is never polled. It
 * follows the slowest consumer's acknowledgement. Readers have images of the log of their own, so that the driver removes nothing
 * that a consumer still needs, whichever process ends.
 *
 * <p><b>Taking over.</b> A writer makes {@link TopicState#writers} odd, looks for the end of the log before, adds itself to the file
 * of writers, and makes the number even again. Readers hand over a fragment only if the number has not changed since they read that file,
 * and then only up to the end that it states. A writer compares the number behind each flush. So what a suspended process
 * writes when it continues is neither read nor reported as stored. Thread-safe, but for what belongs to the writer.
 */
final class SharedTopic implements TopicLog, AutoCloseable {
    static final String STATE = "state"; // name of its file

    private static final int TERMS_BETWEEN = 2; // in which a suspended writer may still write
    private static final long NONE = -1;

    final String name;
    final Path path;
    final TopicState state;
    final ExternalDriver driver;

    private final Map<Long, LogFile> logs = new HashMap<>(); // that were mapped; guarded by this
    private ExclusivePublication
            publication; // null before this process writes; under the state's changer, as what follows
    private TopicDriver.Subscribed retainer;
    private long begin = NONE; // of its log
    private long number; // of the writer, its own

    SharedTopic(String name, Path path, TopicState state, ExternalDriver driver) {
        this.name = name;
        this.path = path;
        this.state = state;
        this.driver = driver;
    }

    /** The place of a writer: its publication, and the end of the topic that it found. */
    record Place(ExclusivePublication publication, Incarnation incarnation, long newest, TopicEnd found) {}

    /**
     * Registers the one writer, and begins its incarnation. Waits for the driver. Any thread.
     *
     * @throws OccupiedException when there is a writer whose process lives
     */
    Place openWriter(String topology, int maxPayload) {
        requireRoomFor(maxPayload);
        awaitEnd(state.writer());
        return change(() -> {
            if (isLive(state.writer())) {
                throw new OccupiedException("topic '" + name + "' has a live writer, "
                        + driver.processOf(state.writer()) + "; close that one first");
            }
            List<WriterEntry> writers = WriterEntry.read(path);
            WriterEntry newest = writers.isEmpty() ? null : writers.get(writers.size() - 1);
            Incarnation predecessor = newest == null ? null : newest.writer();
            Incarnation.requireSameTopology(name, predecessor, topology);
            if (newest == null || begin != newest.begin()) {
                publish(newest == null ? 0 : beginBehind(state.publishedTo()));
            }
            state.writer(driver.client());
            try {
                return takeOver(writers, newest, predecessor, topology);
            } catch (IOException failed) {
                state.writer(0);
                throw new TransportException("topic '" + name + "' cannot be opened for writing: " + failed, failed);
            } catch (RuntimeException failed) {
                state.writer(0);
                throw failed;
            }
        });
    }

    private void requireRoomFor(int maxPayload) {
        int longest = state.termLength() / FragmentLayout.FRAGMENTS_PER_TERM;
        if (FragmentLayout.logBytes(maxPayload) > longest) {
            throw new TransportException("topic '" + name + "' was created with " + AeronOptions.TERM_LENGTH + "="
                    + state.termLength() + ", and " + AeronOptions.MAX_PAYLOAD + "=" + maxPayload
                    + " does not fit into an eighth of it; lower it, or delete the topic and create it again");
        }
    }

    private long beginBehind(long end) {
        int term = state.termLength();
        return (end / term + TERMS_BETWEEN) * term;
    }

    /** Adds a publication whose log begins at a position. */
    private void publish(long position) {
        closePublication();
        int term = state.termLength();
        driver.call("write topic '" + name + "'", () -> {
            TopicStream stream = driver.newStream();
            ExclusivePublication added = driver.publish(stream, stream.publication(term, position));
            TopicDriver.Subscribed subscribed = null;
            try {
                subscribed = driver.subscribe(stream);
                driver.awaitWindow(added);
                LogFile.link(path, position, driver.directory(), added.originalRegistrationId());
            } catch (IOException | RuntimeException failed) {
                if (subscribed != null) {
                    driver.release(subscribed.subscription()::close);
                }
                driver.release(added::close);
                throw failed instanceof RuntimeException unchecked
                        ? unchecked
                        : new TransportException(
                                "the log of topic '" + name + "' cannot be linked in " + path + ": " + failed, failed);
            }
            publication = added;
            retainer = subscribed;
            begin = position;
            return added;
        });
    }

    private Place takeOver(List<WriterEntry> writers, WriterEntry newest, Incarnation predecessor, String topology)
            throws IOException {
        number = (state.writers() | 1) + 1;
        state.writers(number - 1);
        VarHandle.fullFence();
        long end = newest == null ? begin : noteEnd(newest.begin());
        long published = state.published();
        long before = predecessor == null ? 0 : Incarnation.count(predecessor.id());
        Incarnation begun = Incarnation.begin(
                Incarnation.id(Incarnation.countAfter(before, System.currentTimeMillis()), state.identity()), topology);
        TopicEnd found =
                TopicEnd.at(state.newest(), false, predecessorOf(published, writers), state.inputOf(published));
        List<WriterEntry> all = new ArrayList<>(writers);
        all.add(new WriterEntry(published + 1, begin, end, begun));
        List<WriterEntry> read = removeRead(all);
        WriterEntry.write(path, all);
        for (WriterEntry each : read) {
            if (each.begin() != all.get(0).begin()) {
                LogFile.unlink(path, each.begin());
            }
        }
        state.writers(number);
        return new Place(publication, begun, published, found);
    }

    /** Finds and notes the frames that a killed writer has written and not noted, and returns the end of its log. */
    private long noteEnd(long position) {
        LogFile log = log(position);
        try {
            return log.walk(Math.max(position, state.publishedTo()), (memory, frame, payload, sequence, end) -> {
                if (sequence > state.published()) {
                    state.published(sequence, end, memory, frame, payload);
                }
            });
        } finally {
            release(log);
        }
    }

    private static Incarnation predecessorOf(long sequence, List<WriterEntry> writers) {
        Incarnation writer = null;
        for (WriterEntry each : writers) {
            if (each.first() <= sequence) {
                writer = each.writer();
            }
        }
        return writer;
    }

    /** Removes and returns the writers before the newest one whose frames all consumers have read. */
    private List<WriterEntry> removeRead(List<WriterEntry> writers) {
        List<WriterEntry> read = new ArrayList<>();
        long acknowledged = state.acknowledgedByAll();
        while (writers.size() > 2 && writers.get(1).first() - 1 <= acknowledged) {
            read.add(writers.remove(0));
            state.floor(Math.max(state.floor(), writers.get(0).begin()));
        }
        return read;
    }

    /** Returns the log that begins at a position, mapped once for all readers of this process; to be released. */
    synchronized LogFile log(long position) {
        LogFile log = logs.computeIfAbsent(position, missing -> LogFile.map(path, position));
        log.users++;
        return log;
    }

    /** Unmaps a log that no reader of this process uses any more. */
    synchronized void release(LogFile log) {
        log.users--;
        if (log.users == 0) {
            logs.values().remove(log);
            log.close();
        }
    }

    /**
     * Finds or adds a consumer for one reader, and returns its slot. Waits for the driver. Any thread.
     *
     * @throws OccupiedException when it has a reader whose process lives
     */
    int openConsumer(String consumer) {
        int known = state.find(consumer);
        awaitEnd(known < 0 ? 0 : state.reader(known));
        return change(() -> {
            int slot = state.find(consumer);
            if (slot < 0) {
                slot = state.add(consumer);
                if (slot < 0) {
                    throw new TransportException("topic '" + name + "' has no room for consumer '" + consumer + "'; "
                            + TopicState.MOST_CONSUMERS
                            + " consumers with names of 480 bytes are allowed: forget others");
                }
            } else if (isLive(state.reader(slot))) {
                throw occupied(consumer, state.reader(slot), "; close that one first");
            }
            state.reader(slot, driver.client());
            return slot;
        });
    }

    /** Releases a consumer for another reader. */
    void closeConsumer(int slot) {
        if (state.reader(slot) == driver.client()) {
            state.reader(slot, 0);
        }
    }

    /** Removes a consumer whose reader could not be opened, unless it has had a reader before. */
    void withdraw(int slot) {
        change(() -> {
            if (state.reader(slot) == driver.client()) {
                if (state.acknowledged(slot) == TopicState.UNSEEN) {
                    state.remove(slot);
                }
                state.reader(slot, 0);
            }
            return null;
        });
    }

    /** Removes a consumer; false when there is none of this name. */
    boolean forgetConsumer(String consumer) {
        return change(() -> {
            int slot = state.find(consumer);
            if (slot < 0) {
                return false;
            }
            if (isLive(state.reader(slot))) {
                throw occupied(consumer, state.reader(slot), " and cannot be forgotten; close that one first");
            }
            state.remove(slot);
            return true;
        });
    }

    private OccupiedException occupied(String consumer, long client, String rest) {
        return new OccupiedException("consumer '" + consumer + "' of topic '" + name + "' has a live reader, "
                + driver.processOf(client) + rest);
    }

    /** Marks the topic as deleted, so that nothing of it is opened any more. */
    void retire() {
        change(() -> {
            boolean isUsed = isLive(state.writer());
            for (int i = 0; i < state.consumers(); i++) {
                isUsed |= isLive(state.reader(i));
            }
            if (isUsed) {
                throw new TransportException(
                        "topic '" + name + "' is in use and cannot be deleted; close its writer and readers first");
            }
            state.deleter(driver.client());
            return null;
        });
    }

    private boolean isLive(long client) {
        return client != 0 && driver.isKnown(client);
    }

    /** Waits while a process that may be dead is known to the driver; returns at once if it is alive. */
    private void awaitEnd(long client) {
        if (client != 0) {
            driver.awaitEnd(client);
        }
    }

    /** Runs a change of the state that no other thread or process makes at the same time. */
    private <T> T change(Supplier<T> task) {
        synchronized (state) {
            driver.await("the end of a change of topic '" + name + "' by another process", this::beginChange);
            try {
                if (state.isDeleted()) {
                    throw new TransportException("there is no topic '" + name + "'; it was deleted");
                }
                return task.get();
            } finally {
                state.change(driver.client(), 0);
            }
        }
    }

    private boolean beginChange() {
        long holder = state.changer();
        return !isLive(holder) && state.change(holder, driver.client()); // it may have been killed in the middle
    }

    @Override
    public long heldFrom() {
        return state.heldFrom();
    }

    /** Advances the retainer, which the driver's threads read, to the slowest consumer. */
    @Override
    public boolean giveRoom() {
        long target = state.raiseFloor();
        int term = state.termLength();
        for (long at = retainer.image().position();
                at < target && !retainer.image().isClosed();
                at = retainer.image().position()) {
            retainer.image().position(Math.min(target, (at & -term) + term));
        }
        return true;
    }

    @Override
    public void published(long sequence, ByteBuffer memory, int frame, int payload) {
        VarHandle.fullFence(); // between the frames in the log and the number
        if (state.writers() != number) {
            throw new ReplacedException(
                    name,
                    "another writer has taken topic '" + name + "' over at sequence " + (state.published() + 1)
                            + ", as the media driver had dropped this process: it was suspended for too long");
        }
        state.published(sequence, publication.position(), memory, frame, payload);
    }

    @Override
    public ConsumerLag slowestConsumer() {
        return state.slowest();
    }

    @Override
    public void answers(long sequence, InputRef input) {
        state.answers(sequence, input);
    }

    @Override
    public void closeWriter() {
        if (state.writers() == number && state.writer() == driver.client()) {
            state.writer(0);
        }
    }

    @Override
    public boolean isUsable() {
        return !driver.isLost();
    }

    @Override
    public String refusal(String answer) {
        try {
            driver.requireAlive();
            return answer;
        } catch (TransportException lost) {
            return lost.getMessage();
        }
    }

    private void closePublication() {
        if (publication != null) {
            driver.release(retainer.subscription()::close);
            driver.release(publication::close);
            publication = null;
            begin = NONE;
        }
    }

    /** Closes the publication, which no writer of this process uses any more. */
    @Override
    public void close() {
        closePublication();
    }
}
