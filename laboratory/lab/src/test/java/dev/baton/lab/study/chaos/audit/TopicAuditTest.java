package dev.baton.lab.study.chaos.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Chain;
import dev.baton.Message;
import dev.baton.RunningChain;
import dev.baton.lab.trial.Transports;
import dev.baton.run.Loops;
import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.Transport;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Topics of a real queue, with damage planted in them. */
class TopicAuditTest {
    private static final long SEED = 5;
    private static final String TOPIC = "audited";
    private static final int HOPS = 3;

    @TempDir
    private Path temporary;

    private Transport transport;

    @BeforeEach
    void open() {
        transport = Transports.named("chronicle")
                .open(Map.of("dir", temporary.resolve("queues").toString()));
        transport.createTopics(List.of(TOPIC));
    }

    @AfterEach
    void close() {
        transport.close();
    }

    @Test
    void completeTopicIsClean() {
        write(LongStream.rangeClosed(1, 10_000).toArray());
        Account.Topic account = audit();
        assertThat(account).isEqualTo(new Account.Topic(TOPIC, 10_000, 10_000, 0, 0, 0, 0, 0, 0, null));
        assertThat(account.isClean()).isTrue();
    }

    @Test
    void anEmptyTopicIsClean() {
        assertThat(audit().isClean()).isTrue();
    }

    @Test
    void aLostMessageIsMissing() {
        write(1, 2, 4, 5, 8);
        assertThat(audit().missing()).isEqualTo(3);
        assertThat(audit().finding()).isEqualTo("message 3 is missing");
    }

    @Test
    void aSecondCopyIsADuplicate() {
        write(1, 2, 3, 2, 4);
        Account.Topic account = audit();
        assertThat(account.duplicated()).isEqualTo(1);
        assertThat(account.missing()).isZero();
        assertThat(account.reordered()).isZero();
        assertThat(account.finding()).isEqualTo("message 2 is there again at sequence 4");
    }

    @Test
    void twoMessagesThatChangedPlacesAreReordered() {
        write(1, 3, 2, 4);
        Account.Topic account = audit();
        assertThat(account.reordered()).isEqualTo(1);
        assertThat(account.missing()).isZero();
        assertThat(account.duplicated()).isZero();
        assertThat(account.finding()).isEqualTo("message 2 follows 3 at sequence 3");
    }

    @Test
    void aChangedByteIsSeen() {
        write(1);
        writeOne(2, HOPS, 1);
        write(3);
        assertThat(audit().altered()).isEqualTo(1);
        assertThat(audit().finding()).isEqualTo("sequence 2 is not the message that was sent");
    }

    @Test
    void wrongHopCountIsAltered() {
        writeOne(1, HOPS + 1, 0);
        assertThat(audit().altered()).isEqualTo(1);
    }

    @Test
    void providedMessagesAreIdentifiedBySlot() {
        BitSet filtered = new BitSet();
        filtered.set(3);
        writeSlots(1_000, 1_100, 1_300, 1_300, 1_500, 1_450);
        Account.Topic account = TopicAudit.of(
                transport, TOPIC, TopicAudit.Expectation.of(new ProvidedNumbers.Slots(1_000, 100), HOPS, filtered));

        assertThat(account).isEqualTo(new Account.Topic(TOPIC, 6, 6, 1, 1, 0, 1, 0, 0, account.finding()));
        assertThat(account.finding()).isEqualTo("message 4 is there again at sequence 4");
        assertThat(account.upTo(7).highest()).isEqualTo(7);
    }

    private void writeSlots(long... origins) {
        try (Connection connection = transport.connect();
                TopicWriter writer = connection.openWriter(TOPIC)) {
            for (long origin : origins) {
                writer.claim(1).stamp(HOPS, 0, 1, origin, 0);
                writer.commit(1);
                writer.flush();
            }
        }
    }

    @Test
    void deletedMessagesAreNotMissedAndOthersAre() {
        write(1, 2, 5, 7);
        BitSet deleted = new BitSet();
        deleted.set(3, 5);
        TopicAudit.Expectation expected = new TopicAudit.Expectation(HOPS, HOPS + 1, SEED, deleted, new BitSet(), 0);
        Account.Topic account = TopicAudit.of(transport, TOPIC, expected);
        assertThat(account.missing()).isEqualTo(1);
        assertThat(account.finding()).isEqualTo("message 6 is missing");
    }

    @Test
    void deadLettersCompleteTheTopic() {
        write(1, 2, 4, 5);
        assertThat(auditWith(3, 6).isClean()).isTrue();
        assertThat(auditWith(3, 6).highest()).as("the last one is a letter").isEqualTo(6);
        assertThat(auditWith(6).finding()).isEqualTo("message 3 is missing");
        assertThat(auditWith(3, 4).finding()).isEqualTo("message 4 is at sequence 3 and among the dead letters");
        assertThat(auditWith(3, 4).duplicated()).isEqualTo(1);
    }

    private Account.Topic auditWith(int... letters) {
        BitSet numbers = new BitSet();
        for (int letter : letters) {
            numbers.set(letter);
        }
        return TopicAudit.of(
                transport, TOPIC, new TopicAudit.Expectation(HOPS, HOPS + 1, SEED, new BitSet(), numbers, 0));
    }

    @Test
    void groupsThatFollowEachOtherAreClean() {
        sum(0, LongStream.rangeClosed(1, 17).toArray());
        assertThat(auditSums(new BitSet(), 1)).isEqualTo(new Account.Topic(TOPIC, 3, 17, 0, 0, 0, 0, 0, 0, null));
    }

    @Test
    void earlyGroupIsADuplicate() {
        sum(0, LongStream.rangeClosed(1, 7).toArray());
        sum(1, LongStream.rangeClosed(5, 11).toArray());
        assertThat(auditSums(new BitSet(), 0).duplicated()).isEqualTo(3);
    }

    @Test
    void unexpectedSmallGroupIsFound() {
        sum(0, LongStream.rangeClosed(1, 10).toArray());
        assertThat(auditSums(new BitSet(), 0).finding())
                .isEqualTo("1 groups are not whole, though the service that sums was ended in order 0 times");
    }

    @Test
    void groupMaySpanOnlyDeletedMessages() {
        sum(0, 1, 2, 3, 6, 7, 8, 9);
        BitSet deleted = new BitSet();
        deleted.set(4, 6);
        assertThat(auditSums(deleted, 0).isClean()).isTrue();
        assertThat(auditSums(new BitSet(), 0).altered()).isEqualTo(1);
    }

    private Account.Topic auditSums(BitSet deleted, int mostPartial) {
        return TopicAudit.of(
                transport, TOPIC, new TopicAudit.Expectation(HOPS, HOPS, SEED, deleted, new BitSet(), mostPartial));
    }

    /** Runs a service that sums over these numbers, and closes it in order. */
    private void sum(int already, long... numbers) {
        String name = "summed-" + already;
        Chain chain = Chain.named(name)
                .then("s1", () -> (in, out) -> out.forward(in))
                .then("s2", () -> (in, out) -> out.forward(in))
                .then("s3", () -> new SummingService(false))
                .build();
        List<Sum> sums = Collections.synchronizedList(new ArrayList<>());
        try (Loops loops = Loops.cooperative(1);
                RunningChain running = chain.on(transport)
                        .with(loops)
                        .onOutput(in -> sums.add(new Sum(in)))
                        .start()) {
            for (long number : numbers) {
                ByteBuffer payload = ByteBuffer.allocate(NumberedMessage.BYTES).order(ByteOrder.LITTLE_ENDIAN);
                NumberedMessage.write(payload::putLong, number, 77, SEED);
                running.inlet().send(payload.array());
            }
            assertThat(running.close(Duration.ofSeconds(20))).isTrue();
        }
        try (Connection connection = transport.connect();
                TopicWriter writer = connection.openWriter(TOPIC)) {
            sums.forEach(each -> each.copyTo(writer));
        }
    }

    private record Sum(int hops, long[] words) {
        Sum(Message in) {
            this(
                    in.servicesPassed(),
                    IntStream.range(0, in.length() / Long.BYTES)
                            .mapToLong(i -> in.getLong(i * Long.BYTES))
                            .toArray());
        }

        void copyTo(TopicWriter writer) {
            int length = words.length * Long.BYTES;
            Frame frame = writer.claim(length);
            for (int i = 0; i < words.length; i++) {
                frame.putLong(i * Long.BYTES, words[i]);
            }
            frame.stamp(hops, 0, 1, 0, 0);
            writer.commit(length);
            writer.flush();
        }
    }

    private Account.Topic audit() {
        return TopicAudit.of(
                transport, TOPIC, new TopicAudit.Expectation(HOPS, HOPS + 1, SEED, new BitSet(), new BitSet(), 0));
    }

    private void write(long... numbers) {
        try (Connection connection = transport.connect();
                TopicWriter writer = connection.openWriter(TOPIC)) {
            for (long number : numbers) {
                write(writer, number, HOPS, 0);
            }
        }
    }

    private void writeOne(long number, int hops, int damage) {
        try (Connection connection = transport.connect();
                TopicWriter writer = connection.openWriter(TOPIC)) {
            write(writer, number, hops, damage);
        }
    }

    private static void write(TopicWriter writer, long number, int hops, int damage) {
        Frame frame = writer.claim(NumberedMessage.BYTES);
        NumberedMessage.write(frame::putLong, number, 77, SEED);
        frame.putByte(NumberedMessage.BYTES - 1, (byte) (frame.getByte(NumberedMessage.BYTES - 1) ^ damage));
        frame.stamp(hops, 0, number, 0, 0);
        writer.commit(NumberedMessage.BYTES);
        writer.flush();
    }
}
