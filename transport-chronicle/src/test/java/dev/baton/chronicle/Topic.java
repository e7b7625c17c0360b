package dev.baton.chronicle;

import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A transport with one connection and one topic, and texts as payloads. */
final class Topic implements AutoCloseable {
    static final String NAME = "orders";
    static final String CONSUMER = "desk";
    static final ChronicleOptions SMALL = ChronicleOptions.defaults().with(ChronicleOptions.BLOCK_SIZE, 64 << 10);

    final ChronicleTransport transport;
    final Connection connection;

    private Topic(ChronicleTransport transport) {
        this.transport = transport;
        transport.createTopics(List.of(NAME));
        connection = transport.connect();
    }

    static Topic in(Path directory) {
        return in(directory, SMALL);
    }

    static Topic in(Path directory, ChronicleOptions options) {
        return over(ChronicleTransport.in(directory, options));
    }

    static Topic over(ChronicleTransport transport) {
        return new Topic(transport);
    }

    TopicWriter writer() {
        return connection.openWriter(NAME);
    }

    TopicReader reader() {
        return connection.openReader(NAME, CONSUMER);
    }

    /** Writes the texts as one batch, each with its own sequence as cause. */
    static void write(TopicWriter writer, String... texts) {
        commit(writer, texts);
        writer.flush();
    }

    static void commit(TopicWriter writer, String... texts) {
        for (String text : texts) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            Frame frame = writer.claim(bytes.length);
            frame.putBytes(0, bytes, 0, bytes.length);
            frame.stamp(0, 0, writer.sequence() + 1, 0, 0);
            writer.commit(bytes.length);
        }
    }

    /** What one poll hands over. */
    static List<String> poll(TopicReader reader, int limit) {
        List<String> texts = new ArrayList<>();
        reader.poll(
                (frame, position) -> {
                    texts.add(text(frame));
                    return Verdict.DONE;
                },
                limit);
        return texts;
    }

    static String text(Frame frame) {
        byte[] bytes = new byte[frame.length()];
        frame.getBytes(0, bytes, 0, bytes.length);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        connection.close();
        transport.close();
    }
}
