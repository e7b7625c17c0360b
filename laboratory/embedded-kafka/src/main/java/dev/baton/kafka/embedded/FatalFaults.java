package dev.baton.kafka.embedded;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Exit;

/**
 * Turns a broker's wish to end the JVM into a failure that its owner hears of.
 *
 * <p>Kafka ends the process on a fatal fault, through procedures that belong to the whole JVM; so does this set of
 * listeners, which is why it is static. While anybody listens, the thread that wanted to exit gets an exception instead
 * and every listener is told, since a fault does not say which node it is of. With the last listener Kafka's own
 * procedures come back. Thread-safe.
 */
final class FatalFaults {
    private static final Set<Consumer<Throwable>> LISTENERS = new LinkedHashSet<>();

    private FatalFaults() {}

    static void listen(Consumer<Throwable> listener) {
        synchronized (LISTENERS) {
            LISTENERS.add(listener);
            Exit.setExitProcedure((status, message) -> tell("exit", status, message));
            Exit.setHaltProcedure((status, message) -> tell("halt", status, message));
        }
    }

    static void forget(Consumer<Throwable> listener) {
        synchronized (LISTENERS) {
            LISTENERS.remove(listener);
            if (LISTENERS.isEmpty()) {
                Exit.resetExitProcedure();
                Exit.resetHaltProcedure();
            }
        }
    }

    private static void tell(String verb, int status, String message) {
        EmbeddedKafkaException fault = new EmbeddedKafkaException("thread '"
                + Thread.currentThread().getName() + "' of the broker wanted to " + verb + " the JVM with status "
                + status + (message == null ? "" : ": " + message));
        synchronized (LISTENERS) {
            LISTENERS.forEach(listener -> listener.accept(fault));
        }
        throw fault;
    }
}
