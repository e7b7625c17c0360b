package dev.baton.aeron.ipc;

import dev.baton.aeron.AeronOptions;
import dev.baton.aeron.driver.DriverClient;
import dev.baton.aeron.driver.Interrupts;
import dev.baton.spi.errors.TransportException;
import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.Subscription;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.agrona.collections.ArrayUtil;

/**
 * A media driver of a transport, and the one client that all connections share, as writers and readers of a topic share its
 * log. The client has no thread. It runs within the calls of this class, one at a time. Thread-safe.
 */
abstract class TopicDriver implements AutoCloseable {
    /** A subscription to one stream, and the image of its one publication. */
    record Subscribed(Subscription subscription, Image image) {}

    /** The lock of the client, held by the thread that runs it. */
    final ReentrantLock lock = new ReentrantLock();

    /** The topics whose streams this driver has, replaced with each change. */
    private volatile AeronTopic[] topics = {};

    private final Duration timeout;

    /**
     * Creates the base of a driver.
     *
     * @param timeout time in which the driver has to answer
     */
    TopicDriver(Duration timeout) {
        this.timeout = timeout;
    }

    final AeronTopic[] topics() {
        return topics;
    }

    /** Adds a topic that was created. Called by one thread at a time, as {@link #remove}. */
    final void add(AeronTopic topic) {
        topics = ArrayUtil.add(topics, topic);
    }

    /** Removes a topic that is about to be closed. */
    final void remove(AeronTopic topic) {
        topics = ArrayUtil.remove(topics, topic);
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

    /** Returns whether the driver is a program of its own: its answers take a while, and the client must have its turns. */
    abstract boolean isExternal();

    /**
     * Gives the client a turn, on the thread of a connection. Does nothing for an embedded driver, as the next three.
     *
     * @throws TransportException when the client is lost
     */
    void work() {}

    /**
     * Checks that the client is not lost.
     *
     * @throws TransportException when it is lost
     */
    void requireAlive() {}

    /** Replaces a lost client. Called only while there is no topic. */
    void renew() {}

    /** Returns whether the client is known to be lost. */
    boolean isLost() {
        return false;
    }

    /**
     * Gives the writers the room that their readers have acknowledged. Allocates nothing and does not wait for another thread,
     * which may be creating topics.
     *
     * @param writing the topic that needs room
     * @return false when another thread runs the driver; try again
     */
    abstract boolean giveRoom(AeronTopic writing);

    /** Describes the driver, for results. */
    abstract String text();

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

    /** Adds the publication of a stream. */
    final ExclusivePublication publish(TopicStream stream, AeronOptions options) {
        long asked = ask(() -> aeron().asyncAddExclusivePublication(stream.publication(options), stream.id()));
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

    private <T> T ask(Supplier<T> answer) {
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
