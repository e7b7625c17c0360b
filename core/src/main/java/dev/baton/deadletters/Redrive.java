package dev.baton.deadletters;

import dev.baton.engine.chain.Wait;
import dev.baton.engine.letters.LetterReading;
import dev.baton.engine.message.InboundMessage;
import dev.baton.engine.plan.ChainNames;
import dev.baton.engine.writing.FrameWriter;
import dev.baton.engine.writing.RedriveMark;
import dev.baton.engine.writing.WriterOutlet;
import dev.baton.run.Environment;
import dev.baton.spi.Cause;
import dev.baton.spi.Connection;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.TransportException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ObjLongConsumer;

/**
 * A redrive of dead letters: it sends them again to the service that failed to handle them. It appends each message to the
 * service's input topic, once, with its type, payload, key and origin. The letters remain in their topic.
 *
 * <p>The input topic has one writer, which is the redrive while it runs. So first stop what feeds the topic: an inlet or
 * the preceding service. The failed service itself may run. On a transport that excludes a second writer ({@link
 * Guarantee#EXCLUSIVE}) a topic whose writer is alive is refused. On other transports a topic that grows is refused, and an
 * idle writer is replaced, which stops its chain.
 *
 * <p>Each message that is sent again names its letter ({@link dev.baton.spi.Extension#REDRIVEN}), and the consumer {@value
 * #CONSUMER} of the dead-letter topic keeps the position of the redrive. So a redrive that was killed can be repeated: it
 * finds its earlier messages in the input topic, and continues after them. A message is sent twice only if the topic's
 * retention has removed it between the two redrives. If a crash has left a letter twice, it is sent once. Stateless,
 * thread-safe.
 */
public final class Redrive {
    /** The name of the consumer whose position in a dead-letter topic shows which letters were sent again. */
    public static final String CONSUMER = "redrive";

    private static final int BATCH = 256; // frames, two for each letter
    private static final long STILL_NANOS = 2_000_000_000L;
    private static final long PATIENCE_NANOS = 60_000_000_000L;
    private static final long PAUSE_NANOS = 1_000_000;

    /**
     * The result of a redrive. Immutable, thread-safe.
     *
     * @param topic topic to which the messages were sent
     * @param sent number of letters that were sent now
     * @param alreadySent number of letters that an earlier redrive had sent without recording it
     * @param repeated number of letters that were not sent because their message has an earlier letter
     * @param unreadable number of letters that were not sent because they are records that could not be read
     * @param removed number of frames of letters, two for each, that retention removed since the last redrive, before this one
     */
    public record Report(String topic, long sent, long alreadySent, long repeated, long unreadable, long removed) {}

    private final Environment environment = Environment.system();
    private final Connection connection;
    private final TopicWriter writer;
    private final TopicReader reader;
    private final RedriveMark mark;
    private final WriterOutlet outlet;
    private final LetterReading reading;
    private final String input;
    private final Set<Long> repeats;
    private final long sentBefore; // sequence of the newest letter that an earlier redrive has sent
    private final List<DeadLetter> batch = new ArrayList<>();
    private final List<Long> sequences = new ArrayList<>(); // of the batch's messages in the input topic
    private long sent;
    private long alreadySent;
    private long repeated;
    private long unreadable;

    private Redrive(
            Connection connection,
            TopicWriter writer,
            TopicReader reader,
            String letters,
            String input,
            Set<Long> repeats,
            long sentBefore) {
        this.connection = connection;
        this.writer = writer;
        this.reader = reader;
        this.input = input;
        this.repeats = repeats;
        this.sentBefore = sentBefore;
        this.mark = new RedriveMark(reader.found().identity(), writer);
        this.outlet = new WriterOutlet(new FrameWriter(writer, Integer.MAX_VALUE, mark), 1, environment, null);
        this.reading = new LetterReading(letters, this::send);
    }

    /**
     * Sends every letter that was not sent again yet. Blocks until all of them are stored.
     *
     * @param transport transport that has both topics
     * @param letters name of a dead-letter topic, or of one partition of it
     * @param onSent receives each letter, and the sequence of its message in the input topic, when the message is stored
     * @return the result, when all messages are stored
     * @throws IllegalArgumentException if the topic holds something else, or a message is too long with its mark; earlier
     *     messages are sent. Also if the letters are those of a tap or a branch, since their messages would reach every reader
     *     of its topic; nothing is sent then
     * @throws TransportException if a topic does not exist, is in use, or cannot be written
     */
    public static Report run(Transport transport, String letters, ObjLongConsumer<? super DeadLetter> onSent) {
        String input = DeadLetter.inputOf(letters);
        if (input == null) {
            throw new IllegalArgumentException(
                    "'" + letters + "' is no dead-letter topic: its name does not end in " + ChainNames.DEAD_LETTERS);
        }
        long newest;
        long acknowledged;
        long oldest; // oldest frame that remains
        Set<Long> repeats = new HashSet<>();
        try (TopicInspector inspector = transport.inspect(letters)) {
            newest = inspector.newestSequence();
            acknowledged = inspector.acknowledged().getOrDefault(CONSUMER, 0L);
            oldest = findRepeats(letters, inspector, repeats);
        }
        long removed = acknowledged == TopicReader.UNKNOWN
                ? 0
                : Math.max(0, (oldest == 0 ? newest + 1 : oldest) - acknowledged - 1);
        if (oldest == 0) {
            return new Report(input, 0, 0, 0, 0, removed);
        }
        checkStill(transport, input);
        try (Wait wait = new Wait(Environment.system()); // of the whole redrive
                Connection connection = transport.connect()) {
            TopicReader reader = open(connection, letters, removed > 0 && canStartAtOldest(transport));
            if (reader.found().acknowledged() >= newest) {
                return new Report(input, 0, 0, 0, 0, removed);
            }
            TopicWriter writer = open(connection, input);
            long sentBefore = newestSent(transport, input, reader.found().identity());
            Redrive redrive = new Redrive(connection, writer, reader, letters, input, repeats, sentBefore);
            redrive.sendUpTo(newest, onSent, wait);
            return new Report(input, redrive.sent, redrive.alreadySent, redrive.repeated, redrive.unreadable, removed);
        }
    }

    private static boolean canStartAtOldest(Transport transport) {
        return transport.startPositions().contains(StartPosition.Kind.EARLIEST);
    }

    /**
     * Opens the letters, which excludes a second redrive. A position that retention has removed is refused by some
     * transports.
     */
    private static TopicReader open(Connection connection, String letters, boolean atOldest) {
        return atOldest
                ? connection.openReader(letters, CONSUMER, StartPosition.earliest())
                : connection.openReader(letters, CONSUMER);
    }

    /**
     * Adds the letters of messages that have an earlier letter, by the sequences of their second frames; returns the
     * sequence of the oldest frame, 0 for none.
     */
    private static long findRepeats(String letters, TopicInspector inspector, Set<Long> repeats) {
        Map<Long, Long> firsts = new HashMap<>();
        LetterReading all = new LetterReading(letters, (letter, message) -> {
            checkIsOfChain(letters);
            if (letter.attempts() == 0) {
                return Verdict.DONE;
            }
            Long first = firsts.putIfAbsent(letter.sequence(), message.sequence());
            if (first != null) {
                InputRef before = inspector.inputOf(first);
                if (before.equals(inspector.inputOf(message.sequence()))) {
                    repeats.add(message.sequence());
                } else {
                    firsts.put(
                            letter.sequence(), message.sequence()); // earlier letter is of another topic of this name
                }
            }
            return Verdict.DONE;
        });
        while (inspector.read(all, BATCH) > 0) {
            // continues with the next frame
        }
        return all.firstSequence();
    }

    /** Throws if the letters are those of a tap or a branch. The names of such topics contain that of the consumer. */
    private static void checkIsOfChain(String letters) {
        if (ChainNames.isBeside(letters)) {
            throw new IllegalArgumentException("'" + letters
                    + "' holds letters of a consumer beside the chain of topic '"
                    + ChainNames.topicOf(letters)
                    + "': sent again, they would reach every reader of that topic; read them with "
                    + "DeadLetter.readAll and handle them there");
        }
    }

    /** Throws if the topic grows on a transport that does not fence a second writer, because then another writer is active. */
    private static void checkStill(Transport transport, String input) {
        if (transport.guarantees().contains(Guarantee.EXCLUSIVE)) {
            return;
        }
        Environment world = Environment.system();
        try (Wait wait = new Wait(world);
                TopicInspector inspector = transport.inspect(input)) {
            long before = inspector.newestSequence();
            long end = world.nanoTime() + STILL_NANOS;
            for (long left = STILL_NANOS; left > 0; left = end - world.nanoTime()) {
                wait.park(left);
            }
            if (inspector.newestSequence() != before) {
                throw new TransportException("topic '" + input + "' is in use: it grows. Stop what writes it first,"
                        + " which is the inlet, or the service in front of this one");
            }
        }
    }

    /** Opens the input topic for the chain that wrote it, so that the next writer is still compared with that. */
    private static TopicWriter open(Connection connection, String input) {
        TopicWriter writer = connection.openWriter(input);
        Incarnation before = writer.found().writer();
        if (before == null || before.topology().equals(Incarnation.NO_TOPOLOGY)) {
            return writer;
        }
        writer.close();
        return connection.openWriter(input, before.topology());
    }

    /** Reads the input topic, because a redrive that was killed may have sent more than it could acknowledge. */
    private static long newestSent(Transport transport, String input, long identity) {
        long[] newest = {0};
        try (TopicInspector inspector = transport.inspect(input)) {
            int read = 1;
            while (read > 0) {
                try {
                    read = inspector.read(
                            (frame, position) -> {
                                newest[0] = Math.max(newest[0], RedriveMark.letterOf(frame, identity));
                                return Verdict.DONE;
                            },
                            BATCH);
                } catch (DamagedTopicException foreign) {
                    if (foreign.isEnd()) {
                        throw foreign;
                    }
                }
            }
        }
        return newest[0];
    }

    private void sendUpTo(long newest, ObjLongConsumer<? super DeadLetter> onSent, Wait wait) {
        writer.answers(writer.found().input()); // earlier frames are still answered as before
        long idleSince = environment.nanoTime();
        while (reading.lastSequence() < newest) {
            long end = reading.endOfLetter();
            int polled = reader.poll(reading, BATCH);
            int work = turn();
            if (reading.endOfLetter() != end) {
                settle(onSent, wait);
            }
            if (polled > 0 || work > 0) {
                idleSince = environment.nanoTime();
            } else if (reader.backlog() == 0) {
                return; // the last acknowledged sequence was not known at open
            } else {
                checkPatience(idleSince, "no letter came, or no room for one in topic '" + input + "',");
                wait.park(PAUSE_NANOS);
            }
        }
    }

    /** Acknowledges the letters whose messages are stored. */
    private void settle(ObjLongConsumer<? super DeadLetter> onSent, Wait wait) {
        writer.flush();
        long begun = environment.nanoTime();
        while (writer.storedSequence() < writer.sequence()) {
            turn();
            checkPatience(begun, "topic '" + input + "' did not store what was sent");
            wait.park(PAUSE_NANOS);
        }
        reader.acknowledge(reading.endOfLetter());
        turn();
        RuntimeException thrown = null; // thrown after all letters are reported, as none of them is sent again
        for (int i = 0; i < batch.size(); i++) {
            try {
                onSent.accept(batch.get(i), sequences.get(i));
            } catch (RuntimeException each) {
                thrown = thrown == null ? each : thrown;
            }
        }
        batch.clear();
        sequences.clear();
        if (thrown != null) {
            throw thrown;
        }
    }

    /** One turn of the connection. Returns its work count. */
    private int turn() {
        int work = connection.doWork();
        TransportException ended = writer.failure() == null ? reader.failure() : writer.failure();
        if (ended != null) {
            throw ended;
        }
        return work;
    }

    private void checkPatience(long sinceNanos, String what) {
        if (environment.nanoTime() - sinceNanos > PATIENCE_NANOS) {
            throw new TransportException(what + " within " + PATIENCE_NANOS / 1_000_000_000 + " s; run it again");
        }
    }

    private Verdict send(DeadLetter letter, InboundMessage message) {
        if (letter.attempts() == 0) {
            unreadable++;
            return Verdict.DONE;
        }
        if (message.sequence() <= sentBefore) {
            alreadySent++;
            return Verdict.DONE;
        }
        if (repeats.contains(message.sequence())) {
            repeated++;
            return Verdict.DONE;
        }
        mark.of(message.sequence());
        outlet.beginBatch();
        outlet.beginInput(message.servicesPassed(), writer.found().cause(), 0);
        try {
            if (!outlet.forward(message, origin(message))) {
                return Verdict.RETRY;
            }
        } catch (IllegalArgumentException tooLong) {
            throw new IllegalArgumentException(
                    "message " + letter.sequence() + " of topic '" + letter.topic()
                            + "' is too long to be sent again: it" + " carries a mark of " + mark.bytes()
                            + " bytes; raise the transport's longest payload",
                    tooLong);
        }
        sent++;
        batch.add(letter);
        sequences.add(writer.sequence());
        return Verdict.DONE;
    }

    /**
     * Returns the message's origin time by this process's clock. After outputs of a tick it is the time of the tick,
     * because the sending service computes from the newest message of its topic.
     */
    private long origin(InboundMessage message) {
        boolean isBehindTick = Cause.isOfTick(writer.found().cause());
        Incarnation author = isBehindTick ? writer.found().writer() : reading.author();
        long origin =
                isBehindTick ? writer.found().originNanos() : message.frame().originNanos();
        Incarnation own = writer.incarnation();
        return author == null || own == null ? origin : origin + author.wallOffsetNanos() - own.wallOffsetNanos();
    }
}
