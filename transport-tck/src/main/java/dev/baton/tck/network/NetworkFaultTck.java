package dev.baton.tck.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.spi.Connection;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import dev.baton.tck.NetworkFault;
import dev.baton.tck.Recorder;
import dev.baton.tck.Recorder.Received;
import dev.baton.tck.TopicProbe;
import dev.baton.tck.TransportFixture;
import dev.baton.tck.TransportTck;
import dev.baton.tck.Turns;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The contract on faults of the network or of the server: no stored frame is lost, every wait ends, and a fault is reported or overcome.
 * For fixtures that can cause one ({@link TransportFixture#networkFaults}); other faults are skipped.
 */
public abstract class NetworkFaultTck extends TransportTck {
    private static final int BATCH = 4;
    private static final int CUTS = 3;

    private static final String STORED =
            "; rule: only what the transport will still have after the fault counts as stored (TopicWriter.storedSequence)";
    private static final String REPORTED =
            "a fault that lasts is reported within TransportFixture.reportedWithin() by doWork, or by a"
                    + " call of each writer that has frames which are not stored (Connection.doWork)";
    private static final String WHOLE =
            "; rule: a batch of which some frames are missing is not complete" + " (TopicEnd.isWhole)";

    private final List<Connection> connected = new ArrayList<>();

    /** Called by the test of a transport. */
    protected NetworkFaultTck() {}

    @BeforeEach
    final void skipWhereNoFaultCanBeCaused() {
        assumeTrue(!fixture().networkFaults().isEmpty(), "this fixture causes no faults");
    }

    @AfterEach
    final void healAndClose() {
        if (!fixture().networkFaults().isEmpty()) {
            fixture().heal();
            connected.forEach(NetworkFaultTck::closeAfterAFault);
        }
    }

    @ParameterizedTest
    @EnumSource(NetworkFault.class)
    void onlyWhatIsStoredCountsAsStored(NetworkFault fault) {
        TopicProbe topic = begun(fault);
        Connection mine = newest();
        Throwable reported = whatEnds(() -> {
            topic.write("b", "c");
            new Turns(fixture().longestWait(), mine).settle(fixture().settle());
        });
        assertThat(storedOf(topic, 1))
                .as("the newest stored sequence during %s" + STORED, fault)
                .isEqualTo(1);
        fixture().heal();

        long stored = storedOf(topic, 1);
        if (reported == null) {
            reported = whatEnds(() -> {
                topic.write("d");
                new Turns(fixture().reportedWithin().plus(fixture().longestWait()), mine)
                        .until(
                                "stored frames, or a report, after " + fault,
                                "a flushed frame is stored in the end, or its loss is reported",
                                () -> "the newest stored frame is " + storedOf(topic, 1),
                                () -> {
                                    topic.requireWorking();
                                    return topic.writer().storedSequence() == 4;
                                });
            });
            stored = storedOf(topic, stored);
        }
        closeAfterAFault(mine);
        assertHoldsAtLeast(topic.name(), stored, "a", "b", "c", "d");
    }

    @ParameterizedTest
    @EnumSource(NetworkFault.class)
    void lastingFaultsAreReportedAndEndTheWriter(NetworkFault fault) {
        TopicProbe topic = begun(fault);
        Connection mine = newest();
        Throwable reported = catchThrowable(() -> {
            topic.write("b");
            new Turns(fixture().reportedWithin(), mine).until("a report of " + fault, REPORTED, () -> {
                topic.writer().flush();
                return false;
            });
        });
        assertThat(reported).as("the report of %s; rule: " + REPORTED, fault).isInstanceOf(TransportException.class);
        assertThatThrownBy(
                        () -> topic.writer().claim(1),
                        "a claim of a writer that has lost frames; rule: it writes no more (TopicWriter.flush)")
                .isInstanceOf(TransportException.class);
        fixture().heal();
        assertThatThrownBy(
                        () -> topic.writer().claim(1),
                        "a claim after the fault; rule: a writer that has lost frames writes no more (TopicWriter.flush)")
                .isInstanceOf(TransportException.class);
        closeAfterAFault(mine);
        assertHoldsAtLeast(topic.name(), 1, "a", "b");
    }

    @ParameterizedTest
    @EnumSource(value = NetworkFault.class, names = "REFUSED_WRITES", mode = EnumSource.Mode.EXCLUDE)
    void readersReportALostLinkOrContinue(NetworkFault fault) {
        TopicProbe topic = begun(fault);
        Connection mine = newest();
        Throwable reported =
                whatEnds(() -> new Turns(fixture().longestWait(), mine).until("a few polls", polls(topic, 3)));
        fixture().heal();
        if (reported == null) {
            reported = whatEnds(topic.writer()::close); // for another one, over another link
        }
        if (reported != null) {
            return;
        }
        Connection other = connectAgain();
        TopicProbe writing =
                new TopicProbe(topic.name(), other, new Turns(fixture().longestWait(), other));
        writing.write("b");
        writing.awaitStored();
        Recorder read = new Recorder();
        reported = whatEnds(() -> new Turns(
                        fixture().reportedWithin().plus(fixture().longestWait()), mine)
                .until(
                        "a frame that was written after " + fault + ", or a report",
                        "a link that was lost is made again, or doWork or poll throws; neither returns 0 for ever"
                                + " (Connection.doWork)",
                        () -> "came: " + read,
                        () -> topic.reader().poll(read, 1) > 0));
        if (reported == null) {
            assertThat(read.texts()).as("what a reader gets after %s", fault).containsExactly("b");
        }
    }

    @ParameterizedTest
    @EnumSource(NetworkFault.class)
    void aFaultMovesNoConsumerForward(NetworkFault fault) {
        requires(fault);
        Connection mine = connectAgain();
        TopicProbe topic = created(mine);
        topic.write("a", "b", "c", "d");
        topic.awaitStored();
        Recorder read = topic.read(2);
        topic.reader().acknowledge(read.frames().get(0).position());
        fixture().begin(fault);
        whatEnds(() -> topic.reader().acknowledge(read.lastPosition()));
        whatEnds(() -> new Turns(fixture().longestWait(), mine).settle(fixture().settle()));
        fixture().heal();
        closeAfterAFault(mine);

        Connection again = connectAgain();
        TopicProbe later =
                new TopicProbe(topic.name(), again, new Turns(fixture().longestWait(), again));
        List<Received> rest = new ArrayList<>(later.read(1).frames());
        long first = rest.get(0).sequence();
        assertThat(first)
                .as(
                        "the first frame that the consumer gets after %s; it has acknowledged 2; rule: a frame that is not"
                                + " acknowledged is kept for its consumer (TopicReader.poll)",
                        fault)
                .isBetween(1L, 3L);
        if (first < 4) {
            rest.addAll(later.read((int) (4 - first)).frames());
        }
        assertThat(rest.stream().map(Received::sequence).toList())
                .as("the frames that the consumer gets after %s", fault)
                .isEqualTo(LongStream.rangeClosed(first, 4).boxed().toList());
    }

    @Test
    void cutBatchIsNotReportedAsComplete() {
        requires(NetworkFault.BROKEN_LINKS);
        for (int cut = 0; cut < CUTS; cut++) {
            Connection mine = connectAgain();
            TopicProbe topic = created(mine);
            topic.commit(new byte[1], 0, 0, 1, 0, 0);
            topic.writer().flush();
            topic.awaitStored();
            for (int i = 0; i < BATCH; i++) {
                topic.commit(new byte[1], 0, 0, 2, 0, 0);
            }
            topic.writer().flush();
            for (int turn = 0; turn < cut; turn++) {
                mine.doWork();
            }
            fixture().begin(NetworkFault.BROKEN_LINKS);
            whatEnds(mine::doWork);
            fixture().heal();
            closeAfterAFault(mine);

            TopicWriter found = connectAgain().openWriter(topic.name());
            assertThat(found.found().cause()).isEqualTo(found.sequence() == 1 ? 1 : 2);
            if (found.found().isWhole()) {
                assertThat(found.sequence() - 1)
                        .as(
                                "frames of a batch of %d that are stored and called complete, as the link broke after %d turns"
                                        + WHOLE,
                                BATCH,
                                cut)
                        .isIn(0L, (long) BATCH);
            }
        }
    }

    private void requires(NetworkFault fault) {
        assumeTrue(fixture().networkFaults().contains(fault), "this fixture does not cause this fault");
    }

    /** A topic with a stored and acknowledged frame at the begin of the fault. */
    private TopicProbe begun(NetworkFault fault) {
        requires(fault);
        TopicProbe topic = created(connectAgain());
        topic.reader();
        topic.write("a");
        topic.awaitStored();
        topic.take(1);
        fixture().begin(fault);
        return topic;
    }

    private TopicProbe created(Connection connection) {
        return new TopicProbe(newTopic().name(), connection, new Turns(fixture().longestWait(), connection));
    }

    private Connection connectAgain() {
        Connection connection = transport().connect();
        connected.add(connection);
        return connection;
    }

    private Connection newest() {
        return connected.get(connected.size() - 1);
    }

    private static BooleanSupplier polls(TopicProbe topic, int count) {
        int[] polled = {0};
        return () -> {
            topic.reader().poll(new Recorder(), 1);
            return ++polled[0] > count;
        };
    }

    /** Returns the exception of the environment that some calls have thrown; null for none. */
    static Throwable whatEnds(ThrowingCallable calls) {
        Throwable thrown = catchThrowable(calls);
        if (thrown instanceof Error error) {
            throw error;
        }
        if (thrown != null) {
            assertThat(thrown)
                    .as("what a call throws during a fault")
                    .isInstanceOfAny(TransportException.class, IllegalStateException.class);
        }
        return thrown;
    }

    /** Returns the newest stored sequence, or the last known one if the writer has failed. */
    private static long storedOf(TopicProbe topic, long before) {
        try {
            return Math.max(before, topic.writer().storedSequence());
        } catch (TransportException failed) {
            return before;
        }
    }

    static void closeAfterAFault(Connection connection) {
        whatEnds(connection::close);
    }

    /** Reads the topic through a new connection after a last frame, and checks that all stored frames are there without gaps. */
    private void assertHoldsAtLeast(String name, long stored, String... written) {
        Connection again = connectAgain();
        TopicProbe topic = new TopicProbe(name, again, new Turns(fixture().longestWait(), again));
        int found = (int) topic.writer().sequence();
        assertThat(found)
                .as("frames of which %d counted as stored" + STORED, stored)
                .isBetween((int) stored, written.length);
        topic.write("end");
        topic.awaitStored();
        TopicReader auditor = again.openReader(name, "auditor");
        boolean keepsAll = fixture().keepsAcknowledgedFrames();
        Recorder read = keepsAll ? topic.read(auditor, found + 1) : readToEnd(topic, auditor);
        List<String> expected = new ArrayList<>(List.of(written).subList(0, found));
        expected.add("end");
        assertThat(expected)
                .as("what is stored after a fault ends with what is read")
                .endsWith(read.texts().toArray(new String[0]));
        assertThat(read.sequences())
                .as("sequences after a fault")
                .isEqualTo(LongStream.rangeClosed(found + 2L - read.count(), found + 1L)
                        .boxed()
                        .toList());
    }

    /** Reads up to the last frame; acknowledged ones may be gone. */
    private static Recorder readToEnd(TopicProbe topic, TopicReader reader) {
        Recorder all = new Recorder();
        while (all.count() == 0 || !all.texts().get(all.count() - 1).equals("end")) {
            topic.read(reader, 1).frames().forEach(all.frames()::add);
        }
        return all;
    }
}
