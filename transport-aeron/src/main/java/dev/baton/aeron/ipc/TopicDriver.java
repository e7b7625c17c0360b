package dev.baton.aeron.ipc;

import dev.baton.aeron.AeronOptions;
import dev.baton.aeron.driver.DriverClient;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.Interrupts;
import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.Subscription;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A media driver of a transport, and the one client that all connections share. The client has no thread. It runs within the
 * calls of this class, one at a time. The methods about other processes are those of a driver that has none. Thread-safe.
 */
abstract class TopicDriver implements AutoCloseable {
    /** A subscription to one stream, and the image of its one publication. */
    record Subscribed(Subscription subscription, Image image) {}

    /** The lock of the client, held by the thread that runs it. */
    final ReentrantLock lock = new ReentrantLock();

    private final Path directory;
    private final Duration timeout;

    /**
     * Creates the base of a driver.
     *
     * @param directory of its files
     * @param timeout time in which it has to answer
     */
    TopicDriver(Path directory, Duration timeout) {
        this.directory = directory;
        this.timeout = timeout;
    }

    final Path directory() {
        return directory;
    }

    /** Returns the client. Under the lock. */
    abstract Aeron aeron();

    /**
     * Gives the client a turn. Under the lock.
     *
     * @throws TransportException when the client is lost
     */
    abstract void turn();

    /** Pauses until the driver may have answered. */
    abstract void pause();

    /** Returns whether the client has ended. Under the lock. */
    abstract boolean isOver();

    /** Returns the remedy when there is no space for a log. */
    abstract String moreMemory();

    /** Describes the driver, for results. */
    abstract String text();

    /** Returns whether the driver can have another topic. */
    boolean hasRoom() {
        return true;
    }

    /** Notes a topic whose log this driver has. */
    void add(IpcTopic topic) {}

    /** Removes a topic whose log is about to be closed. */
    void remove(IpcTopic topic) {}

    /**
     * Gives a topic's writer the room that its readers have acknowledged. Allocates nothing and does not wait for another thread,
     * which may be creating topics.
     *
     * @return false when another thread runs the driver; try again
     */
    abstract boolean giveRoom(IpcTopic topic);

    /** Returns the id of the client, which is never used twice in the life of a driver. */
    final long client() {
        return aeron().clientId();
    }

    /** Returns whether no other process can use the driver. */
    boolean isAlone() {
        return true;
    }

    /** Returns whether the driver has not dropped a client, of any process. */
    boolean isKnown(long client) {
        return true;
    }

    /** Waits until the driver has dropped a client, or that client has shown that it lives. */
    void awaitEnd(long client) {}

    /**
     * Awaits what another process does, for as long as the driver keeps a client that is dead.
     *
     * @throws TransportException when it has not come by then
     */
    void await(String what, BooleanSupplier condition) {
        if (!condition.getAsBoolean()) {
            throw new IllegalStateException("waited for " + what + ", but no other process has topics here");
        }
    }

    /** Returns the process of a client, for messages. */
    String processOf(long client) {
        return "this process";
    }

    /** Gives the client a turn when one is due, on the thread of a connection. */
    void work() {}

    /**
     * Gives the client a turn.
     *
     * @throws TransportException when the client is lost
     */
    void requireAlive() {}

    /** Returns whether the client is known to be lost. */
    boolean isLost() {
        return false;
    }

    @Override
    public abstract void close();

    /**
     * Runs a task that waits for the driver.
     *
     * @param what name of the task in the infinitive, for the error
     * @throws TransportException when it is refused
     */
    final <T> T call(String what, Supplier<T> task) {
        try {
            return task.get();
        } catch (TransportException lost) {
            throw lost;
        } catch (RuntimeException failed) {
            throw refused(what, failed, moreMemory());
        }
    }

    /** Describes a refusal by Aeron, with the remedy where there is one. */
    static TransportException refused(String what, RuntimeException failed, String moreMemory) {
        return new TransportException(
                "Aeron cannot " + what + ": " + failed.getMessage() + (DriverClient.isFull(failed) ? moreMemory : ""),
                failed);
    }

    /** Returns a stream that no other transport has. */
    final TopicStream newStream() {
        return TopicStream.of(ask(() -> aeron().nextCorrelationId()));
    }

    /** Adds the publication of a stream, whose log has all its pages. */
    ExclusivePublication publish(TopicStream stream, int termLength, long begin) {
        return publish(stream, stream.publication(termLength, begin, false));
    }

    /** Adds the publication of a stream on a channel. */
    final ExclusivePublication publish(TopicStream stream, String channel) {
        long asked = ask(() -> aeron().asyncAddExclusivePublication(channel, stream.id()));
        try {
            return await(() -> aeron().getExclusivePublication(asked));
        } catch (TransportException silent) {
            release(() -> aeron().asyncRemovePublication(asked));
            throw silent;
        }
    }

    /** Subscribes to a stream that has a publication. */
    final Subscribed subscribe(TopicStream stream) {
        long asked = ask(() -> aeron().asyncAddSubscription(stream.subscription(), stream.id()));
        try {
            Subscription subscription = await(() -> aeron().getSubscription(asked));
            return new Subscribed(
                    subscription, await(() -> subscription.imageCount() == 0 ? null : subscription.imageAtIndex(0)));
        } catch (TransportException silent) {
            release(() -> aeron().asyncRemoveSubscription(asked));
            throw silent;
        }
    }

    /** Awaits the window of a publication, which the driver opens once there is a subscription. */
    final int awaitWindow(ExclusivePublication publication) {
        long given = await(() -> {
            long open = publication.availableWindow();
            return open > 0 ? open : null;
        });
        return checkedWindow(given, TopicStream.window(publication.termBufferLength()));
    }

    /** Refuses a driver that gives a smaller window, such as one that ignores the option of the channel. */
    static int checkedWindow(long given, int wanted) {
        if (given < wanted) {
            throw new TransportException(
                    "the media driver gives a topic a window of " + given + " bytes, and half of its "
                            + AeronOptions.TERM_LENGTH + ", " + wanted
                            + ", is needed; start the driver without aeron.ipc.publication.term.window.length");
        }
        return wanted;
    }

    /**
     * Takes turns until there is an answer; other threads may take turns in between.
     *
     * @param answer null while there is none
     * @throws TransportException when there is none within the timeout
     */
    final <T> T await(Supplier<T> answer) {
        long begun = System.nanoTime();
        T given = ask(answer); // one turn often answers several requests
        while (given == null) {
            given = Interrupts.without(() -> ask(() -> {
                turn();
                return answer.get();
            }));
            if (given == null && System.nanoTime() - begun > timeout.toNanos()) {
                throw new TransportException(
                        "the media driver (" + text() + ") has not answered within " + timeout.toMillis() + " ms");
            }
            if (given == null) {
                pause();
            }
        }
        return given;
    }

    /**
     * Runs a task on the client under the lock, in which the client is not closed.
     *
     * @throws TransportException when the client is lost
     */
    final <T> T ask(Supplier<T> answer) {
        lock.lock();
        try {
            if (isOver()) {
                turn(); // throws the reason
            }
            return answer.get();
        } finally {
            lock.unlock();
        }
    }

    /** Runs a task on the client unless it has ended, and gives the client a turn. */
    final void release(Runnable task) {
        lock.lock();
        try {
            if (!isOver()) {
                task.run();
                turn();
            }
        } catch (TransportException lost) {
            // with its resources; the users of the client are notified
        } finally {
            lock.unlock();
        }
    }
}
