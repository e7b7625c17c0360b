package dev.baton.lab.engines;

import dev.baton.measuring.rig.ChainEnds;
import dev.baton.spi.TransportException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.openhft.chronicle.queue.RollCycles;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;

/** The reference over Chronicle Queue: a queue for each hop, an appender on one thread and a tailer on the other. */
final class QueueLibrary implements Library {
    private final Path root;
    private final Pause pause;
    private final int blockSize;
    private final int indexCount;
    private final int indexSpacing;
    private final RollCycles roll;
    private final String unused;
    private final List<Path> directories = new ArrayList<>();
    private final List<SingleChronicleQueue> queues = new ArrayList<>();

    QueueLibrary(Settings settings, Pause pause) {
        this.pause = pause;
        root = Path.of(settings.text("dir"));
        blockSize = settings.bytes("block-size");
        indexCount = settings.integer("index-count");
        indexSpacing = settings.integer("index-spacing");
        roll = switch (settings.text("roll")) {
            case "five-minutely" -> RollCycles.FIVE_MINUTELY;
            case "hourly" -> RollCycles.FAST_HOURLY;
            default -> RollCycles.FAST_DAILY;
        };
        unused = settings.unused();
    }

    @Override
    public Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("durability", "page cache; what lies in a queue survives the process, not the power");
        properties.put("acknowledgement", "none: tailers have no name, a restarted reader begins anew");
        properties.put("batching", "none: one message for each excerpt");
        properties.put("copies", "one for each hop: from mapped file to mapped file, the bytes of Baton's frame");
        properties.put(
                "configuration",
                "dir=" + root + ", " + roll + ", block size " + blockSize + ", index " + indexCount + " x "
                        + indexSpacing
                        + " as Baton's transport has them (the library's own default is 64 MB), otherwise defaults"
                        + unused);
        return properties;
    }

    @Override
    public String rest() {
        return pause.toString();
    }

    @Override
    public void createTopics(List<String> names) {
        names.forEach(name -> directories.add(root.resolve(name)));
    }

    @Override
    public List<Stage> stages(ChainEnds ends, List<String> topics) {
        List<SingleChronicleQueue> chain = new ArrayList<>();
        topics.forEach(topic -> chain.add(open(root.resolve(topic))));
        List<Stage> stages = new ArrayList<>();
        stages.add(new SourceStage(ends.generator(), new QueueInlet(chain.get(0), ends.pattern()), pause));
        for (int i = 1; i < chain.size(); i++) {
            stages.add(new QueueRelay(chain.get(i - 1), chain.get(i), pause));
        }
        stages.add(new QueueExit(chain.get(chain.size() - 1), ends.receiver(), pause));
        return stages;
    }

    private SingleChronicleQueue open(Path directory) {
        try {
            SingleChronicleQueue queue = SingleChronicleQueueBuilder.single(directory.toFile())
                    .rollCycle(roll)
                    .blockSize(blockSize)
                    .indexCount(indexCount)
                    .indexSpacing(indexSpacing)
                    .build();
            queues.add(queue);
            return queue;
        } catch (RuntimeException failed) {
            throw new TransportException("cannot open a queue in " + directory + ": " + failed, failed);
        }
    }

    @Override
    public void close() {
        queues.forEach(SingleChronicleQueue::close);
        queues.clear();
        directories.forEach(QueueLibrary::delete);
        directories.clear();
    }

    private static void delete(Path directory) {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException failed) {
            throw new TransportException("cannot delete " + directory + ": " + failed.getMessage(), failed);
        }
    }
}
