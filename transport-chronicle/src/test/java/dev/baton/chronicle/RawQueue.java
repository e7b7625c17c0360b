package dev.baton.chronicle;

import java.nio.file.Path;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;

/** A topic's queue opened past Baton, as another program would. */
final class RawQueue {
    private RawQueue() {}

    static SingleChronicleQueue of(Path directory) {
        return of(directory, Topic.SMALL);
    }

    static SingleChronicleQueue of(Path directory, ChronicleOptions options) {
        return SingleChronicleQueueBuilder.binary(directory.resolve(Topic.NAME))
                .rollCycle(TopicLog.rollCycle(options.roll()))
                .blockSize(options.blockSize())
                .indexCount(options.indexCount())
                .indexSpacing(options.indexSpacing())
                .build();
    }
}
