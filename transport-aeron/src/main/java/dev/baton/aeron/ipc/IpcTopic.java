package dev.baton.aeron.ipc;

import dev.baton.aeron.AeronOptions;
import dev.baton.aeron.log.FragmentLayout;
import dev.baton.aeron.log.FragmentReader;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicEnd;
import dev.baton.spi.errors.OccupiedException;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.Interrupts;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;

/**
 * A topic as one process sees it: the state that all processes share, and the publication with which this one writes.
 *
 * <p><b>Logs.</b> The writer of another process begins a log of its own behind the positions of the one before, so that log
 * positions increase through all logs of a topic. No two logs begin at one position, also when nothing was written there. The log
 * of a process that has ended stays under a second name ({@link LogFile}) until all consumers have acknowledged its frames.
 *
 * <p><b>Room.</b> The driver knows one subscription of the log, the <em>retainer</em> of the writer's process, which is never polled. It
 * follows the slowest consumer's acknowledgement. Readers have images of the log of their own, so that the driver removes nothing
 * that a consumer still needs, whichever process ends.
 *
 * <p><b>Taking over.</b> A writer makes {@link TopicState#writers} odd, looks for the end of the log before, writes a new list of writers
 * with itself, and replaces the number with that of the list. Readers hand over a fragment only if the number has not changed
 * since they read its list, and then only up to the end that it states. A writer compares the number behind each flush. So what a
 * suspended process writes when it continues is neither read nor reported as stored.
 *
 * <p><b>Changes.</b> Writers, readers and deletions begin as changes, one at a time. Each is counted in the same word as the number, and a
 * takeover replaces that word only while the count is its own. A process that was suspended in a takeover, dropped and
 * replaced therefore cannot end it, and a takeover in which a process was killed ends with the next change. Thread-safe, but for what
 * belongs to the writer.
 */
class IpcTopic implements AutoCloseable {
    static final String STATE = "state"; // name of its file

    private static final int TERMS_BETWEEN = 2; // in which a suspended writer may still write
    private static final long NONE = -1;
    private static final int NO_LIST = -1;

    final String name;
    final Path path;
    final TopicState state;
    final TopicDriver driver;

    private final boolean isAlone; // no other process can take the topic over
    private final Map<Long, LogFile> logs = new HashMap<>(); // that were mapped; guarded by this
    private ExclusivePublication
            publication; // null before this process writes; under the state's changer, as what follows
    private TopicStream stream; // of the publication
    private TopicDriver.Subscribed retainer;
    private long begin = NONE; // of its log
    private int number = NO_LIST; // of the list that the writer has added

    IpcTopic(String name, Path path, TopicState state, TopicDriver driver) {
        this.name = name;
        this.path = path;
        this.state = state;
        this.driver = driver;
        isAlone = driver.isAlone();
    }

    /** The place of a writer: its publication, and the end of the topic that it found. */
    record Place(ExclusivePublication publication, Incarnation incarnation, long newest, TopicEnd found) {}

    /**
     * The place of a reader.
     *
     * @param slot of its consumer
     * @param acknowledged by its consumer, {@link TopicState#UNSEEN} for a new one
     * @param start sequence behind which it begins
     * @param newest sequence of the newest frame
     * @param own subscription of the reader to the one log of a topic that no other process uses; null for a shared one
     */
    record Seat(int slot, long acknowledged, long start, long newest, TopicDriver.Subscribed own) {}

    /**
     * Registers the one writer, and begins its incarnation. Waits for the driver. Any thread.
     *
     * @throws OccupiedException when there is a writer whose process lives
     */
    Place openWriter(String topology, int maxPayload) {
        requireRoomFor(maxPayload);
        awaitEnd(state.writer());
        return change(change -> {
            long before = state.writer();
            if (isLive(before)) {
                throw new OccupiedException("topic '" + name + "' has a live writer in " + driver.processOf(before)
                        + "; close that one first");
            }
            List<WriterEntry> writers = writers(change);
            WriterEntry newest = writers.isEmpty() ? null : writers.get(writers.size() - 1);
            Incarnation predecessor = newest == null ? null : newest.writer();
            Incarnation.requireSameTopology(name, predecessor, topology);
            boolean isNewLog = begin == NONE || newest != null && begin != newest.begin();
            if (isNewLog) {
                publish("write", beginBehind(newest));
            }
            Place place = null;
            try {
                require(state.writer(before, driver.client()) && state.beginTakeover(change));
                place = takeOver(change, writers, newest, topology);
            } catch (IOException failed) {
                throw new TransportException("topic '" + name + "' cannot be opened for writing: " + failed, failed);
            } finally {
                if (place == null) {
                    state.writer(driver.client(), 0);
                    state.abandonTakeover(change);
                    if (isNewLog) {
                        leaveLog();
                    }
                }
            }
            return place;
        });
    }

    /** Returns the list of writers, the oldest first. */
    private List<WriterEntry> writers(long change) {
        List<WriterEntry> writers = WriterEntry.read(path, TopicState.list(change));
        require(writers != null);
        return writers;
    }

    /** Ends a change that is not the newest one: the driver has dropped this process, which was suspended in it. */
    private void require(boolean isNewest) {
        if (!isNewest) {
            throw new TransportException(
                    "topic '" + name + "' was changed by another process meanwhile, as the media driver had"
                            + " dropped this one, or files were removed in " + path + "; try again");
        }
    }

    private void requireRoomFor(int maxPayload) {
        int longest = state.termLength() / FragmentLayout.FRAGMENTS_PER_TERM;
        if (FragmentLayout.logBytes(maxPayload) > longest) {
            throw new TransportException("topic '" + name + "' was created with " + AeronOptions.TERM_LENGTH + "="
                    + state.termLength() + ", and " + AeronOptions.MAX_PAYLOAD + "=" + maxPayload
                    + " does not fit into an eighth of it; lower it, or delete the topic and create it again");
        }
    }

    /** Returns the position of a new log, at which no other log of the topic begins. */
    private long beginBehind(WriterEntry newest) {
        int term = state.termLength();
        long gap = (long) TERMS_BETWEEN * term;
        long next = newest == null ? 0 : Math.max(state.publishedTo(), newest.begin()) / term * term + gap;
        while (LogFile.exists(path, next)) { // of a process that was killed, or is suspended, before it was the writer
            next += gap;
        }
        return next;
    }

    /** Takes the memory of the one log that a topic has which no other process uses. Waits for the driver. */
    void prepare() {
        change(change -> {
            publishOwn();
            return null;
        });
    }

    private void publishOwn() {
        if (begin == NONE) {
            publish("create", 0);
        }
    }

    /**
     * Adds a publication whose log begins at a position.
     *
     * @param purpose name of the task, for the error
     */
    private void publish(String purpose, long position) {
        closePublication();
        int term = state.termLength();
        driver.call(purpose + " topic '" + name + "'", () -> {
            TopicStream next = driver.newStream();
            ExclusivePublication added = driver.publish(next, term, position);
            TopicDriver.Subscribed subscribed = null;
            try {
                subscribed = driver.subscribe(next);
                driver.awaitWindow(added);
                if (!isAlone) {
                    LogFile.link(path, position, driver.directory(), added.originalRegistrationId());
                }
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
            stream = next;
            publication = added;
            retainer = subscribed;
            begin = position;
            driver.add(this);
            return added;
        });
    }

    private Place takeOver(long change, List<WriterEntry> writers, WriterEntry newest, String topology)
            throws IOException {
        Incarnation predecessor = newest == null ? null : newest.writer();
        int list = TopicState.nextList(change);
        state.copyNote(list);
        long end = newest == null ? begin : noteEnd(change, list, newest.begin());
        long published = state.published(list);
        long before = predecessor == null ? 0 : Incarnation.count(predecessor.id());
        Incarnation begun = Incarnation.begin(
                Incarnation.id(Incarnation.countAfter(before, System.currentTimeMillis()), state.identity()), topology);
        TopicEnd found =
                TopicEnd.at(state.newest(list), false, predecessorOf(published, writers), state.inputOf(published));
        List<WriterEntry> all = new ArrayList<>(writers);
        all.add(new WriterEntry(published + 1, begin, end, begun));
        removeRead(all);
        WriterEntry.write(path, list, all);
        require(state.endTakeover(change));
        number = list;
        removeFiles(all);
        return new Place(publication, begun, published, found);
    }

    /** Removes the lists and logs before this writer's that are not needed, also those that killed processes have left. */
    private void removeFiles(List<WriterEntry> needed) {
        Set<Long> begins = new HashSet<>();
        needed.forEach(each -> begins.add(each.begin()));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path, "*-*")) {
            for (Path file : files) {
                String[] parts = file.getFileName().toString().split("(?<=-)", 2);
                long value = Long.parseLong(parts[1]);
                boolean isOld = parts[0].equals(WriterEntry.PREFIX)
                        ? value < number
                        : parts[0].equals(LogFile.PREFIX) && value < begin && !begins.contains(value);
                if (isOld) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException | DirectoryIteratorException | NumberFormatException left) {
            // for the next takeover
        }
    }

    /** Finds and notes the frames that a killed writer has written and not noted, and returns the end of its log. */
    private long noteEnd(long change, int list, long position) {
        if (isAlone) {
            return state.publishedTo();
        }
        LogFile log = log(position);
        try {
            return log.walk(Math.max(position, state.publishedTo()), (memory, frame, payload, sequence, end) -> {
                require(state.isTakingOver(change));
                if (sequence > state.published(list)) {
                    state.published(list, sequence, end, memory, frame, payload);
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

    /** Removes the writers before the newest one that have no frames, or whose frames all consumers have read. */
    private void removeRead(List<WriterEntry> writers) {
        for (int i = writers.size() - 2; i > 0; i--) {
            WriterEntry each = writers.get(i);
            boolean isNewLog = each.begin() != writers.get(i - 1).begin(); // it states the end of the log before
            if (!isNewLog && each.first() == writers.get(i + 1).first()) {
                writers.remove(i);
            }
        }
        long acknowledged = state.acknowledgedByAll();
        int read = 0;
        for (int i = 1; i < writers.size() - 1; i++) {
            WriterEntry each = writers.get(i);
            boolean isNewLog = each.begin() != writers.get(i - 1).begin();
            boolean isKept = !isNewLog && each.before() > state.floor(); // a new consumer finds frames before its own
            if (each.first() - 1 <= acknowledged && !isKept) {
                read = i;
            }
        }
        writers.subList(0, read).clear();
        if (read > 0 && state.floor() < writers.get(0).begin()) {
            state.floor(writers.get(0).begin());
        }
    }

    /** Returns the end of a log, which the writer of the next one has found. */
    static long endOf(long begin, List<WriterEntry> writers) {
        for (WriterEntry each : writers) {
            if (each.begin() > begin) {
                return each.before();
            }
        }
        return Long.MAX_VALUE;
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
     * Finds or adds a consumer for one reader, and where it begins. Waits for the driver. Any thread.
     *
     * @throws OccupiedException when it has a reader whose process lives
     */
    Seat openConsumer(String consumer) {
        int known = state.find(consumer);
        awaitEnd(known < 0 ? 0 : state.reader(known));
        return change(change -> {
            int slot = state.find(consumer);
            long before = slot < 0 ? 0 : state.reader(slot);
            if (slot < 0) {
                slot = state.add(consumer);
                if (slot < 0) {
                    throw new TransportException("topic '" + name + "' has no room for consumer '" + consumer + "'; "
                            + TopicState.MOST_CONSUMERS
                            + " consumers with names of 480 bytes are allowed: forget others");
                }
            } else if (isLive(before)) {
                throw occupied(consumer, before, "; close that one first");
            } else if (state.acknowledged(slot) == TopicState.UNSEEN) {
                state.heldFrom(slot, state.floor()); // its process may have been killed before it did so
            }
            require(state.reader(slot, before, driver.client()));
            TopicDriver.Subscribed own = null;
            try {
                own = isAlone ? subscribe() : null;
                return seat(change, slot, own);
            } catch (RuntimeException failed) {
                release(own);
                leave(slot);
                throw failed;
            }
        });
    }

    private TopicDriver.Subscribed subscribe() {
        publishOwn(); // its creation by another thread may not be over
        return driver.call("read topic '" + name + "'", () -> driver.subscribe(stream));
    }

    private Seat seat(long change, int slot, TopicDriver.Subscribed own) {
        List<WriterEntry> writers = writers(change);
        long newest = newest(writers);
        long acknowledged = state.acknowledged(slot);
        if (own != null) {
            goTo(own.image(), state.heldFrom(slot));
        }
        long start = acknowledged;
        if (acknowledged == TopicState.UNSEEN) {
            start = own == null
                    ? first(slot, writers, newest + 1) - 1
                    : FragmentReader.firstSequence(own.image(), newest + 1, Long.MAX_VALUE) - 1;
        }
        return new Seat(slot, acknowledged, start, newest, own);
    }

    /** Returns the sequence of the newest frame, also one that a killed writer has written and not noted. */
    private long newest(List<WriterEntry> writers) {
        long[] newest = {state.published()};
        if (!writers.isEmpty() && !isAlone) {
            long begin = writers.get(writers.size() - 1).begin();
            LogFile log = log(begin);
            try {
                log.walk(
                        Math.max(begin, state.publishedTo()),
                        (memory, frame, payload, sequence, end) -> newest[0] = Math.max(newest[0], sequence));
            } finally {
                release(log);
            }
        }
        return newest[0];
    }

    /** Returns the sequence of the first frame that is kept for a consumer. */
    private long first(int slot, List<WriterEntry> writers, long otherwise) {
        long position = state.heldFrom(slot);
        long first = otherwise;
        for (WriterEntry each : writers) {
            long end = endOf(each.begin(), writers);
            if (first == otherwise && position < end) {
                LogFile log = log(each.begin());
                try {
                    first = FragmentReader.firstSequence(log.image(Math.max(position, each.begin())), otherwise, end);
                } finally {
                    release(log);
                }
            }
        }
        return first;
    }

    /** Releases a consumer for another reader. */
    void closeConsumer(Seat seat) {
        release(seat.own());
        state.reader(seat.slot(), driver.client(), 0);
    }

    private void release(TopicDriver.Subscribed own) {
        if (own != null) {
            driver.release(own.subscription()::close);
        }
    }

    /** Removes a consumer whose reader could not be opened, unless it has had a reader before. */
    void withdraw(Seat seat) {
        release(seat.own());
        change(change -> {
            leave(seat.slot());
            return null;
        });
    }

    private void leave(int slot) {
        if (state.reader(slot) == driver.client()) {
            if (state.acknowledged(slot) == TopicState.UNSEEN) {
                state.remove(slot);
            }
            state.reader(slot, driver.client(), 0);
        }
    }

    /** Removes a consumer; false when there is none of this name. */
    boolean forgetConsumer(String consumer) {
        return change(change -> {
            int slot = state.find(consumer);
            if (slot < 0) {
                return false;
            }
            long reader = state.reader(slot);
            if (isLive(reader)) {
                throw occupied(consumer, reader, " and cannot be forgotten; close that one first");
            }
            // the reader's process may be suspended, and what it has not read may be overwritten from now on
            require(state.reader(slot, reader, 0));
            state.remove(slot);
            return true;
        });
    }

    private OccupiedException occupied(String consumer, long client, String rest) {
        return new OccupiedException("consumer '" + consumer + "' of topic '" + name + "' has a live reader in "
                + driver.processOf(client) + rest);
    }

    /**
     * Marks the topic as deleted, so that nothing of it is opened any more.
     *
     * @return false when another process has marked it
     */
    boolean retire() {
        try {
            markDeleted();
            return true;
        } catch (TransportException failed) {
            if (state.isDeleted()) {
                return false;
            }
            throw failed;
        }
    }

    private void markDeleted() {
        change(change -> {
            boolean isUsed = isLive(state.writer());
            for (int i = 0; i < state.consumers(); i++) {
                isUsed |= isLive(state.reader(i));
            }
            if (isUsed) {
                throw new TransportException(
                        "topic '" + name + "' is in use and cannot be deleted; close its writer and readers first");
            }
            state.deleter(0, driver.client());
            return null;
        });
    }

    /** Makes the topic available again. */
    void restore() {
        state.deleter(driver.client(), 0);
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
    private <T> T change(LongFunction<T> task) {
        return Interrupts.without(() -> changeNow(task));
    }

    private <T> T changeNow(LongFunction<T> task) {
        synchronized (state) {
            driver.await("the end of a change of topic '" + name + "' by another process", this::isChanger);
            try {
                if (state.isDeleted()) {
                    throw new TransportException("there is no topic '" + name + "'; it was deleted");
                }
                return task.apply(state.beginChange());
            } finally {
                state.change(driver.client(), 0);
            }
        }
    }

    private boolean isChanger() {
        long holder = state.changer();
        return !isLive(holder) && state.change(holder, driver.client()); // it may have been killed in the middle
    }

    /** Returns the log position of the first fragment that some consumer needs. */
    long heldFrom() {
        return state.heldFrom();
    }

    /**
     * Gives the writer the room that its readers have acknowledged.
     *
     * @return the log position up to which room was given; -1 when another thread runs the driver: try again
     */
    long giveRoom() {
        return driver.giveRoom(this) ? retainer.image().position() : NONE;
    }

    /** Advances the retainer to the slowest consumer. */
    void raiseRetainer() {
        goTo(retainer.image(), state.raiseFloor());
    }

    /** Advances an image to a log position, by a term at most at a time, as Aeron requires. */
    private void goTo(Image image, long target) {
        int term = state.termLength();
        for (long at = image.position(); at < target && !image.isClosed(); at = image.position()) {
            image.position(Math.min(target, (at & -term) + term));
        }
    }

    /** Returns the position at which the log of this process begins. */
    long begin() {
        return begin;
    }

    /**
     * Notes the frames that were written to the log. The writer only.
     *
     * @param sequence of the newest one
     * @param end log position behind it
     * @param memory that has the newest one
     * @param frame its index there
     * @param payload bytes behind its header
     * @throws ReplacedException when another writer has taken the topic over
     */
    void published(long sequence, long end, ByteBuffer memory, int frame, int payload) {
        if (!isAlone) {
            requireNotReplaced();
        }
        state.published(number, sequence, end, memory, frame, payload);
    }

    private void requireNotReplaced() {
        VarHandle.fullFence(); // between the frames in the log and the number
        if (state.writers() != number) {
            throw new ReplacedException(
                    name,
                    "another writer has taken topic '" + name + "' over at sequence " + (state.published() + 1)
                            + ", as the media driver had dropped this process: it was suspended for too long");
        }
    }

    /** Notes that frames answer an input from a sequence on. The writer only. */
    void answers(long sequence, InputRef input) {
        if (state.writers() == number) { // otherwise the next flush fails
            state.answers(sequence, input);
        }
    }

    /** Makes the newest input hold from a sequence on, since the frames from there on were withdrawn. */
    void rewound(long sequence) {
        if (state.writers() == number) {
            state.rewound(sequence);
        }
    }

    /** Releases the topic for another writer. */
    void closeWriter() {
        if (state.writers() == number) {
            state.writer(driver.client(), 0);
        }
    }

    /**
     * Returns the reason for a refusal by Aeron.
     *
     * @param answer the reason if the client of the media driver is not lost
     */
    String refusal(String answer) {
        try {
            driver.requireAlive();
            return answer;
        } catch (TransportException lost) {
            return lost.getMessage();
        }
    }

    /** Removes a log that is in no list. */
    private void leaveLog() {
        try {
            LogFile.unlink(path, begin);
        } catch (IOException left) {
            // for the next takeover
        }
        closePublication();
    }

    private void closePublication() {
        if (publication != null) {
            driver.remove(this);
            driver.release(() -> {
                retainer.subscription().close();
                publication.close();
            });
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
