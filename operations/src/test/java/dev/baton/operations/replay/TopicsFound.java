package dev.baton.operations.replay;

import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What a transport holds, to show that a replay changes none of it. */
final class TopicsFound {
    private TopicsFound() {}

    /** Returns the newest sequence and the consumers' positions of each topic. */
    static Map<String, Object> in(Transport transport) {
        Map<String, Object> found = new TreeMap<>();
        for (String topic : transport.topics()) {
            try (TopicInspector inspector = transport.inspect(topic)) {
                found.put(topic, Map.of(inspector.newestSequence(), inspector.acknowledged()));
            }
        }
        return found;
    }

    static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.sorted().toList();
        }
    }
}
