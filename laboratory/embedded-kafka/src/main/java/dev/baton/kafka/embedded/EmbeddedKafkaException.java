package dev.baton.kafka.embedded;

/** An embedded Kafka did not start, stopped by itself or did not stop; the text describes it. */
public class EmbeddedKafkaException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public EmbeddedKafkaException(String message) {
        super(message);
    }

    public EmbeddedKafkaException(String message, Throwable cause) {
        super(message, cause);
    }
}
