package dev.baton.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.Chain;
import dev.baton.RunningChain;
import dev.baton.kafka.read.KafkaReader;
import dev.baton.run.Loops;
import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.RepairReport;
import dev.baton.spi.RepairReport.Outcome;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.TopicMismatchException;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.Recorder;
import dev.baton.tck.TopicProbe;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A topic that holds frames of an earlier build, interleaved, is repaired once, and goes on. */
class KafkaRepairTest extends OnBroker {
    private static final long END = 14;

    private String name;

    /**
     * Offsets 0: marker, 1 and 2: a and b, 3 to 6: each of 2 and 3 twice, 7 and 8: c and d, 9: another program's, 10 to
     * 13: each of 5 and 6 twice.
     */
    @BeforeEach
    void damageATopic() throws Exception {
        name = newTopic(transport()) + "-0";
        transport().createTopics(List.of(name));
        try (Connection connection = transport().connect()) {
            TopicProbe topic = probe(name, connection);
            topic.write("a", "b");
            topic.awaitStored();
            DamagedTopic.interleave(name, 2, 3);
            topic.write("c", "d");
            topic.awaitStored();
        }
        ForeignRecordTest.produce(name, "another program's".getBytes(StandardCharsets.UTF_8));
        DamagedTopic.interleave(name, 5, 6);
        assertThat(end()).isEqualTo(END);
    }

    @Test
    void aDryRunSaysWhatWouldBeDroppedAndWritesNothing() throws Exception {
        RepairReport report = transport().repair(name, true);

        assertThat(report.outcome()).isEqualTo(Outcome.WOULD_DROP);
        assertThat(report.dropped()).isEqualTo(9);
        assertThat(report.lines())
                .containsExactly(
                        "topic '" + name + "': 14 records at offsets 0 to 13; 4 frames, sequences 1 to 4, count",
                        "would drop: 8 frames that do not name their writer, as an earlier build stored them,"
                                + " the first at offset 3, sequences 2 to 6",
                        "would drop: 1 records of another program, the first at offset 9",
                        "lost: what was sent under sequences 5 to 6, which no frame that counts has",
                        "the next writer continues with sequence 5");
        assertThat(end()).isEqualTo(END);
    }

    @Test
    void theChainIsRefusedBeforeAndGoesOnAfterwards() {
        String chain = name.substring(0, name.length() - 2);
        List<String> outputs = Collections.synchronizedList(new ArrayList<>());
        assertThatThrownBy(() -> start(chain, outputs, "refused"))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll(
                        "offset 13", "not a frame", "no writer continues behind it unless a repair drops it");

        assertThat(transport().repair(name, false).outcome()).isEqualTo(Outcome.DROPPED);

        start(chain, outputs, "e", "f");
        assertThat(outputs).containsExactly("a", "b", "c", "d", "e", "f");
        start(chain, outputs, "g");
        assertThat(outputs).containsExactly("a", "b", "c", "d", "e", "f", "g");
    }

    @Test
    void readersDropWhatIsDeclaredAndCountIt() throws Exception {
        RepairReport report = transport().repair(name, false);
        assertThat(report.outcome()).isEqualTo(Outcome.DROPPED);
        assertThat(report.isReadable()).isTrue();
        assertThat(report.lines()).contains("appended one record, the repair, at offset 14");
        assertThat(end()).isEqualTo(END + 1);

        Connection connection = connect(transport());
        TopicProbe topic = probe(name, connection);
        assertThat(topic.writer().sequence()).isEqualTo(4);
        topic.write("e");
        Recorder read = topic.read(5);
        assertThat(read.texts()).containsExactly("a", "b", "c", "d", "e");
        assertThat(read.sequences()).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(((KafkaReader) topic.reader()).dropped()).isEqualTo(9);
    }

    @Test
    void aConsumerThatStoppedAmongThemGoesOn() throws Exception {
        try (Connection connection = transport().connect()) {
            TopicProbe topic = probe(name, connection);
            assertThat(topic.take(2)).containsExactly("a", "b");
            assertThatThrownBy(() -> topic.read(1)).isInstanceOf(DamagedTopicException.class);
        }
        transport().repair(name, false);

        try (Connection connection = transport().connect()) {
            TopicProbe topic = probe(name, connection);
            assertThat(topic.take(2)).containsExactly("c", "d");
            turns(connection).until("the end", () -> {
                assertThat(topic.reader().poll((frame, position) -> null, 1)).isZero();
                return ((KafkaReader) topic.reader()).dropped() == 9;
            });
        }
        TopicProbe again = probe(name, connect(transport()));
        assertThat(again.reader().found().acknowledged()).isEqualTo(4);
        again.write("e");
        assertThat(again.read(1).sequences()).containsExactly(5L);
    }

    @Test
    void aSecondRepairFindsNothingToDropAndWritesNothing() throws Exception {
        transport().repair(name, false);
        for (boolean isDryRun : new boolean[] {false, true}) {
            RepairReport second = transport().repair(name, isDryRun);
            assertThat(second.outcome()).isEqualTo(Outcome.NOTHING_TO_DROP);
            assertThat(second.lines())
                    .contains(
                            "dropped already: 9 records, by the repair at offset 14",
                            "nothing to drop, and nothing was written");
        }
        assertThat(end()).isEqualTo(END + 1);
    }

    @Test
    void aTopicWithoutDamageIsLeftAsItIs() {
        KafkaTransport transport = transport();
        String sound = newTopic(transport);
        assertThat(transport.repair(sound, false).lines()).contains("nothing to drop, and nothing was written");
        try (Connection connection = transport.connect()) {
            probe(sound, connection).write("a");
        }
        assertThat(transport.repair(sound, false).outcome()).isEqualTo(Outcome.NOTHING_TO_DROP);
        assertThat(probe(sound, connect(transport)).read(1).texts()).containsExactly("a");
    }

    @Test
    void whatComesAfterARepairStopsReadersUntilItIsRepairedAsWell() throws Exception {
        transport().repair(name, false); // offset 14
        DamagedTopic.interleave(name, 5); // offsets 15 and 16
        Connection connection = connect(transport());
        assertThatThrownBy(() -> connection.openWriter(name)).isInstanceOf(DamagedTopicException.class);
        TopicProbe stopped = probe(name, connection);
        assertThat(stopped.read(4).texts()).containsExactly("a", "b", "c", "d");
        assertThatThrownBy(() -> stopped.read(1))
                .isInstanceOf(DamagedTopicException.class)
                .hasMessageContaining("offset 15");
        stopped.reader().close();

        assertThat(transport().repair(name, false).lines())
                .contains(
                        "dropped already: 9 records, by the repair at offset 14",
                        "dropped: 2 frames that do not name their writer, as an earlier build stored them, the"
                                + " first at offset 15, sequences 5 to 5");
        TopicProbe repaired = probe(name, connect(transport()));
        repaired.write("e");
        assertThat(repaired.read(5).texts()).containsExactly("a", "b", "c", "d", "e");
        assertThat(((KafkaReader) repaired.reader()).dropped()).isEqualTo(11);
    }

    @Test
    void aTopicOfFramesOfAnEarlierBuildAloneBeginsAnew() throws Exception {
        KafkaTransport transport = transport();
        String old = newTopic(transport);
        DamagedTopic.interleave(old, 1, 2, 3);
        byte[] otherRelease = DamagedTopic.frame(4, "d");
        otherRelease[0] = Frame.VERSION + 1;
        ForeignRecordTest.produce(old, otherRelease);
        assertThat(transport.repair(old, false).lines())
                .contains(
                        "topic '" + old + "': 7 records at offsets 0 to 6; 0 frames count",
                        "dropped: 1 frames of another version than 1, of another release, the first at offset 6",
                        "lost: what was sent under sequences 1 to 3, which no frame that counts has");

        TopicProbe topic = probe(old, connect(transport));
        topic.write("a");
        Recorder read = topic.read(1);
        assertThat(read.texts()).containsExactly("a");
        assertThat(read.sequences()).containsExactly(1L);
    }

    @Test
    void aNewConsumerBeginsAmongDroppedRecordsWhereRetentionLeftThemOldest() throws Exception {
        transport().repair(name, false);
        removeBefore(4);
        TopicProbe topic = probe(name, connect(transport()));
        topic.write("e");
        Recorder read = topic.read(3);
        assertThat(read.texts()).containsExactly("c", "d", "e");
        assertThat(read.sequences()).containsExactly(3L, 4L, 5L);
    }

    @Test
    void theSequenceGoesOnThoughRetentionLeftNoFrame() throws Exception {
        transport().repair(name, false);
        removeBefore(12);
        TopicProbe topic = probe(name, connect(transport()));
        assertThat(topic.writer().sequence()).isEqualTo(4);
        topic.write("e");
        assertThat(topic.read(1).sequences()).containsExactly(5L);
    }

    @Test
    void anInspectorReadsOverWhatIsDropped() {
        transport().repair(name, false);
        Recorder seen = new Recorder();
        try (TopicInspector inspector = transport().inspect(name)) {
            while (inspector.read(seen, 10) > 0) {
                // until there is no more
            }
            assertThat(inspector.newestSequence()).isEqualTo(4);
        }
        assertThat(seen.texts()).containsExactly("a", "b", "c", "d");
    }

    @Test
    void withTransactionsTheRepairIsCommitted() {
        KafkaTransport transport = transport(options -> options.withWrite(write -> write.withTransactions(true)));
        assertThat(transport.repair(name, false).outcome()).isEqualTo(Outcome.DROPPED);
        TopicProbe topic = probe(name, connect(transport));
        topic.write("e");
        assertThat(topic.read(5).texts()).containsExactly("a", "b", "c", "d", "e");
    }

    @Test
    void aPartitionIsRepairedAlone() throws Exception {
        KafkaTransport transport = transport();
        String partitions = name + "-partitions";
        transport.createTopics(List.of(partitions + "@0", partitions + "@1"));
        DamagedTopic.interleaveInPartition(partitions, 1, 1, 2);
        assertThat(transport.repair(partitions + "@0", false).outcome()).isEqualTo(Outcome.NOTHING_TO_DROP);
        assertThat(transport.repair(partitions + "@1", false).dropped()).isEqualTo(4);
        TopicProbe partition = probe(partitions + "@1", connect(transport));
        partition.write("a");
        assertThat(partition.read(1).texts()).containsExactly("a");
    }

    @Test
    void theChainOfTheTopicStaysKnown() throws Exception {
        KafkaTransport transport = transport();
        String ofAChain = newTopic(transport);
        try (Connection connection = transport.connect()) {
            connection.openWriter(ofAChain, "one > two");
        }
        DamagedTopic.interleave(ofAChain, 1);
        transport.repair(ofAChain, false);
        Connection connection = connect(transport);
        assertThatThrownBy(() -> connection.openWriter(ofAChain, "two > one"))
                .isInstanceOf(TopicMismatchException.class)
                .hasMessageContaining("it was one > two");
        assertThat(connection.openWriter(ofAChain, "one > two").sequence()).isZero();
    }

    @Test
    void aGapBetweenFramesIsToldAndNotRepaired() throws Exception {
        KafkaTransport transport = transport();
        String gap = newTopic(transport);
        try (Connection connection = transport.connect()) {
            TopicProbe topic = probe(gap, connection);
            topic.write("a");
            topic.awaitStored();
            ForeignRecordTest.produce(
                    gap, ForeignRecordTest.third(topic.writer().incarnation().id()));
        }
        RepairReport report = transport.repair(gap, false);
        assertThat(report.outcome()).isEqualTo(Outcome.NOTHING_TO_DROP);
        assertThat(report.isReadable()).isFalse();
        assertThat(String.join(" ", report.lines())).contains("not repaired: offset 2: sequence 3 follows 1. Frames");
    }

    @Test
    void aTopicThatDoesNotExistIsNamed() {
        KafkaTransport transport = transport();
        for (boolean isDryRun : new boolean[] {false, true}) {
            assertThatThrownBy(() -> transport.repair("no-such-topic", isDryRun))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("topic 'no-such-topic' does not exist");
        }
    }

    private static void start(String chain, List<String> outputs, String... sent) {
        try (KafkaTransport transport = KafkaTransport.at(TestBroker.bootstrapServers());
                Loops loops = Loops.cooperative(1);
                RunningChain running = Chain.named(chain)
                        .then("s1", () -> (in, out) -> out.forward(in))
                        .build()
                        .on(transport)
                        .with(loops)
                        .onOutput(in -> outputs.add(text(in)))
                        .start()) {
            for (String each : sent) {
                running.inlet().send(each.getBytes(StandardCharsets.UTF_8));
            }
            assertThat(running.close(Duration.ofSeconds(20))).isTrue();
        }
    }

    private static String text(dev.baton.Message in) {
        byte[] bytes = new byte[in.length()];
        in.getBytes(0, bytes, 0, bytes.length);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private long end() throws Exception {
        try (Admin admin = admin()) {
            TopicPartition partition = new TopicPartition(name, 0);
            return admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                    .partitionResult(partition)
                    .get(20, TimeUnit.SECONDS)
                    .offset();
        }
    }

    private void removeBefore(long offset) throws Exception {
        try (Admin admin = admin()) {
            admin.deleteRecords(Map.of(new TopicPartition(name, 0), RecordsToDelete.beforeOffset(offset)))
                    .all()
                    .get(20, TimeUnit.SECONDS);
        }
    }

    private static Admin admin() {
        return Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, TestBroker.bootstrapServers()));
    }
}
