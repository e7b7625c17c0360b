package dev.baton.chronicle;

import java.nio.file.Path;
import net.openhft.chronicle.queue.RollCycles;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;

/** A topic's queue opened past Baton, as another program would. */
final class RawQueue {
    private RawQueue() {}

    static SingleChronicleQueue of(Path directory) {
        return SingleChronicleQueueBuilder.binary(directory.resolve(Topic.NAME))
                .rollCycle(RollCycles.FAST_DAILY)
                .blockSize(Topic.SMALL.blockSize())
                .indexCount(Topic.SMALL.indexCount())
                .indexSpacing(Topic.SMALL.indexSpacing())
                .build();
    }
}
