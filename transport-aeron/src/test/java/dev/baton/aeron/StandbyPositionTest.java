package dev.baton.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.aeron.archive.StoredPositions;
import dev.baton.aeron.recording.ArchiveSession;
import dev.baton.aeron.recording.Catalog;
import dev.baton.spi.TopicReader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The positions of consumers in an Archive with a standby, whose recordings begin with a fragment that readers pass over. */
@Tag("long")
@Timeout(120)
class StandbyPositionTest {
    private static final String TOPIC = "orders";
    private static final int IN_FIRST_TERM = 511;

    @Test
    void consumerEndingWithTermIsOpenedAgain() {
        try (StandbyPair pair = StandbyPair.start()) {
            try (ArchiveTopic topic = ArchiveTopic.in(pair.options(), TOPIC)) {
                topic.store(topic.writer(), 1_000, 100);
            }
            try (ArchiveSession session = ArchiveSession.connect(pair.options())) {
                StoredPositions.leaveAtEndOfTerm(session, TOPIC, ArchiveTopic.CONSUMER, IN_FIRST_TERM);
                assertThat(Catalog.consumers(session, TOPIC)
                                .get(ArchiveTopic.CONSUMER)
                                .stop())
                        .as("the end of the positions")
                        .isEqualTo(AeronOptions.LEAST_TERM);
            }
            try (ArchiveTopic topic = ArchiveTopic.in(pair.options(), TOPIC)) {
                TopicReader reader = topic.reader();
                assertThat(reader.found().acknowledged()).isEqualTo(IN_FIRST_TERM);
            }
        }
    }
}
