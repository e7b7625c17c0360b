package dev.baton.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.InputRef;
import dev.baton.spi.TopicWriter;
import org.junit.jupiter.api.Test;

/** Frames of several inputs that are withdrawn before they are flushed. */
class ArchiveRewindTest {
    private static void commit(TopicWriter writer, long input) {
        writer.answers(new InputRef(7, input));
        writer.claim(8).stamp(0, 0, writer.sequence() + 1, 0, 0);
        writer.commit(8);
    }

    @Test
    void withdrawnFramesOfSeveralInputsTakeNoRoom() {
        try (ArchiveTopic topic = ArchiveTopic.in(TestArchive.options(), "rewound");
                TopicWriter writer = topic.writer()) {
            topic.until("all room", () -> writer.remainingCapacity() == writer.capacity());
            for (int attempt = 0; attempt < 20; attempt++) { // of a batch whose second call fails
                commit(writer, 1);
                commit(writer, 2);
                writer.rewind(0);
                writer.flush();
            }
            assertThat(writer.remainingCapacity()).isEqualTo(writer.capacity());
        }
    }

    @Test
    void framesAfterARewindAnswerTheNewestInput() {
        try (ArchiveTopic topic = ArchiveTopic.in(TestArchive.options(), "rewound-input")) {
            try (TopicWriter writer = topic.writer()) {
                commit(writer, 1);
                commit(writer, 2);
                writer.rewind(0);
                topic.write(writer, 1, 8);
                topic.awaitStored(writer);
            }
            try (TopicWriter writer = topic.writer()) {
                assertThat(writer.found().input()).isEqualTo(new InputRef(7, 2));
            }
        }
    }
}
