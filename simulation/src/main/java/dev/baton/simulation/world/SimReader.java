package dev.baton.simulation.world;

import dev.baton.simulation.plan.Choices;
import dev.baton.simulation.plan.Rule;
import dev.baton.simulation.time.SimEnvironment;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.Incarnation;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicReader.TopicStart;
import dev.baton.spi.errors.ReplacedException;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.FencingRule;

/** A named consumer's view of a simulated topic; a position is a number of entries. Confined to its connection's actor. */
final class SimReader implements TopicReader {
    private static final int MAX_CLOSE_TURNS = 4;

    final SimConnection connection;
    private final World world;
    final SimTopic topic;
    final String name;
    private final SimTopic.Consumer consumer;
    private final long id;
    private final FencingRule fencing = new FencingRule();
    private final Frame view = new Frame();
    private final TopicStart found;
    private int next;
    private int handedOver;
    private int acknowledged;
    private Incarnation author;
    private long noticesAt = Long.MAX_VALUE;
    private final long fetchesAt; // over a network, the first frames of some topics come later
    private int closeTurns;
    private boolean isClosed;

    private SimReader(SimConnection connection, SimTopic topic, String name, long id) {
        this.connection = connection;
        this.world = connection.world;
        this.topic = topic;
        this.name = name;
        this.consumer = topic.consumer(name);
        this.id = id;
        next = Math.min(consumer.open(), topic.log.size());
        handedOver = next;
        acknowledged = next;
        long last = 0;
        for (int i = 0; i < topic.log.size(); i++) {
            SimTopic.Entry entry = topic.log.get(i);
            if (i < next && entry.isMarker()) {
                fencing.announce(entry.author.id());
            } else if (i < next && fencing.counts(entry.author.id())) {
                last = entry.sequence;
            }
        }
        boolean isLate =
                !world.setting.isImmediate() && !world.setting.knowsSequence && topic.name.contains(".retries");
        fetchesAt = isLate ? world.scheduler.now + world.setting.storeNanos() : 0;
        SimTopic.Entry newest = topic.newest();
        found = new TopicStart(
                world.setting.knowsSequence ? last : UNKNOWN,
                !world.setting.knowsNewest ? UNKNOWN : newest == null ? 0 : newest.sequence,
                topic.identity);
    }

    static SimReader open(SimConnection connection, SimTopic topic, String name, StartPosition from) {
        World world = connection.world;
        SimTopic.Consumer consumer = topic.consumer(name);
        if (world.setting.isExclusive && !consumer.live.isEmpty()) {
            connection.transport.process.metRival = true;
            throw new TransportException("consumer " + name + " of topic " + topic.name + " has a live reader");
        }
        topic.requireWhole(connection.transport.process);
        consumer.opener = connection.transport.process;
        if (from.kind() == StartPosition.Kind.TIME) {
            consumer.position = topic.sentBefore(from.epochNanos() - SimEnvironment.wallOffset());
        } else if (!from.isStored()) {
            consumer.position = topic.log.size();
        }
        long id = Incarnation.id(++consumer.readers, consumer.readers);
        consumer.fencing.announce(id);
        for (SimReader older : consumer.live) {
            if (older.noticesAt == Long.MAX_VALUE) {
                older.connection.transport.process.isReplaced = true;
                older.noticesAt = world.scheduler.now + world.setting.noticeNanos();
            }
        }
        SimReader reader = new SimReader(connection, topic, name, id);
        consumer.live.add(reader);
        topic.readers.add(reader);
        world.account().opened("readers " + name + " of topic " + topic.name, consumer.live.size());
        world.at(reader.fetchesAt, connection::news);
        world.says("opens reader " + name + " of " + topic.name + " at " + reader.found.acknowledged());
        return reader;
    }

    private void checkNotReplaced() {
        if (failure() != null) {
            throw failure();
        }
    }

    @Override
    public TransportException failure() {
        return world.scheduler.now < noticesAt
                ? null
                : new ReplacedException(
                        topic.name, name, "consumer " + name + " of " + topic.name + " has a newer reader", null);
    }

    @Override
    public int poll(FrameHandler handler, int limit) {
        connection.use("poll");
        if (isClosed) {
            throw new IllegalStateException("poll after close");
        }
        if (limit < 1) {
            world.account().violate(Rule.CONFINED, "poll of " + limit, null);
        }
        checkNotReplaced();
        int most = world.scheduler.now < fetchesAt ? 0 : Math.min(limit, world.setting.pollMax());
        int consumed = 0;
        while (consumed < most && next < topic.log.size()) {
            SimTopic.Entry entry = topic.log.get(next);
            if (entry.isMarker()) {
                fencing.announce(entry.author.id());
                next++;
                continue;
            }
            if (!fencing.counts(entry.author.id())) {
                next++;
                continue;
            }
            if (author != entry.author) {
                author = entry.author;
                handler.onWriter(author);
            }
            handedOver = Math.max(handedOver, next + 1);
            view.wrap(entry.frame, 0, entry.payloadLength);
            if (handler.onFrame(view, next + 1L) == FrameHandler.Verdict.RETRY) {
                break;
            }
            next++;
            consumed++;
        }
        return consumed;
    }

    @Override
    public void acknowledge(long position) {
        connection.use("acknowledge");
        if (position > handedOver) {
            world.account()
                    .violate(Rule.CONFINED, "position " + position + " acknowledged, handed over " + handedOver, null);
            return;
        }
        if (position <= acknowledged || isClosed) {
            return;
        }
        acknowledged = (int) position;
        world.trace.fact(position);
        long delay = world.setting.positionNanos();
        int remembered = acknowledged;
        if (delay == 0) {
            remember(remembered);
        } else {
            world.at(world.scheduler.now + delay, () -> {
                if (!isClosed && !connection.transport.process.isDead) {
                    remember(remembered);
                }
            });
        }
    }

    private void remember(int position) {
        if (consumer.fencing.counts(id)) {
            consumer.older = consumer.position;
            consumer.position = Math.max(consumer.position, position);
            world.account().acknowledged(topic, name, position);
        }
    }

    @Override
    public TopicStart found() {
        return found;
    }

    @Override
    public Incarnation writer() {
        return author;
    }

    @Override
    public long backlog() {
        if (!world.setting.knowsBacklog || world.scheduler.now < fetchesAt) {
            return UNKNOWN;
        }
        int frames = 0;
        for (int i = next; i < topic.log.size(); i++) {
            if (!topic.log.get(i).isMarker() && topic.log.get(i).counts) {
                frames++;
            }
        }
        return frames;
    }

    @Override
    public void abandon() {
        connection.transport.checkAlive();
        leave();
    }

    /** Closes in several turns, where opens take two steps. */
    @Override
    public boolean tryClose() {
        connection.use("tryClose");
        if (isClosed) {
            return true;
        }
        if (world.setting.opensInSteps
                && closeTurns++ < MAX_CLOSE_TURNS
                && world.choices.oneIn(Choices.Kind.WORLD, 2)) {
            return false;
        }
        close();
        return true;
    }

    @Override
    public void close() {
        connection.transport.checkAlive();
        if (!isClosed) {
            remember(acknowledged);
            leave();
        }
    }

    /** Ends it, as its process was killed. */
    void killed() {
        leave();
    }

    private void leave() {
        isClosed = true;
        consumer.live.remove(this);
        topic.readers.remove(this);
    }
}
