package dev.baton.aeron.ipc;

import dev.baton.aeron.AeronOptions;
import dev.baton.aeron.driver.DriverClient;
import dev.baton.aeron.driver.Interrupts;
import dev.baton.spi.errors.TransportException;
import io.aeron.Aeron;
import io.aeron.exceptions.ClientTimeoutException;
import io.aeron.exceptions.ConductorServiceTimeoutException;
import io.aeron.exceptions.DriverTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;

/**
 * A media driver that runs as a program of its own, with threads of its own. The client must have turns more often than the
 * driver's client liveness timeout, from any connection.
 *
 * <p>A client that is lost, because the driver has ended or has timed it out, is closed with the last connection: until then
 * readers and writers may access memory that it has mapped. Thread-safe.
 */
final class ExternalDriver extends TopicDriver {
    private static final long ANSWER_NANOS = 50_000; // between two polls for an answer

    private final Path directory;
    private final Duration timeout;
    private Aeron aeron; // under the lock, as what follows
    private Agent conductor;
    private Throwable error; // the first one that the client has reported
    private volatile TransportException loss; // null while the client lives
    private volatile long turnedNanos;

    private ExternalDriver(Path directory, Duration timeout) {
        super(timeout);
        this.directory = directory;
        this.timeout = timeout;
    }

    /**
     * Connects to a driver.
     *
     * @throws TransportException when the JVM lacks a flag, no driver runs there, or it is of another version
     */
    static ExternalDriver connect(Path directory, Duration timeout) {
        DriverClient.checkFlag();
        ExternalDriver driver = new ExternalDriver(directory, timeout);
        return Interrupts.without(driver::connect);
    }

    private ExternalDriver connect() {
        DriverClient.require(directory, timeout, "", DriverClient.PROGRAM);
        try {
            aeron = Aeron.connect(DriverClient.client(directory, timeout, this::note));
        } catch (RuntimeException failed) {
            throw new TransportException(
                    "cannot connect to the media driver (" + text() + "): " + failed.getMessage()
                            + "; the client is Aeron " + DriverClient.LIBRARY_VERSION,
                    failed);
        }
        conductor = aeron.conductorAgentInvoker().agent();
        error = null;
        loss = null;
        turnedNanos = System.nanoTime();
        return this;
    }

    private void note(Throwable failure) {
        if (error == null) {
            error = failure;
        }
    }

    @Override
    Aeron aeron() {
        return aeron;
    }

    /**
     * Gives the conductor a turn without the client's invoker, which would close the client and its mappings, also on an
     * interrupt.
     */
    @Override
    void turn() {
        requireNoLoss();
        turnedNanos = System.nanoTime();
        boolean hasEnded = hasEnded();
        if (!hasEnded && error != null) {
            hasEnded = hasEnded(); // reported one turn after the end
            error = hasEnded ? error : null;
        }
        if (hasEnded) {
            loss = new TransportException(reason(), error);
            requireNoLoss();
        }
    }

    private boolean hasEnded() {
        boolean isInterrupted = Thread.interrupted(); // in which no log can be mapped
        try {
            conductor.doWork();
        } catch (AgentTerminationException ended) {
            return true;
        } catch (Exception failed) {
            note(failed);
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
        return false;
    }

    private String reason() {
        String why;
        if (error instanceof DriverTimeoutException) {
            why = "has ended, or was stalled for longer than that";
        } else if (error instanceof ConductorServiceTimeoutException || error instanceof ClientTimeoutException) {
            why =
                    "has timed this process out, as no connection of the transport had a turn for longer than the driver's client"
                            + " liveness timeout: run services that block on a loop of their own";
        } else {
            why = "does not serve this process any more";
        }
        return "the media driver (" + text() + ") " + why + " ("
                + (error == null ? "no reason given" : error.getMessage())
                + "). The frames of this transport's topics are lost; open it again";
    }

    private void requireNoLoss() {
        TransportException lost = loss;
        if (lost != null) {
            throw new TransportException(lost.getMessage(), lost);
        }
    }

    @Override
    void work() {
        requireNoLoss();
        if (System.nanoTime() - turnedNanos >= DriverClient.TURN_NANOS && lock.tryLock()) {
            try {
                turn();
            } finally {
                lock.unlock();
            }
        }
    }

    @Override
    void requireAlive() {
        lock.lock();
        try {
            turn();
        } finally {
            lock.unlock();
        }
    }

    @Override
    void renew() {
        lock.lock();
        try {
            turn();
        } catch (TransportException lost) {
            DriverClient.close(aeron);
            Interrupts.without(this::connect);
        } finally {
            lock.unlock();
        }
    }

    @Override
    boolean isLost() {
        return loss != null;
    }

    @Override
    boolean isOver() {
        return loss != null || aeron.isClosed();
    }

    @Override
    void pause() {
        LockSupport.parkNanos(ANSWER_NANOS);
    }

    @Override
    boolean isExternal() {
        return true;
    }

    /**
     * Advances the retainer of the topic, which the driver's own threads read. The writer's thread is the only one that moves it.
     */
    @Override
    boolean giveRoom(AeronTopic writing) {
        writing.raiseFloor();
        return true;
    }

    @Override
    String moreMemory() {
        return DriverClient.moreMemory("a topic");
    }

    @Override
    String text() {
        return AeronOptions.DRIVER + "=" + directory + ", " + AeronOptions.TIMEOUT + "=" + timeout.toMillis() + "ms";
    }

    /** Closes the client. The driver and its directory stay. */
    @Override
    public void close() {
        lock.lock();
        try {
            DriverClient.close(aeron);
        } finally {
            lock.unlock();
        }
    }
}
