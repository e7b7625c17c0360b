package dev.baton.chronicle;

import dev.baton.chronicle.admin.FileInspector;
import dev.baton.chronicle.directory.TopicDirectory;
import dev.baton.chronicle.format.Excerpt;
import dev.baton.chronicle.format.QueueFormat;
import dev.baton.spi.Connection;
import dev.baton.spi.Guarantee;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.TransportException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/**
 * A transport for inspection only: reads the topics below a directory and changes nothing, needs no flag of the JVM and
 * no right but to read. Thread-safe.
 */
final class ReadOnlyTransport implements Transport {
    private final TopicDirectory directory;
    private final QueueFormat format = ChronicleProvider.format();

    ReadOnlyTransport(Path directory, Links links) {
        this.directory = TopicDirectory.openExisting(directory, links);
    }

    @Override
    public String name() {
        return ChronicleTransport.NAME;
    }

    @Override
    public Set<Guarantee> guarantees() {
        return ChronicleTransport.guarantees(format);
    }

    @Override
    public int maxPayload() {
        return Excerpt.maxPayload(ChronicleOptions.defaults().get(ChronicleOptions.BLOCK_SIZE));
    }

    @Override
    public Map<String, String> properties() {
        return Map.of("configuration", "dir=" + directory.root(), "version", QueueFormat.libraryVersion());
    }

    @Override
    public Set<String> topics() {
        return directory.topics();
    }

    @Override
    public TopicInspector inspect(String topic) {
        format.require("topics can be inspected");
        return new FileInspector(topic, directory.existing(topic));
    }

    @Override
    public Connection connect() {
        throw onlyInspected();
    }

    @Override
    public Set<String> createTopics(Collection<String> names) {
        throw onlyInspected();
    }

    @Override
    public void deleteTopics(Collection<String> names) {
        throw onlyInspected();
    }

    private static TransportException onlyInspected() {
        return new TransportException(
                "these topics are open for inspection only; open the transport itself to change them");
    }

    @Override
    public void close() {
        // holds nothing
    }
}
