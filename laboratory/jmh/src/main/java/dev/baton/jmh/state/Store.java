package dev.baton.jmh.state;

import dev.baton.chronicle.ChronicleOptions;
import dev.baton.chronicle.ChronicleTransport;
import dev.baton.kafka.KafkaTransport;
import dev.baton.kafka.embedded.BrokerCluster;
import dev.baton.kafka.embedded.BrokerProcessOptions;
import dev.baton.kafka.embedded.EmbeddedKafkaOptions;
import dev.baton.spi.Transport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.IoUtil;

/**
 * A place for topics during a measurement: a directory of Chronicle, or a broker in a separate process.
 *
 * @param broker null: none
 */
record Store(String kind, Path directory, BrokerCluster broker) implements AutoCloseable {
    static final String CHRONICLE = "chronicle";
    static final String KAFKA = "kafka";

    /** Creates a store, below the directory for temporary files. */
    static Store create(String kind) throws IOException {
        if (!List.of(CHRONICLE, KAFKA).contains(kind)) {
            throw new IllegalArgumentException("'" + kind + "' is neither chronicle nor kafka");
        }
        Path directory = Files.createTempDirectory("baton-figures-");
        BrokerCluster broker = kind.equals(KAFKA)
                ? BrokerCluster.start(BrokerProcessOptions.defaults()
                        .withKafka(EmbeddedKafkaOptions.defaults().withDirectory(directory)))
                : null;
        return new Store(kind, directory, broker);
    }

    /** {@return the place for {@link #open(String, String)}: the directory, or the broker's address} */
    String place() {
        return broker == null ? directory.toString() : broker.bootstrapServers();
    }

    /**
     * Opens the topics of a store, also one of another process. Topics of Chronicle have no backlog limit: inputs that no snapshot contains
     * are not acknowledged, and with the default limit more than four million of them would block the sender.
     */
    static Transport open(String kind, String place) {
        return kind.equals(KAFKA)
                ? KafkaTransport.at(place)
                : ChronicleTransport.in(
                        Path.of(place), ChronicleOptions.defaults().with(ChronicleOptions.BACKLOG, Integer.MAX_VALUE));
    }

    /** Returns the bytes of all topics: blocks of the file system, or those of the broker's logs. */
    long bytes() throws IOException {
        if (broker == null) {
            Process du = new ProcessBuilder("du", "-s", "-B1", directory.toString()).start();
            String said = new String(du.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return Long.parseLong(said.split("\\s")[0]);
        }
        long bytes = 0;
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".log")).toList()) {
                bytes += Files.size(file);
            }
        }
        return bytes;
    }

    @Override
    public void close() {
        if (broker != null) {
            broker.close();
        }
        IoUtil.delete(directory.toFile(), false);
    }
}
