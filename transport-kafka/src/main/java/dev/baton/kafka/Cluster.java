package dev.baton.kafka;

import dev.baton.spi.TransportException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Questions and orders to the cluster as a whole, each within the options' timeout.
 *
 * <p>One admin client serves all of a transport's connections. It is made at its first use and dropped when the cluster
 * did not answer, so that nothing goes on trying to reach a broker that nobody asks for any more. Thread-safe.
 */
final class Cluster implements AutoCloseable {
    private final KafkaOptions options;
    private final ClientSettings settings;
    private final String clientId;
    private Admin admin; // guarded by this; null until used
    private boolean isClosed; // guarded by this

    Cluster(KafkaOptions options, ClientSettings settings, String clientId) {
        this.options = options;
        this.settings = settings;
        this.clientId = clientId;
    }

    /** The options' timeout, from now. */
    Deadline deadline() {
        return Deadline.in(options.timeout());
    }

    /**
     * Waits for the answer to one question.
     *
     * @param what is being done, for the text of a failure: "create topic 'a'"
     * @throws TransportException when there is none in time, or the answer is a refusal: that is the cause then
     */
    <T> T ask(String what, Deadline deadline, Function<Admin, KafkaFuture<T>> question) {
        return answer(what, deadline, begin(question));
    }

    /** Asks without waiting. */
    <T> T begin(Function<Admin, T> question) {
        return question.apply(admin());
    }

    /** Waits for the answer to a question asked before. */
    <T> T answer(String what, Deadline deadline, KafkaFuture<T> future) {
        try {
            return future.get(Math.max(1, deadline.leftNanos()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failure) {
            Throwable cause = failure.getCause();
            throw cause instanceof TimeoutException ? unreachable(what, cause) : refused(what, cause);
        } catch (java.util.concurrent.TimeoutException late) {
            throw unreachable(what, late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new TransportException("interrupted, could not " + what, interrupted);
        }
    }

    /** For a broker that does not answer. */
    TransportException unreachable(String what, Throwable cause) {
        dropAdmin();
        return new TransportException(
                "could not " + what + ": no Kafka broker answered at " + options.bootstrapServers() + " within "
                        + options.timeout().toMillis() + " ms; is it running, and is the address right?",
                cause);
    }

    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
        }
        dropAdmin();
    }

    private static TransportException refused(String what, Throwable cause) {
        return new TransportException("could not " + what + ": " + cause.getMessage(), cause);
    }

    private synchronized Admin admin() {
        if (isClosed) {
            throw new IllegalStateException("the Kafka transport is closed");
        }
        if (admin == null) {
            try {
                admin = Admin.create(settings.admin(clientId));
            } catch (KafkaException failure) {
                throw new TransportException(
                        "no Kafka client for " + options.bootstrapServers() + ": " + rootMessage(failure), failure);
            }
        }
        return admin;
    }

    private void dropAdmin() {
        Admin dropped;
        synchronized (this) {
            dropped = admin;
            admin = null;
        }
        if (dropped != null) {
            dropped.close(Duration.ZERO);
        }
    }

    /** Kafka wraps "no resolvable bootstrap urls" and the like in "failed to construct". */
    static String rootMessage(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getMessage();
    }
}
