package dev.baton.kafka.admin;

import dev.baton.kafka.client.Deadline;
import dev.baton.kafka.connection.KafkaConnection;
import dev.baton.kafka.connection.TransportContext;
import dev.baton.kafka.log.RepairMarker;
import dev.baton.kafka.log.WriterMarker;
import dev.baton.kafka.topics.TopicNames;
import dev.baton.kafka.write.FrameProducer;
import dev.baton.spi.Incarnation;
import dev.baton.spi.RepairReport;
import dev.baton.spi.RepairReport.Outcome;
import dev.baton.spi.errors.TransportException;
import java.util.List;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;

/**
 * The repair of a topic that holds records which are no frames: reads all of it, and appends one marker that declares
 * those records dropped. Until that one record is stored nothing has changed. Used once, by one thread, which it blocks
 * for as long as the topic takes to be read.
 */
public final class KafkaTopicRepair {
    /** Offsets that are read within one timeout of the options. */
    private static final long CHUNK = 65_536;

    /** Bytes of a marker besides its ranges. A range takes two offsets of 16 digits at most. */
    private static final int MARKER_BYTES = 16 << 10;

    private static final int RANGE_BYTES = 34;

    private final TransportContext context;
    private final String topic;
    private final String name;
    private final TopicPartition partition;

    public KafkaTopicRepair(TransportContext context, String topic) {
        this.context = context;
        this.topic = topic;
        this.name = context.newClientId("-repair-");
        this.partition = TopicNames.partitionOf(topic);
    }

    /** Reads the topic and reports what a repair would drop; writes nothing. */
    public RepairReport look() {
        Uuid topicId = context.topics().require(topic, AclOperation.READ, deadline());
        long end = context.scanner().offset(partition, OffsetSpec.latest(), deadline());
        Scanned scanned = scan(topicId, end);
        return scanned.isSound() ? sound(scanned) : report(scanned, Outcome.WOULD_DROP, lines(scanned, "would drop"));
    }

    /** Reads the topic, and appends the marker if there is something to drop. */
    public RepairReport run() {
        Uuid topicId = context.topics().require(topic, AclOperation.WRITE, deadline());
        context.liveReaders().requireNone(partition);
        context.liveWriters().reserve(topic);
        try {
            if (!context.scanner().isAllReadable(partition, deadline())) {
                throw new TransportException(
                        "topic '" + topic + "' is in use: its newest records cannot be read yet:"
                                + " not all brokers have them, or a transaction is not decided. Nothing was written; try again");
            }
            TopicActivity use = new TopicActivity(context, topic, topicId);
            Scanned scanned = scan(topicId, use.end());
            if (scanned.isSound()) {
                return sound(scanned);
            }
            use.requireNone();
            List<String> lines = lines(scanned, "dropped");
            long marker = append(scanned);
            awaitReadable(marker);
            lines.add("appended one record, the repair, at offset " + marker);
            long late = cameInBetween(scanned.end(), marker);
            if (late > 0) {
                lines.add("not repaired: records that were stored while the topic was read, " + late
                        + " of them; find the process that still writes it, and repair it again");
            }
            return new RepairReport(
                    Outcome.DROPPED,
                    scanned.scan().undeclaredRecords(),
                    late == 0 && scanned.scan().outOfSequence() == 0,
                    lines);
        } finally {
            context.liveWriters().release(topic);
        }
    }

    /**
     * The result of a scan.
     *
     * @param oldest offset
     * @param end behind the newest
     * @param lastSequence behind which the next writer continues
     */
    private record Scanned(DamageScan scan, long oldest, long end, long lastSequence) {
        /** Returns whether every record that is no frame was declared dropped before. */
        boolean isSound() {
            return scan.undeclaredRecords() == 0;
        }
    }

    private Scanned scan(Uuid topicId, long end) {
        long oldest = context.scanner().offset(partition, OffsetSpec.earliest(), deadline());
        Incarnation owner = oldest == 0 ? null : context.scanner().ownerBefore(partition, oldest, end, deadline());
        DamageScan scan = new DamageScan(topic, owner, oldest, maxRanges());
        for (long from = oldest; from < end; from += CHUNK) {
            long to = Math.min(end, from + CHUNK);
            context.scanner().scan(IsolationLevel.READ_COMMITTED, partition, from, to, scan::take, deadline());
        }
        long last = scan.hasLastSequence()
                ? scan.lastSequence()
                : oldest == 0
                        ? 0
                        : context.scanner()
                                .newest(topic, topicId, end, deadline())
                                .sequence();
        return new Scanned(scan, oldest, end, last);
    }

    private int maxRanges() {
        return Math.max(1, Math.min(RepairMarker.MAX_RANGES, (context.maxPayload() - MARKER_BYTES) / RANGE_BYTES));
    }

    private long append(Scanned scanned) {
        DamageScan scan = scanned.scan();
        Incarnation draft = WriterMarker.draft(scan.topology(), name);
        String text = RepairMarker.text(
                draft, scanned.lastSequence(), scan.declaredRecords() + scan.undeclaredRecords(), scan.ranges());
        try (KafkaConnection connection = context.newConnection()) {
            Deadline deadline = deadline();
            FrameProducer producer = connection.producers().forWriter(topic, deadline);
            try {
                return producer.append(WriterMarker.record(partition, text), deadline);
            } finally {
                connection.producers().release(producer);
            }
        }
    }

    /** Waits until readers see the marker: the transaction of a commit is decided a moment later. */
    private void awaitReadable(long marker) {
        Deadline deadline = deadline();
        while (context.scanner().offset(partition, OffsetSpec.latest(), deadline) <= marker) {
            if (deadline.isOver()) {
                throw new TransportException("topic '" + topic + "': the repair was appended at offset " + marker
                        + ", but cannot be read within " + deadline.limit().toMillis() + " ms; run it again");
            }
            Deadline.pause();
        }
    }

    /** Returns the number of records that were stored after the scan, and that the marker does not cover. */
    private long cameInBetween(long end, long marker) {
        long[] records = {0};
        context.scanner()
                .scan(
                        IsolationLevel.READ_COMMITTED,
                        partition,
                        end,
                        marker,
                        record -> {
                            records[0]++;
                            return true;
                        },
                        deadline());
        return records[0];
    }

    private RepairReport sound(Scanned scanned) {
        List<String> lines = lines(scanned, "");
        lines.add("nothing to drop, and nothing was written");
        return report(scanned, Outcome.NOTHING_TO_DROP, lines);
    }

    private static RepairReport report(Scanned scanned, Outcome outcome, List<String> lines) {
        return new RepairReport(
                outcome, scanned.scan().undeclaredRecords(), scanned.scan().outOfSequence() == 0, lines);
    }

    private List<String> lines(Scanned scanned, String verb) {
        return scanned.scan().report(verb, scanned.oldest(), scanned.end(), scanned.lastSequence());
    }

    private Deadline deadline() {
        return context.cluster().deadline();
    }
}
