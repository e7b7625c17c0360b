package dev.baton.chronicle;

import dev.baton.chronicle.format.Excerpt;
import dev.baton.chronicle.format.StoredPosition;
import dev.baton.chronicle.log.TopicLog;
import dev.baton.spi.Frame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.core.values.LongValue;
import net.openhft.chronicle.queue.ExcerptAppender;
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
                .rollCycle(TopicLog.rollCycle(options.get(ChronicleOptions.ROLL)))
                .blockSize(options.get(ChronicleOptions.BLOCK_SIZE))
                .indexCount(options.get(ChronicleOptions.INDEX_COUNT))
                .indexSpacing(options.get(ChronicleOptions.INDEX_SPACING))
                .build();
    }

    /** Leaves what a process leaves that dies while a consumer of it enters a topic: counted, and without a sequence. */
    static void killAConsumerThatEnters(Path directory, ChronicleOptions options) {
        try (SingleChronicleQueue queue = of(directory, options)) {
            position(queue, "baton.consumer." + KILLED).close();
            try (LongValue consumers = queue.metaStore().acquireValueFor("baton.consumers", 0)) {
                consumers.addAtomicValue(1);
            }
        }
    }

    /** Opens a stored position, or adds one of a consumer that is absent, and reads it. */
    static StoredPosition position(SingleChronicleQueue queue, String key) {
        StoredPosition position = StoredPosition.open(queue.metaStore()::acquireValueFor, key, Long.MIN_VALUE);
        if (!position.read()) {
            throw new AssertionError(StoredPosition.damaged(key));
        }
        return position;
    }

    /** Appends an excerpt of frames as a writer would that counts from a sequence of its own. */
    static void append(ExcerptAppender appender, long first, String... texts) {
        ByteBuffer excerpt = ByteBuffer.allocate(1024).order(ByteOrder.LITTLE_ENDIAN);
        Excerpt.begin(excerpt, 0, first, false);
        int frame = Excerpt.FIRST_FRAME;
        int end = 0;
        for (int i = 0; i < texts.length; i++) {
            byte[] text = texts[i].getBytes(StandardCharsets.UTF_8);
            Excerpt.length(excerpt, frame, text.length);
            Frame view = new Frame().wrap(excerpt, frame, text.length);
            view.putBytes(0, text, 0, text.length);
            view.stamp(0, 0, first + i, 0, 0);
            view.sequence(first + i);
            end = Excerpt.end(frame, text.length);
            frame = Excerpt.nextFrame(end);
        }
        Excerpt.size(excerpt, 0, texts.length, end);
        appender.writeBytes(Bytes.wrapForRead(Arrays.copyOf(excerpt.array(), end)));
    }
}
