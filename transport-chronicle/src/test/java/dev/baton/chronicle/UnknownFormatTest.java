package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.chronicle.ChronicleOptions.Retention;
import dev.baton.chronicle.format.QueueFormat;
import dev.baton.chronicle.platform.RuntimeRequirements;
import dev.baton.spi.Guarantee;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.TopicReader;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.BatchTck;
import dev.baton.tck.ClaimTck;
import dev.baton.tck.ConsumptionTck;
import dev.baton.tck.FixtureSource;
import dev.baton.tck.OrderTck;
import dev.baton.tck.TransportFixture;
import dev.baton.tck.admin.TopicTck;
import dev.baton.tck.chain.ChainTck;
import dev.baton.tck.lifecycle.LifecycleTck;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The transport over a version of the library whose file format Baton does not know, or has found to be the known one. */
@Tag("long")
class UnknownFormatTest {
    private static final QueueFormat UNKNOWN = QueueFormat.unknown("2099.1", "the index is not where it is expected");

    private final TemporaryDirectory directory = new TemporaryDirectory();

    interface InUnknownFormat extends FixtureSource {
        @Override
        default TransportFixture newFixture() {
            return ChronicleFixture.inUnknownFormat();
        }
    }

    @Nested
    class Order extends OrderTck implements InUnknownFormat {}

    @Nested
    class Consumption extends ConsumptionTck implements InUnknownFormat {}

    @Nested
    class Claims extends ClaimTck implements InUnknownFormat {}

    @Nested
    class Batches extends BatchTck implements InUnknownFormat {}

    @Nested
    class Topics extends TopicTck implements InUnknownFormat {}

    @Nested
    class Lifecycle extends LifecycleTck implements InUnknownFormat {}

    @Nested
    class Chains extends ChainTck implements InUnknownFormat {}

    /** Before a format is compared, for which Chronicle's classes load. */
    @BeforeAll
    static void keepQuiet() {
        RuntimeRequirements.keepQuiet();
    }

    @AfterEach
    void remove() {
        directory.close();
    }

    @Test
    void durabilityIsNotGuaranteedForAReason() {
        try (ChronicleTransport transport = open(Topic.SMALL)) {
            assertThat(transport.guarantees())
                    .containsExactlyInAnyOrder(Guarantee.IMMEDIATE, Guarantee.EXCLUSIVE, Guarantee.CROSS_PROCESS);
            assertThat(transport.properties().get("file format"))
                    .contains("unknown for version 2099.1, known for " + QueueFormat.VERSION + " (the index is not")
                    .contains("no repair after a crash");
        }
        try (ChronicleTransport known = ChronicleTransport.in(directory.path(), Topic.SMALL)) {
            assertThat(known.guarantees()).contains(Guarantee.DURABLE);
            assertThat(known.properties().get("file format")).startsWith("known");
        }
    }

    @Test
    void anotherVersionOfOneFormatKeepsAllPromises() {
        ChronicleOptions freeing = Topic.SMALL.with(ChronicleOptions.RETENTION, Retention.UNREAD);
        try (ChronicleTransport transport =
                TestTransports.inFormat(directory.path(), freeing, QueueFormat.of("2099.1"))) {
            assertThat(transport.guarantees()).contains(Guarantee.DURABLE);
            assertThat(transport.properties().get("file format"))
                    .startsWith("known, as files of version 2099.1 were compared with those of " + QueueFormat.VERSION);
            transport.createTopics(Set.of(Topic.NAME));
            try (TopicInspector inspector = transport.inspect(Topic.NAME)) {
                assertThat(inspector.newestSequence()).isZero();
            }
        }
    }

    @Test
    void topicsAreReadAfterAnOrderlyClose() {
        try (Topic topic = Topic.over(open(Topic.SMALL))) {
            TopicReader reader = topic.reader();
            Topic.write(topic.writer(), "a", "b");
            assertThat(Topic.poll(reader, 1)).containsExactly("a");
            reader.acknowledge(1);
        }
        try (Topic topic = Topic.over(open(Topic.SMALL))) {
            Topic.write(topic.writer(), "c");
            assertThat(Topic.poll(topic.reader(), 10)).containsExactly("b", "c");
        }
    }

    @Test
    void refusesToFreeWhatWasRead() {
        assertThatThrownBy(() -> open(Topic.SMALL.with(ChronicleOptions.RETENTION, Retention.UNREAD)))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("retention=unread is possible only with Chronicle Queue " + QueueFormat.VERSION);
    }

    @Test
    void refusesToInspectATopic() {
        try (Topic topic = Topic.over(open(Topic.SMALL))) {
            assertThatThrownBy(() -> topic.transport.inspect(Topic.NAME))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining(
                            "the version on the class path is 2099.1, whose files differ: the index is not");
        }
    }

    private ChronicleTransport open(ChronicleOptions options) {
        return TestTransports.inFormat(directory.path(), options, UNKNOWN);
    }
}
