package dev.baton.kafka.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.kafka.DamagedTopic;
import dev.baton.kafka.log.FrameRecord;
import dev.baton.kafka.log.RepairMarker;
import dev.baton.kafka.log.WriterMarker;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** What a repair finds and declares, however damaged the topic. */
class DamageScanTest {
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);

    private final Frame view = new Frame();
    private final DamageScan scan = new DamageScan("orders", null, 0, 4);
    private final Incarnation draft = WriterMarker.draft("one > two", "test");
    private final Incarnation writer = WriterMarker.at(0, draft);

    @Test
    void aFrameOfAnEarlierBuildBehindEachOneThatCountsTakesNoMoreRangesThanAllowedAndAllAreCovered() {
        take(0, WriterMarker.record(ORDERS, draft).value());
        for (long sequence = 1; sequence <= 100; sequence++) {
            take(2 * sequence - 1, frame(sequence));
            take(2 * sequence, DamagedTopic.frame(sequence, "other"));
        }
        assertThat(scan.ranges()).hasSizeLessThanOrEqualTo(4);
        assertThat(scan.undeclaredRecords()).isEqualTo(100);
        assertThat(scan.lastSequence()).isEqualTo(100);
        assertThat(scan.outOfSequence()).isZero();

        RepairMarker repair = marker(201);
        for (long offset = 2; offset <= 200; offset += 2) {
            assertThat(repair.drops(offset)).as("offset %d", offset).isTrue();
        }
        assertThat(repair.drops(1)).isFalse();
        assertThat(repair.drops(201)).as("itself").isFalse();
        assertThat(repair.drops(202)).as("behind it").isFalse();
    }

    @Test
    void whatAMarkerDeclaresIsReadFromItAgain() {
        take(0, WriterMarker.record(ORDERS, draft).value());
        take(1, frame(1));
        take(2, DamagedTopic.frame(2, "a"));
        take(3, new byte[3]);
        take(4, frame(2));
        take(300, DamagedTopic.frame(3, "b"));
        assertThat(marker(301))
                .isEqualTo(new RepairMarker(
                        301, 2, 3, List.of(new RepairMarker.Range(2, 3), new RepairMarker.Range(300, 300))));
    }

    @Test
    void whatARepairHasDeclaredIsNotFoundAgainAndStaysDeclared() {
        take(0, WriterMarker.record(ORDERS, draft).value());
        take(1, DamagedTopic.frame(1, "a"));
        take(2, marker(text()));
        take(3, DamagedTopic.frame(1, "b"));
        assertThat(scan.declaredRecords()).isEqualTo(1);
        assertThat(scan.undeclaredRecords()).isEqualTo(1);
        assertThat(scan.topology()).isEqualTo("one > two");
        assertThat(marker(4).drops(1)).isTrue();
        assertThat(marker(4).drops(3)).isTrue();
    }

    @Test
    void aClaimedSequenceThatCannotBeIsNotTold() {
        take(7, DamagedTopic.frame(9, "a"));
        assertThat(scan.undeclared().get(RecordDefect.NO_WRITER).highest()).isZero();
        take(8, DamagedTopic.frame(9, "a"));
        assertThat(scan.undeclared().get(RecordDefect.NO_WRITER).highest()).isEqualTo(9);
        assertThat(scan.undeclared().get(RecordDefect.NO_WRITER).lowest()).isEqualTo(9);
    }

    @Test
    void aMarkerOfAnotherReleaseOrWithAnAlteredLineIsThatOfAnyWriter() {
        for (String line : new String[] {"repair\t2\t1\t1\t1-1", "repair\t1\t1\t1\t1", "repair\t1\tx\t1\t1-1", "fix"}) {
            byte[] value = marker(draft.text() + "\n" + line);
            assertThat(RepairMarker.read(aim(record(5, value)), record(5, value)))
                    .as(line)
                    .isNull();
            assertThat(WriterMarker.read(aim(record(5, value)), record(5, value))
                            .topology())
                    .isEqualTo("one > two");
        }
    }

    private String text() {
        return RepairMarker.text(
                draft, scan.lastSequence(), scan.declaredRecords() + scan.undeclaredRecords(), scan.ranges());
    }

    private RepairMarker marker(long offset) {
        ConsumerRecord<byte[], ByteBuffer> record = record(offset, marker(text()));
        return RepairMarker.read(aim(record), record);
    }

    private static byte[] marker(String text) {
        return WriterMarker.record(ORDERS, text).value();
    }

    private Frame aim(ConsumerRecord<byte[], ByteBuffer> record) {
        assertThat(FrameRecord.tryAimAtAny(view, record)).isNull();
        return view;
    }

    private void take(long offset, byte[] value) {
        scan.take(record(offset, value));
    }

    private static ConsumerRecord<byte[], ByteBuffer> record(long offset, byte[] value) {
        return new ConsumerRecord<>("orders", 0, offset, null, ByteBuffer.wrap(value));
    }

    private byte[] frame(long sequence) {
        byte[] value = new byte[Frame.HEADER_BYTES + Extension.bytes(Extension.WRITER_BYTES)];
        ByteBuffer memory = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
        Frame frame = new Frame().wrap(memory, 0, value.length - Frame.HEADER_BYTES);
        frame.putFieldLong(frame.addField(Extension.WRITER, Extension.WRITER_BYTES), writer.id());
        frame.stamp(0, 0, 0, 0, 0);
        frame.sequence(sequence);
        return value;
    }
}
