package dev.baton.aeron.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.aeron.ArchiveTopic;
import dev.baton.aeron.TestArchive;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.TopicWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an inspector hands over after its handler has refused a frame. */
class ArchiveInspectorTest {
    @Test
    void aFrameAtWhichTheHandlerThrewComesFirst() {
        try (ArchiveTopic topic = ArchiveTopic.in(TestArchive.options(), "inspected");
                TopicWriter writer = topic.writer();
                TopicInspector inspector = ArchiveInspector.open(TestArchive.options(), "inspected")) {
            topic.store(writer, 5, 8); // in one fragment
            List<Long> handled = new ArrayList<>();
            assertThatThrownBy(() -> inspector.read(
                            (frame, position) -> {
                                if (frame.sequence() == 3) {
                                    throw new IllegalStateException("refused");
                                }
                                handled.add(frame.sequence());
                                return Verdict.DONE;
                            },
                            10))
                    .hasMessage("refused");
            inspector.read(
                    (frame, position) -> {
                        handled.add(frame.sequence());
                        return Verdict.DONE;
                    },
                    10);
            assertThat(handled).containsExactly(1L, 2L, 3L, 4L, 5L);
        }
    }
}
