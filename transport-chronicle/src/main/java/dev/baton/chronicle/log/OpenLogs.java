package dev.baton.chronicle.log;

import dev.baton.spi.TransportException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * The open logs of a transport: one for each topic, however many connections use it, opened for the first of them and
 * closed by the last.
 *
 * <p>Topics are opened and closed side by side. Each has a place, whose monitor is held while its log is opened or closed,
 * so that a thread waits only for another one that opens or closes the same topic. The monitor of the map is held for
 * moments, and may be taken while that of a place is held, not the other way round. Thread-safe.
 */
public final class OpenLogs {
    private final Function<String, TopicLog> opener;

    /** The places of topics that have users; guards itself, the counts of users, and {@link #isOpen}. */
    private final Map<String, Place> places = new HashMap<>();

    private boolean isOpen = true;

    /** Where the log of one topic is. */
    private static final class Place {
        /** Those that use the log, that open it, and that wait for it. */
        private int users;

        /** Null while it is not open; guarded by the place. */
        private TopicLog log;
    }

    /** @param opener opens the log of a topic, and leaves nothing when it throws */
    public OpenLogs(Function<String, TopicLog> opener) {
        this.opener = opener;
    }

    /**
     * Opens the log of a topic, or shares it with those that have it open. Waits while another thread opens or closes it.
     *
     * @throws IllegalStateException when the transport is closed, or was closed meanwhile
     */
    public TopicLog share(String topic) {
        Place place;
        synchronized (places) {
            checkOpen();
            place = places.computeIfAbsent(topic, first -> new Place());
            place.users++;
        }
        synchronized (place) {
            try {
                if (place.log == null) {
                    place.log = opener.apply(topic);
                }
                checkOpen();
                return place.log;
            } catch (RuntimeException | Error e) {
                leave(topic, place);
                throw e;
            }
        }
    }

    /** Takes one user of a log away. The last one closes it. */
    public void letGo(TopicLog log) {
        Place place;
        synchronized (places) {
            place = places.get(log.topic);
        }
        synchronized (place) {
            leave(log.topic, place);
        }
    }

    /** Called with the place's monitor: a caller that comes while the log is closed waits, and opens it again. */
    private void leave(String topic, Place place) {
        boolean isLast;
        synchronized (places) {
            place.users--;
            isLast = place.users == 0;
        }
        if (isLast) {
            TopicLog log = place.log;
            place.log = null;
            try {
                if (log != null) {
                    log.close();
                }
            } finally {
                removeUnused(topic, place);
            }
        }
    }

    private void removeUnused(String topic, Place place) {
        synchronized (places) {
            if (place.users == 0) {
                places.remove(topic);
            }
        }
    }

    /** @throws IllegalStateException when the transport is closed */
    public void checkOpen() {
        synchronized (places) {
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
        synchronized (places) {
            for (String topic : topics) {
                if (places.containsKey(topic)) {
                    throw new TransportException("topic " + topic + " is in use; close its connections first");
                }
            }
            action.run();
        }
    }

    /** Refuses further users; returns false when that was so already. Waits for no open that is under way. */
    public boolean close() {
        synchronized (places) {
            boolean wasOpen = isOpen;
            isOpen = false;
            return wasOpen;
        }
    }
}
