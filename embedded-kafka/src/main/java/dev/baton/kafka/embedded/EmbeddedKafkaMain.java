package dev.baton.kafka.embedded;

import java.io.IOException;
import java.io.InputStream;

/**
 * A cluster in a process of its own, for as long as somebody holds its standard input open.
 *
 * <p>Prints {@code baton-kafka-ready HOST:PORT,...} once. The end of its standard input comes when the parent closes it
 * or dies, however it dies; the process then stops the brokers, removes their temporary directory and ends with 0. So it
 * does on SIGTERM and SIGINT. A fatal fault of a broker ends it at once with Kafka's own status: whoever waits for the
 * process shall see it.
 */
public final class EmbeddedKafkaMain {
    /** Starts the one line on standard output that the parent waits for. */
    static final String READY = "baton-kafka-ready ";

    private EmbeddedKafkaMain() {}

    /**
     * Runs until standard input ends.
     *
     * @param arguments as {@code nodes=1 directory=PATH start-timeout-ms=60000 property.KEY=VALUE}, all optional;
     *     {@code temporary-directory=PATH} is removed at the end
     */
    public static void main(String[] arguments) throws IOException {
        EmbeddedKafka kafka = EmbeddedKafka.startFatal(ChildArguments.parse(arguments));
        Thread closing = new Thread(() -> close(kafka, arguments), "embedded-kafka-close");
        Runtime.getRuntime().addShutdownHook(closing);
        System.out.println(READY + kafka.bootstrapServers());
        awaitEnd(System.in);
        System.exit(0); // by way of the hook, so that one path closes
    }

    private static void awaitEnd(InputStream input) throws IOException {
        while (input.read() >= 0) {
            // nobody says anything here
        }
    }

    private static void close(EmbeddedKafka kafka, String[] arguments) {
        try {
            kafka.close();
        } catch (RuntimeException failure) {
            System.err.println(failure);
        } finally {
            ChildArguments.temporaryDirectory(arguments).ifPresent(WorkDirectory::remove);
        }
    }
}
