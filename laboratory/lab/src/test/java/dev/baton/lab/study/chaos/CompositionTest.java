package dev.baton.lab.study.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.RunningChain;
import dev.baton.lab.study.chaos.audit.Account;
import dev.baton.lab.study.chaos.audit.NumberedMessage;
import dev.baton.lab.trial.Transports;
import dev.baton.operations.verify.Audit;
import dev.baton.operations.verify.TopicCheck;
import dev.baton.run.Loops;
import dev.baton.spi.Connection;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.Transport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Topics of a real queue, behind a branch and a merge that run, or with damage planted on their edges. */
class CompositionTest {
    private static final long SEED = 5;
    private static final int SERVICES = 2;
    private static final int MESSAGES = 20;
    private static final int OUTPUT = 0; // index among the merge's inputs
    private static final int REJECTS = 1;
    private static final int FIELD_BYTES = 1 + 2 * 24;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    private Path temporary;

    private final Composition composition = new Composition(SERVICES);
    private Transport transport;

    @BeforeEach
    void fillTheChain() {
        transport = Transports.named("chronicle")
                .open(Map.of("dir", temporary.resolve("queues").toString()));
        write(ChainScenario.topic(1), 1, upTo(MESSAGES));
        write(composition.output(), SERVICES, upTo(MESSAGES));
    }

    @AfterEach
    void close() {
        transport.close();
    }

    @Test
    void branchAndMergeOutputsAreClean() {
        transport.createTopics(composition.topics());
        try (Loops loops = Loops.cooperative(1);
                RunningChain branch =
                        composition.branch.on(transport).with(loops).start();
                RunningChain merge = composition.merge.on(transport).with(loops).start()) {
            assertThat(branch.close(LIMIT)).isTrue();
            assertThat(merge.close(LIMIT)).isTrue();
        }

        assertThat(audit())
                .containsExactly(
                        new Account.Edge(ChainScenario.topic(1), clean(composition.rejects(), 4, 20), 0),
                        new Account.Edge(composition.output(), clean(composition.merge.topic(), 20, 20), 0),
                        new Account.Edge(composition.rejects(), clean(composition.merge.topic(), 4, 20), 0));
        assertThat(new Audit(transport, (audit, ofAbout) -> {}, () -> false).of(composition.topics()))
                .allMatch(TopicCheck::isClean)
                .extracting(TopicCheck::frames)
                .containsExactly(4L, 24L);
    }

    @Test
    void lostMergeMessageIsMissingOnOneEdge() {
        reject(5, 10, 15, 20);
        merge(OUTPUT, 1, 2, 4);
        merge(REJECTS, 5, 10, 15, 20);
        merge(OUTPUT, LongStream.rangeClosed(5, MESSAGES).toArray());

        Account.Edge edge = audit().get(1);
        assertThat(edge.topic().missing()).isEqualTo(1);
        assertThat(edge.topic().finding()).isEqualTo("message 3 is missing");
        assertThat(audit().get(2).topic().isClean()).isTrue();
        Account account = account();
        assertThat(account.lost()).isEqualTo(1);
        assertThat(account.findings()).containsExactly("chaos-2 -> trail-merged: message 3 is missing");
    }

    @Test
    void unmergedMessagesAreLostAfterDrain() {
        reject(5, 10, 15, 20);
        merge(OUTPUT, upTo(MESSAGES));
        merge(REJECTS, 5, 10);

        assertThat(audit().get(2).topic().isClean()).isTrue();
        assertThat(audit().get(2).behind()).isEqualTo(2);
        assertThat(audit().get(2).lost(true)).isEqualTo(2);
        assertThat(audit().get(2).lost(false)).isZero();
        assertThat(account().findings())
                .containsExactly("2 messages did not pass rejects-1 -> trail-merged in the time given");
    }

    @Test
    void repeatedMergeMessageIsADuplicate() {
        reject(5, 10, 15, 20);
        merge(OUTPUT, upTo(MESSAGES));
        merge(REJECTS, 5, 10, 5, 15, 20);

        assertThat(audit().get(2).topic().duplicated()).isEqualTo(1);
        assertThat(audit().get(1).topic().isClean()).isTrue();
        assertThat(account().duplicated()).isEqualTo(1);
        assertThat(account().findings())
                .containsExactly("rejects-1 -> trail-merged: message 5 is there again at sequence 23");
    }

    @Test
    void swappedMessagesOfInputAreReordered() {
        reject(5, 10, 15, 20);
        merge(OUTPUT, upTo(MESSAGES));
        merge(REJECTS, 10, 5, 15, 20);

        assertThat(audit().get(2).topic().reordered()).isEqualTo(1);
        assertThat(audit().get(2).topic().missing()).isZero();
        assertThat(account().reordered()).isEqualTo(1);
        assertThat(account().findings()).hasSize(1);
    }

    @Test
    void aMessageOfNoInputIsFound() {
        reject(5, 10, 15, 20);
        merge(OUTPUT, upTo(MESSAGES));
        merge(REJECTS, 5, 7, 10, 15, 20);
        assertThat(audit().get(2).topic().finding())
                .isEqualTo("message 7 at sequence 22 is none that passes from topic rejects-1");

        merge(2, 20);
        assertThat(audit().get(1).topic().altered())
                .as("there is no third input")
                .isEqualTo(1);
        write(composition.merge.topic(), SERVICES + 1, 20);
        assertThat(audit().get(1).topic().altered()).as("no merge wrote it").isEqualTo(2);
    }

    @Test
    void branchPassesOnlyRejectedMessages() {
        reject(5, 6, 15, 20);

        transport.createTopics(composition.topics());
        Account.Topic rejects = audit().get(0).topic();
        assertThat(rejects.missing()).isEqualTo(1);
        assertThat(rejects.altered()).isEqualTo(1);
        assertThat(rejects.finding()).isEqualTo("message 6 at sequence 2 is none that passes from topic chaos-1");
    }

    private static Account.Topic clean(String topic, long frames, long highest) {
        return new Account.Topic(topic, frames, highest, 0, 0, 0, 0, 0, 0, null);
    }

    private List<Account.Edge> audit() {
        return composition.audit(transport, expectation(1), expectation(SERVICES));
    }

    private Account account() {
        List<Account.Topic> topics =
                List.of(clean("chaos-0", MESSAGES, MESSAGES), clean("chaos-2", MESSAGES, MESSAGES));
        return new Account(topics, 0, 0, (long) MESSAGES, 0, 0, 0, 0, true, 0L, audit());
    }

    private static dev.baton.lab.study.chaos.audit.TopicAudit.Expectation expectation(int index) {
        return new dev.baton.lab.study.chaos.audit.TopicAudit.Expectation(
                index, Integer.MAX_VALUE, SEED, new BitSet(), new BitSet(), 0);
    }

    private static long[] upTo(int newest) {
        return LongStream.rangeClosed(1, newest).toArray();
    }

    private void reject(long... numbers) {
        write(composition.rejects(), SERVICES, numbers);
    }

    private void write(String topic, int servicesPassed, long... numbers) {
        writeAll(topic, servicesPassed, -1, numbers);
    }

    private void merge(int input, long... numbers) {
        writeAll(composition.merge.topic(), SERVICES + 1, input, numbers);
    }

    /** @param input that frames say they come from; -1: they say nothing */
    private void writeAll(String topic, int servicesPassed, int input, long... numbers) {
        transport.createTopics(List.of(topic));
        try (Connection connection = transport.connect();
                TopicWriter writer = connection.openWriter(topic)) {
            for (long number : numbers) {
                int added = input < 0 ? 0 : Extension.bytes(FIELD_BYTES);
                Frame frame = writer.claim(NumberedMessage.BYTES + added);
                if (input >= 0) {
                    byte[] field = new byte[FIELD_BYTES];
                    field[0] = (byte) input;
                    frame.putFieldBytes(frame.addField(Extension.MERGED, FIELD_BYTES), field, 0, FIELD_BYTES);
                }
                NumberedMessage.write(frame::putLong, number, 77, SEED);
                frame.stamp(servicesPassed, 0, number, 0, 0);
                writer.commit(NumberedMessage.BYTES + added);
                writer.flush();
            }
        }
    }
}
