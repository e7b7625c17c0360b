package dev.baton.engine.message;

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

    private volatile Receiver receiver; // null while no requests are open
    private volatile Throwable failure; // null while replies are read

    /** Forgets receiver and failure of reply readers that are closed. Called before new ones are opened. */
    public void restart() {
        receiver = null;
        failure = null;
    }

    /** Sets the receiver of replies. */
    public void to(Receiver requests) {
        receiver = requests;
        Throwable before = failure;
        if (before != null) {
            requests.failed(before);
        }
    }

    /** Returns the method that opened the shared inlet, for messages. */
    public String entrance() {
        return receiver == null ? "sharedInlet(...)" : "requests(...)";
    }

    /** Ends the open requests. */
    public void close() {
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
