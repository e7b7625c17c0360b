package dev.baton.aeron.ipc;

import dev.baton.aeron.AeronOptions;
import dev.baton.aeron.driver.DriverClient;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.Interrupts;
import io.aeron.Aeron;
import io.aeron.exceptions.AeronException;
import io.aeron.exceptions.ClientTimeoutException;
import io.aeron.exceptions.ConductorServiceTimeoutException;
import io.aeron.exceptions.DriverTimeoutException;
import io.aeron.status.HeartbeatTimestamp;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.status.CountersReader;

/**
 * A media driver that runs as a program of its own, with threads of its own. The client must have turns more often than the
 * driver's client liveness timeout, from any connection.
 *
 * <p>A client that is lost, because the driver has ended or has timed it out, is closed with the last connection: until then
 * readers and writers may access memory that it has mapped. Thread-safe.
 */
final class ExternalDriver extends TopicDriver {
    private static final long ANSWER_NANOS = 50_000; // between two polls for an answer
    private static final long HEARTBEAT_NANOS = 2_000_000; // between two looks at a heartbeat
    private static final long SLACK_NANOS = TimeUnit.SECONDS.toNanos(2); // in which a driver drops a dead client
    private static final int PROCESS_TYPE_ID = 0x4BA7; // of the counter by which a process is known

    private final Duration timeout;
    private Aeron aeron; // under the lock, as what follows
    private Agent conductor;
    private Throwable error; // the first one that the client has reported
    private volatile TransportException loss; // null while the client lives
    private volatile long turnedNanos;

    private ExternalDriver(Path directory, Duration timeout) {
        super(directory, timeout);
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
        DriverClient.require(directory(), timeout, "", DriverClient.PROGRAM);
        try {
            aeron = Aeron.connect(DriverClient.client(directory(), timeout, this::note));
        } catch (RuntimeException failed) {
            throw new TransportException(
                    "cannot connect to the media driver (" + text() + "): " + failed.getMessage()
                            + "; the client is Aeron " + DriverClient.LIBRARY_VERSION,
                    failed);
        }
        conductor = aeron.conductorAgentInvoker().agent();
        turnedNanos = System.nanoTime();
        try {
            register();
        } catch (RuntimeException failed) {
            DriverClient.close(aeron);
            throw failed;
        }
        return this;
    }

    /** Adds a counter, as a driver knows a client from its first command on. */
    private void register() {
        long asked;
        lock.lock();
        try {
            turn();
            asked = aeron.asyncAddCounter(
                    PROCESS_TYPE_ID, "baton: process " + ProcessHandle.current().pid());
        } finally {
            lock.unlock();
        }
        await(() -> aeron.getCounter(asked));
    }

    @Override
    boolean isAlone() {
        return false;
    }

    @Override
    boolean isKnown(long client) {
        return heartbeat(client) != null;
    }

    /** Returns the newest heartbeat of a client, in milliseconds; null when the driver has dropped it. */
    private Long heartbeat(long client) {
        return ask(
                () -> { // closing the client unmaps its counters
                    CountersReader counters = aeron.countersReader();
                    int counter = HeartbeatTimestamp.findCounterIdByRegistrationId(
                            counters, HeartbeatTimestamp.HEARTBEAT_TYPE_ID, client);
                    return counter == CountersReader.NULL_COUNTER_ID ? null : counters.getCounterValue(counter);
                });
    }

    @Override
    void awaitEnd(long client) {
        Long first = heartbeat(client);
        if (first != null && client != client()) {
            await("a sign of life of another process", () -> !first.equals(heartbeat(client)));
        }
    }

    @Override
    void await(String what, BooleanSupplier condition) {
        long begun = System.nanoTime();
        long limit = aeron.context().interServiceTimeoutNs() + SLACK_NANOS;
        while (true) {
            requireAlive();
            if (condition.getAsBoolean()) {
                return;
            }
            if (System.nanoTime() - begun > limit) {
                throw new TransportException(
                        "waited for " + what + " for " + limit / 1_000_000 + " ms; the media driver is " + text());
            }
            LockSupport.parkNanos(HEARTBEAT_NANOS);
        }
    }

    @Override
    String processOf(long client) {
        String[] found = {"another process"};
        return ask(() -> {
            CountersReader counters = aeron.countersReader();
            counters.forEach((id, type, key, label) -> {
                if (type == PROCESS_TYPE_ID && counters.getCounterOwnerId(id) == client) {
                    found[0] = label.substring(label.indexOf(' ') + 1);
                }
            });
            return found[0];
        });
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
        } else if (error instanceof ConductorServiceTimeoutException
                || error instanceof ClientTimeoutException
                || isHeartbeatGone(error)) {
            why =
                    "has timed this process out, as no connection of the transport had a turn for longer than the driver's client"
                            + " liveness timeout: run services that block on a loop of their own";
        } else {
            why = "does not serve this process any more";
        }
        return "the media driver (" + text() + ") " + why + " ("
                + (error == null ? "no reason given" : error.getMessage())
                + "). If the driver has ended, its topics are lost, and begin again with sequence 1 when a driver is back";
    }

    /** Returns whether the driver has freed the client's heartbeat, which the client may meet before the driver's message. */
    private static boolean isHeartbeatGone(Throwable error) {
        return error instanceof AeronException
                && String.valueOf(error.getMessage()).contains("close of heartbeat timestamp counter");
    }

    private void requireNoLoss() {
        TransportException lost = loss;
        if (lost != null) {
            throw new TransportException(lost.getMessage(), lost);
        }
    }

    /** Gives the client a turn unless it had one within the last millisecond. */
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
    boolean isLost() {
        return loss != null;
    }

    /** Moves the retainer, which the driver's threads follow. */
    @Override
    boolean giveRoom(IpcTopic topic) {
        topic.raiseRetainer();
        return true;
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
    String moreMemory() {
        return DriverClient.moreMemory("a topic");
    }

    @Override
    String text() {
        return AeronOptions.DRIVER + "=" + directory() + ", " + AeronOptions.TIMEOUT + "=" + timeout.toMillis() + "ms";
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
