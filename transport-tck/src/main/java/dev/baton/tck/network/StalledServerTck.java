package dev.baton.tck.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.spi.Connection;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.tck.NetworkFault;
import dev.baton.tck.TopicProbe;
import dev.baton.tck.TransportTck;
import dev.baton.tck.Turns;
import dev.baton.tck.harness.OtherThread;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The contract on a stalled server: no call waits for it without a bound. For fixtures that can stall it ({@link
 * NetworkFault#STALLED_SERVER}).
 */
public abstract class StalledServerTck extends TransportTck {
    private static final long PREPARED_SECONDS = 60;

    /** Called by the test of a transport. */
    protected StalledServerTck() {}

    /** A call of the transport while the server is stalled. */
    private interface Call {
        /**
         * Makes the call.
         *
         * @param position position of the newest frame that the topic's reader has read
         */
        void run(Connection connection, TopicProbe topic, long position);
    }

    @BeforeEach
    final void skipWhereNoServerIsStalled() {
        assumeTrue(fixture().networkFaults().contains(NetworkFault.STALLED_SERVER), "this fixture stalls no server");
    }

    @Test
    void everyCallEndsThoughTheServerIsStalled() throws Exception {
        String unused = newTopic().name();
        Map<String, Call> calls = new LinkedHashMap<>();
        calls.put(
                "connect",
                (connection, topic, position) -> transport().connect().close());
        calls.put(
                "createTopics",
                (connection, topic, position) ->
                        transport().createTopics(List.of(fixture().newTopic())));
        calls.put("topics", (connection, topic, position) -> transport().topics());
        calls.put(
                "inspect",
                (connection, topic, position) -> transport().inspect(unused).close());
        calls.put("openWriter", (connection, topic, position) -> connection.openWriter(unused));
        calls.put("openReader", (connection, topic, position) -> connection.openReader(unused, "late"));
        calls.put("doWork", (connection, topic, position) -> connection.doWork());
        calls.put("await", (connection, topic, position) -> connection.await(1_000_000));
        calls.put("poll", (connection, topic, position) -> topic.reader().poll((frame, at) -> Verdict.RETRY, 1));
        calls.put("acknowledge", (connection, topic, position) -> topic.reader().acknowledge(position));
        calls.put("flush", (connection, topic, position) -> topic.write("b"));
        calls.put(
                "storedSequence",
                (connection, topic, position) -> topic.writer().storedSequence());
        calls.put("close", (connection, topic, position) -> {
            topic.write("b");
            connection.close();
        });
        CountDownLatch isReady = new CountDownLatch(calls.size());
        CountDownLatch isStalled = new CountDownLatch(1);
        CountDownLatch isHealed = new CountDownLatch(1);
        Map<String, FutureTask<Void>> running = new LinkedHashMap<>();
        Map<String, CountDownLatch> ended = new LinkedHashMap<>();
        calls.forEach((name, call) -> {
            CountDownLatch isEnded = new CountDownLatch(1);
            ended.put(name, isEnded);
            running.put(name, OtherThread.start("tck-" + name, () -> {
                Connection connection = transport().connect();
                try {
                    TopicProbe topic = new TopicProbe(
                            newTopic().name(), connection, new Turns(fixture().longestWait(), connection));
                    topic.reader();
                    topic.write("a");
                    topic.awaitStored();
                    long position = topic.read(1).lastPosition();
                    isReady.countDown();
                    isStalled.await();
                    NetworkFaultTck.whatEnds(() -> call.run(connection, topic, position));
                } finally {
                    isReady.countDown();
                    isEnded.countDown();
                    isHealed.await();
                    NetworkFaultTck.closeAfterAFault(connection);
                }
                return null;
            }));
        });
        assertThat(isReady.await(PREPARED_SECONDS, TimeUnit.SECONDS))
                .as("every thread has opened and stored something before the server is stalled")
                .isTrue();
        fixture().begin(NetworkFault.STALLED_SERVER);
        isStalled.countDown();
        try {
            new Turns(fixture().blocksAtMost())
                    .until(
                            "the end of every call while the server is stalled",
                            "no call waits without a bound: doWork, poll and the calls of a writer never block, and the"
                                    + " others end within the option timeout (Transport)",
                            () -> "these have not returned: " + unfinished(ended),
                            () -> unfinished(ended).isEmpty());
        } finally {
            fixture().heal();
            isHealed.countDown();
        }
        for (FutureTask<Void> each : running.values()) {
            OtherThread.outcome(each);
        }
    }

    private static List<String> unfinished(Map<String, CountDownLatch> calls) {
        return calls.entrySet().stream()
                .filter(each -> each.getValue().getCount() > 0)
                .map(Map.Entry::getKey)
                .toList();
    }
}
