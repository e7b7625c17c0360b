package dev.baton.engine;

import dev.baton.Deployment.UnreadableFrames;
import dev.baton.engine.inlet.OpenRequests;
import dev.baton.engine.message.InboundMessage;
import dev.baton.engine.message.RequestMark;
import dev.baton.run.Environment;
import dev.baton.spi.Connection;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.Guarantee;
import dev.baton.spi.ObservingConsumer;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.TopicReader;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.TopicMismatchException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Reads the requests and the replies of earlier runs in the first and the last topic, from a time on and up to the newest frame,
 * with observing consumers that it forgets. It begins a minute earlier, and two minutes for the replies, as clocks of hosts may
 * differ. Confined to one thread.
 */
final class RequestHistory {
    private static final int BATCH = 256;
    private static final long PAUSE_NANOS = 200_000;
    private static final long CLOCKS_NANOS = 60_000_000_000L;

    private final Transport transport;
    private final Environment environment;
    private final boolean isSkipping; // of what is no frame
    private boolean hasSkipped; // a record, which may have been the newest one
    private final long deadlineNanos;
    private final List<String> opened = new ArrayList<>();
    private final String consumer = ObservingConsumer.name(
            "resends-" + Long.toHexString(UUID.randomUUID().getMostSignificantBits()));

    private RequestHistory(ChainStart start) {
        transport = start.transport();
        environment = start.settings().loops.environment();
        isSkipping = start.settings().unreadable != UnreadableFrames.STOP;
        deadlineNanos = environment.nanoTime() + start.settings().openLimit.toNanos();
    }

    /** Checks whether requests can be remembered. Returns whether those of earlier runs are. */
    static boolean check(ChainStart start, int mostOpen) {
        OpenRequests.Resends resends = start.settings().resends;
        if (resends == null) {
            return false;
        }
        if (resends.most() < mostOpen) {
            throw new IllegalArgumentException(resends.most() + " requests are remembered, and " + mostOpen
                    + " may be open; Deployment.resends(...) has to remember at least as many");
        }
        Transport transport = start.transport();
        if (!transport.guarantees().contains(Guarantee.DURABLE)) {
            return false;
        }
        if (!transport.startPositions().contains(StartPosition.Kind.TIME)) {
            throw new IllegalStateException(
                    "transport " + transport.name() + " cannot start to read a topic at a time, which"
                            + " Deployment.resends(...) needs for requests of earlier runs; leave it out");
        }
        return true;
    }

    /** Passes requests and replies to open requests. */
    static void read(ChainStart start, OpenRequests<?, ?> requests) {
        RequestHistory history = new RequestHistory(start);
        try {
            history.readAll(start, requests);
            requests.endHistory();
        } finally {
            ReplyReaders.forget(history.transport, history.environment, history.opened, history.consumer);
        }
    }

    private void readAll(ChainStart start, OpenRequests<?, ?> requests) {
        long from = Math.max(
                CLOCKS_NANOS, environment.wallNanos() - start.settings().resends.ageNanos() - CLOCKS_NANOS);
        List<String> firsts = start.topics(0);
        for (int partition = 0; partition < firsts.size(); partition++) {
            requests.sentUpTo(partition, read(firsts.get(partition), from, requests::sent));
        }
        for (String last : start.lastTopics()) {
            InboundMessage message = new InboundMessage(last);
            read(last, from - CLOCKS_NANOS, frame -> {
                if (!frame.isPlain() && RequestMark.find(frame) != Extension.NONE) {
                    requests.stored(message.of(frame, frame.head()));
                }
            });
        }
    }

    /** Reads the frames of a topic. Returns the sequence of the newest one. */
    private long read(String topic, long wallNanos, Consumer<Frame> each) {
        long newest;
        try (TopicInspector inspector = transport.inspect(topic)) {
            newest = inspector.newestSequence();
        }
        opened.add(topic);
        try (Connection connection = transport.connect();
                TopicReader reader = open(connection, topic, wallNanos)) {
            long[] at = {reader.found().acknowledged()};
            FrameHandler handler = (frame, position) -> {
                String defect = frame.validate();
                if (defect == null) {
                    each.accept(frame);
                } else if (!isSkipping) {
                    throw new DamagedTopicException(
                            "topic " + topic + ", sequence " + frame.sequence() + ": " + defect, false);
                }
                at[0] = frame.sequence();
                return FrameHandler.Verdict.DONE;
            };
            hasSkipped = false;
            while (newest > 0
                    && at[0] < newest
                    && !((hasSkipped || at[0] == TopicReader.UNKNOWN) && reader.backlog() == 0)) {
                int work = poll(reader, handler) + connection.doWork();
                if (at[0] < newest) {
                    checkTime(topic, newest);
                }
                if (work == 0) {
                    awaitMore(reader);
                }
            }
        }
        return newest;
    }

    private TopicReader open(Connection connection, String topic, long wallNanos) {
        try {
            return connection.openReader(topic, consumer, StartPosition.time(Instant.ofEpochSecond(0, wallNanos)));
        } catch (TopicMismatchException removed) { // by retention, so that the topic begins later
            return connection.openReader(topic, consumer, StartPosition.earliest());
        }
    }

    private int poll(TopicReader reader, FrameHandler handler) {
        try {
            return reader.poll(handler, BATCH);
        } catch (DamagedTopicException unreadable) {
            if (isSkipping && reader.skipUnreadable()) {
                hasSkipped = true;
                return 1;
            }
            throw unreadable;
        }
    }

    private void awaitMore(TopicReader reader) {
        if (reader.failure() != null) {
            throw reader.failure();
        }
        environment.park(PAUSE_NANOS);
    }

    private void checkTime(String topic, long newest) {
        if (environment.nanoTime() - deadlineNanos > 0) {
            throw new IllegalStateException("the requests in topic " + topic + " were not read up to sequence " + newest
                    + "; allow more time with Deployment.openWithin, or shorten that of Deployment.resends");
        }
    }
}
