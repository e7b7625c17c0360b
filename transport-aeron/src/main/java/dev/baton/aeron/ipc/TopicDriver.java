package dev.baton.aeron.ipc;

import dev.baton.aeron.AeronOptions;
import dev.baton.aeron.driver.DriverClient;
import dev.baton.aeron.driver.Interrupts;
import dev.baton.spi.TransportException;
import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.Subscription;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The media driver of a transport, and the one client by which all connections use it: writers and readers of a topic share its
 * log. The client has no thread. It runs within the calls of this class, one at a time. Thread-safe.
 */
abstract class TopicDriver implements AutoCloseable {
    /** A subscription to one stream, and the image of its one publication. */
    record Subscribed(Subscription subscription, Image image) {}

    /** Who runs the client. */
    final ReentrantLock lock = new ReentrantLock();

    private final Duration timeout;

    /** @param timeout after which the driver has not answered */
    TopicDriver(Duration timeout) {
        this.timeout = timeout;
    }

    /** The client. Under the lock. */
    abstract Aeron aeron();

    /**
     * One turn of the client. Under the lock.
     *
     * @throws TransportException when the client is lost
     */
    abstract void turn();

    /** Lets time pass until the driver may have answered. */
    abstract void pause();

    /** Whether the client has ended. Under the lock. */
    abstract boolean isOver();

    /** What to do when there is no room for a log. */
    abstract String moreMemory();

    /** Whether an answer of the driver takes a while, and the client has to have its turns. */
    abstract boolean isExternal();

    /**
     * One turn of a connection.
     *
     * @throws TransportException when the client is lost
     */
    abstract void work();

    /**
     * Passes while the client is not lost.
     *
     * @throws TransportException otherwise
     */
    abstract void requireAlive();

    /** Begins with another client if this one is lost, and with it nothing, as there is no topic. */
    abstract void renew();

    /** Whether the client is known to be lost. */
    abstract boolean isLost();

    /**
     * Has the driver give the writers the room that readers have left. Allocates nothing.
     *
     * @param writing the topic that needs room
     * @param all topics of the transport
     */
    abstract void giveRoom(AeronTopic writing, AeronTopic[] all);

    /** How results show it. */
    abstract String text();

    @Override
    public abstract void close();

    /**
     * Does something that waits for the driver.
     *
     * @param what in the infinitive, for the error
     * @throws TransportException when it is refused
     */
    final <T> T call(String what, Supplier<T> task) {
        try {
            return task.get();
        } catch (TransportException told) {
            throw told;
        } catch (RuntimeException failed) {
            throw refused(what, failed, moreMemory());
        }
    }

    /** In words that say what can be done, where that is known. */
    static TransportException refused(String what, RuntimeException failed, String moreMemory) {
        return new TransportException(
                "Aeron cannot " + what + ": " + failed.getMessage() + (DriverClient.isFull(failed) ? moreMemory : ""),
                failed);
    }

    /** A stream that nobody else has. */
    final TopicStream newStream() {
        return TopicStream.of(turnAndAsk(() -> aeron().nextCorrelationId()));
    }

    /** Begins a publication. */
    final ExclusivePublication publish(TopicStream stream, AeronOptions options) {
        long asked = turnAndAsk(() -> aeron().asyncAddExclusivePublication(stream.publication(options), stream.id()));
        try {
            return await(() -> aeron().getExclusivePublication(asked));
        } catch (TransportException silent) {
            release(() -> aeron().asyncRemovePublication(asked));
            throw silent;
        }
    }

    /** Subscribes to a stream that has a publication. */
    final Subscribed subscribe(TopicStream stream) {
        long asked = turnAndAsk(() -> aeron().asyncAddSubscription(stream.subscription(), stream.id()));
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
     * Takes turns until there is an answer; others may take theirs in between.
     *
     * @param answer null: none yet
     * @throws TransportException when there is none within the timeout
     */
    final <T> T await(Supplier<T> answer) {
        long begun = System.nanoTime();
        while (true) {
            T given = Interrupts.without(() -> turnAndAsk(answer));
            if (given != null) {
                return given;
            }
            if (System.nanoTime() - begun > timeout.toNanos()) {
                throw new TransportException(
                        "the media driver (" + text() + ") has not answered within " + timeout.toMillis() + " ms");
            }
            pause();
        }
    }

    private <T> T turnAndAsk(Supplier<T> answer) {
        lock.lock();
        try {
            turn();
            return answer.get();
        } finally {
            lock.unlock();
        }
    }

    /** Does something with the client unless it has ended, and lets the driver act on it. */
    final void release(Runnable task) {
        lock.lock();
        try {
            if (!isOver()) {
                task.run();
                turn();
            }
        } catch (TransportException lost) {
            // and what was to be released with it; the users of the client are notified
        } finally {
            lock.unlock();
        }
    }
}
