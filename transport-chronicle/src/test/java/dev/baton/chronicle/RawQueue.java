package dev.baton.chronicle;

import java.nio.file.Path;
import net.openhft.chronicle.core.values.LongValue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;

/** A topic's queue opened past Baton, as another program would. */
final class RawQueue {
    /** A consumer of which one process died. */
    static final String KILLED = "killed";

    private RawQueue() {}

    static SingleChronicleQueue of(Path directory) {
        return of(directory, Topic.SMALL);
    }

    static SingleChronicleQueue of(Path directory, ChronicleOptions options) {
        return at(directory.resolve(Topic.NAME), options);
    }

    static SingleChronicleQueue at(Path topicDirectory, ChronicleOptions options) {
        return SingleChronicleQueueBuilder.binary(topicDirectory)
                .rollCycle(TopicLog.rollCycle(options.roll()))
                .blockSize(options.blockSize())
                .indexCount(options.indexCount())
                .indexSpacing(options.indexSpacing())
                .build();
    }

    /** Leaves what a process leaves that dies while a consumer of it enters a topic: counted, and without a sequence. */
    static void killAConsumerThatEnters(Path directory, ChronicleOptions options) {
        try (SingleChronicleQueue queue = of(directory, options)) {
            add(queue, "baton.consumer." + KILLED + ".sequence", Long.MIN_VALUE, 0);
            add(queue, "baton.consumer." + KILLED + ".index", 0, 0);
            add(queue, "baton.consumers", 0, 1);
        }
    }

    private static void add(SingleChronicleQueue queue, String key, long initial, long number) {
        try (LongValue value = queue.metaStore().acquireValueFor(key, initial)) {
            value.addAtomicValue(number);
        }
    }
}
