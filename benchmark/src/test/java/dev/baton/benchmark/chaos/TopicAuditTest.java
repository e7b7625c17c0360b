package dev.baton.benchmark.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.benchmark.trial.Transports;
import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.Transport;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
    void aTopicThatHoldsEveryMessageOnceInOrderIsClean() {
        write(LongStream.rangeClosed(1, 10_000).toArray());
        TopicAccount account = audit();
        assertThat(account).isEqualTo(new TopicAccount(TOPIC, 10_000, 10_000, 0, 0, 0, 0, 0, 0, null));
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
        TopicAccount account = audit();
        assertThat(account.duplicated()).isEqualTo(1);
        assertThat(account.missing()).isZero();
        assertThat(account.reordered()).isZero();
        assertThat(account.finding()).isEqualTo("message 2 is there again at sequence 4");
    }

    @Test
    void twoMessagesThatChangedPlacesAreReordered() {
        write(1, 3, 2, 4);
        TopicAccount account = audit();
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
    void aMessageThatPassedAnotherNumberOfServicesIsNotTheOneThatWasSent() {
        writeOne(1, HOPS + 1, 0);
        assertThat(audit().altered()).isEqualTo(1);
    }

    private TopicAccount audit() {
        return TopicAudit.of(transport, TOPIC, HOPS, SEED);
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
