package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.spi.errors.TransportException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The contract on faults of storage: what is stored and damaged is repaired or refused, and never followed. For fixtures that can damage
 * it ({@link TransportFixture#storageFaults}).
 */
public abstract class StorageFaultTck extends TransportTck {
    private static final int FRAMES = 5;
    private static final int ACKNOWLEDGED = 2;
    private static final String NO_SKIP =
            "a stored position that is damaged, or disagrees with its topic, is repaired, refused or set back, so that no frame is"
                    + " skipped (TopicReader)";
    private static final String NOT_SHORTER =
            "; rule: a topic that is shorter than what was stored is refused, with the topic and both sequences"
                    + " (Connection.openWriter)";
    private static final String NOT_STORED =
            "; rule: a sync that fails ends its writer, and what it has not confirmed is not stored"
                    + " (TopicWriter.storedSequence)";

    /** Called by the test of a transport. */
    protected StorageFaultTck() {}

    @ParameterizedTest
    @EnumSource(names = {"DAMAGED_POSITION", "POSITION_AHEAD", "LOST_FRAMES"})
    void wrongPositionsSkipNoFrame(StorageFault fault) {
        TopicProbe topic = damaged(fault);
        Recorder read = new Recorder();
        Throwable refusal = catchThrowable(() -> {
            topic.reader();
            topic.write("frame " + (FRAMES + 1));
            turns().until("frame " + (FRAMES + 1), NO_SKIP, () -> "came: " + read, () -> {
                topic.reader().poll(read, FRAMES);
                return read.sequences().contains(FRAMES + 1L);
            });
        });
        if (refusal == null) {
            long first = read.sequences().get(0);
            assertThat(first)
                    .as("the first frame of a consumer that has acknowledged " + ACKNOWLEDGED + "; rule: " + NO_SKIP)
                    .isLessThanOrEqualTo(ACKNOWLEDGED + 1L);
            assertThat(read.sequences())
                    .as("frames after a wrong position; rule: " + NO_SKIP)
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(first, FRAMES + 1L).boxed().toList());
        } else {
            assertThat(refusal)
                    .as("the refusal of a wrong position; rule: " + NO_SKIP)
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining(topic.name());
        }
    }

    @ParameterizedTest
    @EnumSource(Restart.class)
    void topicsShorterThanStoredAreRefused(Restart what) {
        String topic = damaged(StorageFault.LOST_FRAMES).name();
        for (int i = 0; i < 2; i++) { // a refusal changes nothing
            assertThatThrownBy(() -> probe(topic).writer(), "a writer of a topic whose frames are gone" + NOT_SHORTER)
                    .isInstanceOf(TransportException.class)
                    .hasMessageContainingAll(topic, "ends at sequence 0", String.valueOf(FRAMES));
            assertThatThrownBy(() -> probe(topic).read(1), "a reader of a topic whose frames are gone" + NOT_SHORTER)
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining(topic);
            restart(what);
        }
    }

    @Test
    void failedSyncsEndTheWriter() {
        requireFault(StorageFault.FAILED_SYNCS);
        TopicProbe topic = written();
        fixture().begin(StorageFault.FAILED_SYNCS, topic.name());

        assertThatThrownBy(
                        () -> {
                            topic.write("lost");
                            topic.awaitStored();
                        },
                        "a frame whose sync fails" + NOT_STORED)
                .isInstanceOf(TransportException.class)
                .hasMessageContaining(topic.name());
        fixture().heal();
        assertThatThrownBy(() -> topic.write("later"), "a frame after a sync that failed" + NOT_STORED)
                .isInstanceOf(TransportException.class);
        assertThat(topic.writer().storedSequence())
                .as("stored frames after a sync that failed" + NOT_STORED)
                .isEqualTo(FRAMES);
    }

    @Test
    void writerAfterAFailedSyncLeavesNoHole() {
        requireFault(StorageFault.FAILED_SYNCS);
        TopicProbe topic = written();
        fixture().begin(StorageFault.FAILED_SYNCS, topic.name());
        assertThatThrownBy(() -> {
                    topic.write("lost");
                    topic.awaitStored();
                })
                .isInstanceOf(TransportException.class);
        fixture().heal();
        restart(Restart.TRANSPORT);

        TopicProbe again = probe(topic.name());
        long found = again.writer().sequence();
        assertThat(found)
                .as("the end that a writer finds after a sync that failed" + NOT_STORED)
                .isBetween((long) FRAMES, FRAMES + 1L);
        again.write("next");
        again.awaitStored();
        Recorder read = again.read((int) found + 1 - ACKNOWLEDGED);
        assertThat(read.sequences())
                .as("frames after a sync that failed" + NOT_STORED)
                .containsExactlyElementsOf(LongStream.rangeClosed(ACKNOWLEDGED + 1L, found + 1)
                        .boxed()
                        .toList());
        assertThat(read.texts()).endsWith("next");
    }

    /** Writes frames, of which the consumer acknowledges some. */
    private TopicProbe written() {
        TopicProbe topic = openTopic();
        for (int i = 1; i <= FRAMES; i++) {
            topic.write("frame " + i);
        }
        topic.awaitStored();
        topic.take(ACKNOWLEDGED);
        return topic;
    }

    /** Returns a topic that was closed, damaged, and not opened again. */
    private TopicProbe damaged(StorageFault fault) {
        requireFault(fault);
        String topic = written().name();
        closeConnections();
        fixture().begin(fault, topic);
        restart(Restart.CONNECTION);
        return probe(topic);
    }

    private void requireFault(StorageFault fault) {
        assumeTrue(fixture().storageFaults().contains(fault), "this fixture causes no " + fault);
    }
}
