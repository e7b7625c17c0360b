package dev.baton.lab.study.load;

import dev.baton.measuring.data.TransportProperties;
import dev.baton.operations.settings.Secrets;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whom HTTP clients ask. Called by the trial's thread, but for {@link #failure}, which is for any. */
interface HttpServerSide extends AutoCloseable {
    URI uri();

    /** {@return the properties of the transport behind it, as far as they are known} */
    TransportProperties properties();

    /** {@return whether an answer has to contain the body of its request} */
    default boolean isOurs() {
        return false;
    }

    /** {@return the failure, if any} */
    default Optional<String> failure() {
        return Optional.empty();
    }

    /** Ends what it has started. Idempotent. */
    default void stop() {}

    @Override
    default void close() {}

    /** One that runs elsewhere, and is not ours to stop. */
    record Elsewhere(URI uri) implements HttpServerSide {
        @Override
        public TransportProperties properties() {
            return new TransportProperties(
                    "http", List.of("unknown"), Map.of("server", Secrets.redacted(uri.toString())));
        }
    }
}
