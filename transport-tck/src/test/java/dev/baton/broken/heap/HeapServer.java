package dev.baton.broken.heap;

import dev.baton.spi.errors.TransportException;
import dev.baton.tck.NetworkFault;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The server behind {@link NetworkHeap}: topics, and faults of the network in front of it. Thread-safe. */
public final class HeapServer {
    /** The time after which a call gives up, and a writer its frames. */
    public static final long TIMEOUT_NANOS = TimeUnit.MILLISECONDS.toNanos(30);

    private static final long PAUSE_NANOS = 200_000;

    public final Map<String, HeapTopic> topics = new TreeMap<>(); // guarded by itself, the first of all locks

    private final Set<Thread> awaiting = ConcurrentHashMap.newKeySet();
    private final Set<NetworkFault> faults = EnumSet.noneOf(NetworkFault.class); // guarded by this
    private long brokenLinks; // those that were opened before this many others; guarded by this
    private long links; // guarded by this
    private volatile long changes;

    /** A link of a connection to the server. Thread-safe. */
    public final class Link {
        private final long number;

        private Link(long number) {
            this.number = number;
        }

        public boolean isBroken() {
            synchronized (HeapServer.this) {
                return number <= brokenLinks;
            }
        }

        /** Throws when the link is broken. */
        public void check() {
            if (isBroken()) {
                throw new TransportException("the link to the memory server is broken; connect again");
            }
        }
    }

    public synchronized Link connect() {
        return new Link(++links);
    }

    /** A link that no fault breaks. */
    public Link unbreakable() {
        return new Link(Long.MAX_VALUE);
    }

    public synchronized void begin(NetworkFault fault) {
        faults.add(fault);
        if (fault == NetworkFault.BROKEN_LINKS) {
            brokenLinks = links;
        }
    }

    public synchronized void heal() {
        faults.clear();
    }

    public synchronized boolean has(NetworkFault fault) {
        return faults.contains(fault);
    }

    /** Asks the server, as a call does that may block: ends when it answers, or with an exception after a time. */
    public void ask(String what) {
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
    public long changes() {
        return changes;
    }

    /** Ends the awaits of all connections. */
    public void changed() {
        synchronized (this) {
            changes++;
        }
        awaiting.forEach(LockSupport::unpark);
    }

    /** Waits until there are more changes than these, until the thread is unparked, or for a time. */
    public void await(long seen, long nanos) {
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
