package dev.baton.tck.broken;

import dev.baton.spi.TransportException;
import dev.baton.tck.NetworkFault;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The server behind {@link NetworkMemory}: topics, and faults of the network in front of it. Thread-safe. */
final class MemoryServer {
    /** The time after which a call gives up, and a writer its frames. */
    static final long TIMEOUT_NANOS = TimeUnit.MILLISECONDS.toNanos(30);

    private static final long PAUSE_NANOS = 200_000;

    final Map<String, MemoryTopic> topics = new TreeMap<>(); // guarded by itself, the first of all locks

    private final Set<Thread> awaiting = ConcurrentHashMap.newKeySet();
    private final Set<NetworkFault> faults = EnumSet.noneOf(NetworkFault.class); // guarded by this
    private long brokenLinks; // those that were opened before this many others; guarded by this
    private long links; // guarded by this
    private volatile long changes;

    /** A link of a connection to the server. Thread-safe. */
    final class Link {
        private final long number;

        private Link(long number) {
            this.number = number;
        }

        boolean isBroken() {
            synchronized (MemoryServer.this) {
                return number <= brokenLinks;
            }
        }

        /** Throws when the link is broken. */
        void check() {
            if (isBroken()) {
                throw new TransportException("the link to the memory server is broken; connect again");
            }
        }
    }

    synchronized Link connect() {
        return new Link(++links);
    }

    /** A link that no fault breaks. */
    Link unbreakable() {
        return new Link(Long.MAX_VALUE);
    }

    synchronized void begin(NetworkFault fault) {
        faults.add(fault);
        if (fault == NetworkFault.BROKEN_LINKS) {
            brokenLinks = links;
        }
    }

    synchronized void heal() {
        faults.clear();
    }

    synchronized boolean has(NetworkFault fault) {
        return faults.contains(fault);
    }

    /** Asks the server, as a call does that may block: ends when it answers, or with an exception after a time. */
    void ask(String what) {
        long start = System.nanoTime();
        while (has(NetworkFault.STALLED_SERVER)) {
            if (System.nanoTime() - start > TIMEOUT_NANOS) {
                throw new TransportException(what + ": the memory server has not answered within "
                        + TimeUnit.NANOSECONDS.toMillis(TIMEOUT_NANOS) + " ms");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        if (has(NetworkFault.BROKEN_LINKS)) {
            throw new TransportException(what + ": the memory server cannot be reached");
        }
    }

    /** The number of changes of all topics so far. */
    long changes() {
        return changes;
    }

    /** Ends the awaits of all connections. */
    void changed() {
        synchronized (this) {
            changes++;
        }
        awaiting.forEach(LockSupport::unpark);
    }

    /** Waits until there are more changes than these, until the thread is unparked, or for a time. */
    void await(long seen, long nanos) {
        Thread thread = Thread.currentThread();
        awaiting.add(thread);
        try {
            if (changes == seen) {
                LockSupport.parkNanos(nanos);
            }
        } finally {
            awaiting.remove(thread);
        }
    }
}
