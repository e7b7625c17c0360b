package dev.baton.chronicle.log;

import dev.baton.spi.errors.TransportException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * The open logs of a transport: one for each topic, however many connections use it, opened for the first of them and
 * closed by the last.
 *
 * <p>Topics are opened and closed concurrently. Each has an entry, whose monitor is held while its log is opened or
 * closed, so that a thread waits only for another one that opens or closes the same topic. The monitor of the map is
 * held for moments, and may be taken while that of an entry is held, not the other way round. Thread-safe.
 */
public final class OpenLogs {
    private final Function<String, TopicLog> opener;

    /** The entries of topics that have users; guards itself, the counts of users, and {@link #isOpen}. */
    private final Map<String, Entry> entries = new HashMap<>();

    private boolean isOpen = true;

    /** The log of one topic, and its users. */
    private static final class Entry {
        /** The number of users that have the log, open it, or wait for it. */
        private int users;

        /** The log, null while it is closed; guarded by the entry. */
        private TopicLog log;
    }

    /**
     * Creates an empty set of logs.
     *
     * @param opener opens the log of a topic, and leaves nothing when it throws
     */
    public OpenLogs(Function<String, TopicLog> opener) {
        this.opener = opener;
    }

    /**
     * Opens the log of a topic, or shares the open one. Waits while another thread opens or closes it.
     *
     * @throws IllegalStateException when the transport is closed, or was closed meanwhile
     */
    public TopicLog share(String topic) {
        Entry entry;
        synchronized (entries) {
            checkOpen();
            entry = entries.computeIfAbsent(topic, first -> new Entry());
            entry.users++;
        }
        synchronized (entry) {
            try {
                if (entry.log == null) {
                    entry.log = opener.apply(topic);
                }
                checkOpen();
                return entry.log;
            } catch (RuntimeException | Error e) {
                leave(topic, entry);
                throw e;
            }
        }
    }

    /** Releases one use of a log. The last one closes it. */
    public void release(TopicLog log) {
        Entry entry;
        synchronized (entries) {
            entry = entries.get(log.topic);
        }
        synchronized (entry) {
            leave(log.topic, entry);
        }
    }

    /**
     * Removes a user, with the entry's monitor: a caller that shares the log while it is closed waits, and opens it
     * again.
     */
    private void leave(String topic, Entry entry) {
        boolean isLast;
        synchronized (entries) {
            entry.users--;
            isLast = entry.users == 0;
        }
        if (isLast) {
            TopicLog log = entry.log;
            entry.log = null;
            try {
                if (log != null) {
                    log.close();
                }
            } finally {
                removeUnused(topic, entry);
            }
        }
    }

    private void removeUnused(String topic, Entry entry) {
        synchronized (entries) {
            if (entry.users == 0) {
                entries.remove(topic);
            }
        }
    }

    /**
     * Checks that the transport is open.
     *
     * @throws IllegalStateException when it is closed
     */
    public void checkOpen() {
        synchronized (entries) {
            if (!isOpen) {
                throw new IllegalStateException("the transport is closed");
            }
        }
    }

    /**
     * Runs an action while none of these topics has a user, nor gets one.
     *
     * @throws TransportException when one has; the action has not run then
     */
    public void whileUnused(Collection<String> topics, Runnable action) {
        synchronized (entries) {
            for (String topic : topics) {
                if (entries.containsKey(topic)) {
                    throw new TransportException("topic " + topic + " is in use; close its connections first");
                }
            }
            action.run();
        }
    }

    /** Refuses further users; returns false when it did already. Does not wait for opens in progress. */
    public boolean close() {
        synchronized (entries) {
            boolean wasOpen = isOpen;
            isOpen = false;
            return wasOpen;
        }
    }
}
