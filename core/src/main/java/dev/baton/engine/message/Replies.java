package dev.baton.engine.message;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The way of replies from the parts that read the last topic to the open requests of the same deployment. Thread-safe.
 */
public final class Replies {
    /** The open requests of a deployment. Called on the loops of the parts. */
    public interface Receiver {
        /** Receives a message of the last topic, or a reply in its place, that belongs to some request. Never throws. */
        void received(InboundMessage reply);

        /** Fails the open requests and all later ones, because replies are no longer read. */
        void failed(Throwable cause);

        /** Ends the open requests and the reading of replies, because the chain is closed. */
        void close();
    }

    private final AtomicBoolean isTaken = new AtomicBoolean();
    private volatile Receiver receiver; // null while no requests are open
    private volatile Throwable failure; // null while replies are read
    private volatile boolean isClosed;

    /** Returns whether the caller may open requests: no others are open or about to be. {@link #give} follows if it fails. */
    public boolean take() {
        return isTaken.compareAndSet(false, true);
    }

    /** Forgets receiver and failure of an opening that has failed, after its readers of replies are closed. */
    public void give() {
        receiver = null;
        failure = null;
        isTaken.set(false);
    }

    /** Sets the receiver of replies, which is closed if the chain is closed meanwhile. */
    public void to(Receiver requests) {
        receiver = requests;
        if (isClosed) {
            requests.close();
        }
        Throwable before = failure;
        if (before != null) {
            requests.failed(before);
        }
    }

    /** Returns the method that opened the shared inlet, for messages. */
    public String entrance() {
        return receiver == null ? "sharedInlet(...)" : "requests(...)";
    }

    /** Ends the open requests, and those that are about to be opened. */
    public void close() {
        isClosed = true;
        Receiver to = receiver;
        if (to != null) {
            to.close();
        }
    }

    /** Passes a message on. Called by a part that reads the last topic. */
    public void received(InboundMessage reply) {
        Receiver to = receiver;
        if (to != null) {
            to.received(reply);
        }
    }

    /** Records that replies are no longer read. */
    public void failed(Throwable cause) {
        failure = cause;
        Receiver to = receiver;
        if (to != null) {
            to.failed(cause);
        }
    }
}
