package dev.baton.kafka.client;

import dev.baton.kafka.KafkaOptions;
import dev.baton.spi.errors.TransportException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * The admin client of a transport, with a deadline for each request.
 *
 * <p>One admin client serves all of a transport's connections. It is created at its first use and closed when the
 * cluster does not answer, so that it does not try to reach brokers for ever. One request that is late while others are
 * answered closes nothing. Thread-safe.
 */
public final class Cluster implements AutoCloseable {
    /** The time after which a missing first answer is investigated; a first answer takes about a tenth of a second. */
    private static final long PATIENCE_NANOS = 1_000_000_000;

    private final KafkaOptions options;
    private final ClientSettings settings;
    private final String clientId;
    private final AtomicLong answers = new AtomicLong(); // of all requests
    private Admin admin; // guarded by this; null until used
    private boolean isClosed; // guarded by this
    private volatile boolean hasAnswered; // set by each thread that gets an answer
    private volatile boolean isReachable; // a broker answered the last question
    private volatile List<String> advertised = List.of(); // addresses that a bootstrap server returned

    public Cluster(KafkaOptions options, ClientSettings settings, String clientId) {
        this.options = options;
        this.settings = settings;
        this.clientId = clientId;
    }

    /** Returns a deadline after the options' timeout. */
    public Deadline deadline() {
        return Deadline.in(options.get(KafkaOptions.TIMEOUT));
    }

    /**
     * Sends a request and waits for its answer.
     *
     * @param what is being done, for the text of a failure: "create topic 'a'"
     * @throws TransportException when there is none in time, or the answer is a refusal: that is the cause then
     */
    public <T> T ask(String what, Deadline deadline, Function<Admin, KafkaFuture<T>> question) {
        return answer(what, deadline, begin(question));
    }

    /** Sends a request without waiting for the answer. */
    public <T> T begin(Function<Admin, T> question) {
        return question.apply(admin());
    }

    /** Waits for the answer to a question asked before. */
    public <T> T answer(String what, Deadline deadline, KafkaFuture<T> future) {
        return answer(what, null, deadline, future);
    }

    /**
     * Waits for the answer to a question asked before.
     *
     * @param needed what an ACL has to allow for it; null for nothing
     */
    public <T> T answer(String what, Permission needed, Deadline deadline, KafkaFuture<T> future) {
        long before = answers.get();
        boolean hadTime = !deadline.isOver();
        Admin used = current();
        try {
            lookWhoIsThere(what, deadline, future);
            T answer = future.get(Math.max(1, deadline.leftNanos()), TimeUnit.NANOSECONDS);
            hasAnswered = true;
            answers.incrementAndGet();
            isReachable = true;
            return answer;
        } catch (ExecutionException failure) {
            Throwable cause = failure.getCause();
            if (cause instanceof TimeoutException) {
                throw late(what, hadTime, answers.get() != before, used, cause);
            }
            hasAnswered = true;
            answers.incrementAndGet();
            if (cause instanceof AuthenticationException) {
                drop(used); // or it would retry the connection
            }
            throw KafkaFailures.because("could not " + what, cause, needed);
        } catch (java.util.concurrent.TimeoutException late) {
            throw late(what, hadTime, answers.get() != before, used, late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new TransportException("interrupted, could not " + what, interrupted);
        }
    }

    /**
     * Returns the exception for a request without an answer in time.
     *
     * @param hadTime whether the deadline was not over before
     * @param areOthers whether brokers have answered other requests meanwhile
     * @param used admin client of the request; null for none
     */
    private TransportException late(String what, boolean hadTime, boolean areOthers, Admin used, Throwable cause) {
        if (hadTime && !areOthers || !hasAnswered) {
            return unreachable(what, used, cause);
        }
        String limit = options.get(KafkaOptions.TIMEOUT).toMillis() + " ms";
        return new TransportException(
                "could not " + what
                        + (hadTime
                                ? " within " + limit + ", though brokers answer other requests"
                                : ": what came before has taken the " + limit)
                        + "; try again, or raise the timeout",
                cause);
    }

    /** Returns the exception for a broker that does not answer. */
    public TransportException unreachable(String what, Throwable cause) {
        return unreachable(what, current(), cause);
    }

    private TransportException unreachable(String what, Admin used, Throwable cause) {
        isReachable = false;
        drop(used);
        List<String> named = hasAnswered ? List.of() : advertised;
        return new TransportException(
                "could not " + what + ": "
                        + (named.isEmpty()
                                ? "no Kafka broker answered at " + options.get(KafkaOptions.BOOTSTRAP_SERVERS)
                                        + " within "
                                        + options.get(KafkaOptions.TIMEOUT).toMillis()
                                        + " ms; is it running, and is the address right?"
                                : "a Kafka broker answered at " + options.get(KafkaOptions.BOOTSTRAP_SERVERS)
                                        + ", and told this client to use " + String.join(", ", named)
                                        + " instead, where none answered within "
                                        + options.get(KafkaOptions.TIMEOUT).toMillis()
                                        + " ms. Set advertised.listeners of the brokers to addresses that this host"
                                        + " can reach"),
                cause);
    }

    /** Returns whether a broker answered the last request. */
    public boolean isReachable() {
        return isReachable;
    }

    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
        }
        drop(current());
    }

    /**
     * Investigates a missing first answer once: the broker may use another protocol, be away, or advertise an address
     * that this host cannot reach.
     */
    private void lookWhoIsThere(String what, Deadline deadline, KafkaFuture<?> future)
            throws InterruptedException, ExecutionException {
        if (hasAnswered) {
            return;
        }
        try {
            future.get(Math.min(PATIENCE_NANOS, deadline.leftNanos() / 2 + 1), TimeUnit.NANOSECONDS);
        } catch (java.util.concurrent.TimeoutException silent) {
            TransportException mismatch = new ProtocolMismatch(options).look("could not " + what, deadline);
            if (mismatch != null) {
                drop(current());
                throw mismatch;
            }
            long limitNanos = Math.min(PATIENCE_NANOS, deadline.leftNanos() / 2);
            advertised = AdvertisedAddresses.ask(
                    settings.admin(clientId + "-advertised"), Deadline.in(Duration.ofNanos(Math.max(1, limitNanos))));
        }
    }

    private synchronized Admin admin() {
        if (isClosed) {
            throw new IllegalStateException("the Kafka transport is closed");
        }
        if (admin == null) {
            try {
                admin = Admin.create(settings.admin(clientId));
            } catch (KafkaException failure) {
                throw KafkaFailures.client(failure, options);
            }
        }
        return admin;
    }

    private synchronized Admin current() {
        return admin;
    }

    /** Closes an admin client, unless another thread has dropped it already; null for none. */
    private void drop(Admin used) {
        synchronized (this) {
            if (used == null || admin != used) {
                return;
            }
            admin = null;
        }
        used.close(Duration.ZERO);
    }
}
