package dev.baton.lab.study.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.study.chaos.audit.FailingService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArrivalsTest {
    @TempDir
    private Path temporary;

    private Path file;
    private Arrivals arrivals;

    @BeforeEach
    void open() throws IOException {
        file = temporary.resolve("received");
        arrivals = new Arrivals(file, FailingService::isFailing);
    }

    @AfterEach
    void close() {
        arrivals.close();
    }

    @Test
    void messagesInOrderHaveNoFindings() throws IOException {
        receive(1, 1, 2, 3, 4);
        assertThat(arrivals.newest).isEqualTo(4);
        assertFound(0, 0, 0);
    }

    @Test
    void restartedReceiverMayGetMessagesAgain() throws IOException {
        receive(1, 1, 2, 3, 4);
        receive(2, 3, 4, 5);
        receive(3, 6);
        assertFound(2, 0, 0);
    }

    @Test
    void gapAtRestartIsFound() throws IOException {
        receive(1, 1, 2);
        receive(2, 5, 6);
        assertFound(0, 2, 0);
    }

    @Test
    void onlyMessagesWithOutputAreExpected() throws IOException {
        arrivals.close();
        arrivals = new Arrivals(file, number -> number % 2 == 0);
        receive(1, 1, 3, 5, 9);
        assertFound(0, 1, 0);
    }

    @Test
    void gapAmongRedeliveredMessagesIsFound() throws IOException {
        receive(1, 1, 2, 3, 4);
        receive(2, 2, 4, 5);
        assertFound(2, 1, 0);
    }

    @Test
    void deletedMessagesAreNotSkipped() throws IOException {
        receive(1, 1, 2);
        BitSet deleted = new BitSet();
        deleted.set(3, 6);
        arrivals.expectDeleted(deleted);
        receive(2, 6, 8);
        assertFound(0, 1, 0);
    }

    @Test
    void rivalReceiversRepeatNothing() throws IOException {
        receive(1, 1, 2);
        receive(2, 1, 2, 3);
        assertThat(arrivals.overtaken).isZero();
        receive(1, 3, 4);
        assertThat(arrivals.overtaken).isEqualTo(2);
        assertThat(arrivals.skipped).isZero();
        assertThat(arrivals.repeated).isZero();
    }

    @Test
    void decreaseWithinALifeIsARepetition() throws IOException {
        receive(1, 1, 2, 2, 3);
        assertFound(1, 0, 1);
    }

    @Test
    void alteredMessageIsCounted() throws IOException {
        try (Arrivals.Journal journal = new Arrivals.Journal(file)) {
            journal.add(new Arrivals.Arrival(1, 1, 0, 0, 1, false));
        }
        arrivals.read();
        assertThat(arrivals.altered).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1_000_000, Long.MAX_VALUE})
    @Timeout(30)
    void numberOfAnAlteredMessageIsNotBelieved(long number) throws IOException {
        receive(1, 1, 2, 3);
        receiveAltered(number);
        receive(1, 5, 6);
        assertThat(arrivals.altered).isEqualTo(1);
        assertThat(arrivals.newest).isEqualTo(6);
        assertFound(0, 1, 0);
    }

    @Test
    void alteredMessageInItsPlaceIsNotSkipped() throws IOException {
        receive(1, 1, 2, 3);
        receiveAltered(4);
        receive(1, 5, 6);
        assertThat(arrivals.altered).isEqualTo(1);
        assertFound(0, 0, 0);
    }

    private void receiveAltered(long number) throws IOException {
        try (Arrivals.Journal journal = new Arrivals.Journal(file)) {
            journal.add(new Arrivals.Arrival(number, number, sent(4), at(4), 1, false));
        }
        arrivals.read();
    }

    @Test
    void recoveryIsFirstMessageSentAfterMoment() throws IOException {
        receive(1, 1);
        arrivals.watch(sent(3));
        receive(1, 2, 3);
        assertThat(arrivals.recoveredAtNanos).isZero();
        receive(1, 4, 5);
        assertThat(arrivals.recoveredAtNanos).isEqualTo(at(4));
    }

    @Test
    void theLongestSilenceBeginsWithTheArrivalBefore() throws IOException {
        receive(1, 1, 2);
        arrivals.listen();
        receive(1, 6, 7);
        assertThat(arrivals.longestSilenceNanos).isEqualTo(at(6) - at(2));
    }

    @Test
    void partialRecordIsCutOff() throws IOException {
        receive(1, 1);
        Files.write(file, new byte[Arrivals.Arrival.BYTES / 2], StandardOpenOption.APPEND);
        receive(2, 2);
        assertThat(arrivals.newest).isEqualTo(2);
        assertFound(0, 0, 0);
    }

    private void receive(long scenario, long... numbers) throws IOException {
        try (Arrivals.Journal journal = new Arrivals.Journal(file)) {
            for (long number : numbers) {
                journal.add(new Arrivals.Arrival(number, number, sent(number), at(number), scenario, true));
            }
        }
        arrivals.read();
    }

    private void assertFound(long redelivered, long skipped, long repeated) {
        assertThat(arrivals.redelivered).isEqualTo(redelivered);
        assertThat(arrivals.skipped).isEqualTo(skipped);
        assertThat(arrivals.repeated).isEqualTo(repeated);
    }

    private static long sent(long number) {
        return number * 1_000;
    }

    private static long at(long number) {
        return number * 1_000 + 10;
    }
}
