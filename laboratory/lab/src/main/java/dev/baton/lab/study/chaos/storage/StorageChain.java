package dev.baton.lab.study.chaos.storage;

import dev.baton.Chain;
import dev.baton.Claim;
import dev.baton.Deployment;
import dev.baton.Message;
import dev.baton.MessageFields;
import dev.baton.Outlet;
import dev.baton.RunningChain;
import dev.baton.Source;
import dev.baton.lab.results.Json;
import dev.baton.lab.study.chaos.ArchiveProcess;
import dev.baton.lab.study.chaos.ChainScenario;
import dev.baton.lab.study.chaos.SetUp;
import dev.baton.lab.study.chaos.audit.Account;
import dev.baton.lab.study.chaos.audit.NumberedMessage;
import dev.baton.lab.study.chaos.audit.TopicAudit;
import dev.baton.lab.trial.Transports;
import dev.baton.operations.chains.ForwardingChain;
import dev.baton.operations.settings.Subject;
import dev.baton.operations.verify.Audit;
import dev.baton.operations.verify.VerifyCommand;
import dev.baton.run.Loops;
import dev.baton.spi.Incarnation;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.Causes;
import io.aeron.archive.ArchiveTool;
import io.aeron.archive.ArchivingMediaDriver;
import io.aeron.archive.client.AeronArchive;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.agrona.CloseHelper;

/**
 * A process with a chain of one service, its sender and its receiver: writes the files that are damaged after it was killed, or
 * examines damaged ones. Its threads are a loop and one that waits.
 */
public final class StorageChain {
    static final String READY = "storage chain is ready";
    static final String STORED = "stored ";
    static final String RECEIVED = "received ";
    static final String EXAMINED = "examined ";
    static final String RECORD = "record ";
    private static final String STRADDLING = "incomplete last fragment straddling page boundary";
    static final String STUCK = "the Archive does not end";
    static final String FAILED = "failed ";

    private static final String WRITE = "write";
    private static final Chain CHAIN = ForwardingChain.of(ChainScenario.CHAIN, 1);
    static final int TOPICS = 2;
    private static final int EXTRA = 10; // messages that an examination sends
    private static final long TURN_NANOS = 500_000;
    private static final int MOST_PER_TURN = 8;
    private static final long LOOK_MILLIS = 2;
    private static final long CLOSE_MILLIS = 10_000;
    private static final Duration STALL_LIMIT = Duration.ofSeconds(12);

    private final Plan plan;
    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final Map<Long, Long> received = new ConcurrentHashMap<>(); // when it was sent, by its number
    private final Map<String, String> verified = new HashMap<>(); // what 'baton verify' finds, by topic
    private volatile long first; // number that the receiver got; 0: none
    private volatile long newest;
    private volatile String wrong; // what the receiver found; null: nothing
    private final BitSet skipped = new BitSet(); // numbers that the receiver did not get between others
    private long hole; // first number that the last topic lacks; 0: none
    private boolean isStuck; // a thread of the Archive does not end

    private StorageChain(Plan plan) {
        this.plan = plan;
    }

    /**
     * The plan of a process.
     *
     * @param handled messages that pass the chain before the others
     * @param unread messages that nothing handles; 0: messages pass the chain until the process is killed
     */
    record Plan(
            String transport, Map<String, String> options, long seed, int handled, int unread, boolean hasChecksums) {
        /** The flag of a process that runs as after a restart of the host. */
        static String restarted() {
            return "-D" + Incarnation.BOOT_ID + "=" + UUID.randomUUID();
        }

        /** The Archive that the transport needs; null: none. */
        private ArchivingMediaDriver archive(Path directory) {
            return transport.equals(SetUp.CHRONICLE.transport) ? null : ArchiveProcess.launch(directory, 0);
        }

        /** The transport over these files, or over the Archive. */
        private Transport open(Path directory) {
            Map<String, String> all = new TreeMap<>(options);
            all.putAll(
                    transport.equals(SetUp.CHRONICLE.transport)
                            ? Map.of(
                                    Subject.DIRECTORY,
                                    directory.resolve("queues").toString())
                            : Map.of("driver", ArchiveProcess.driver(directory).toString()));
            return Transports.named(transport).open(all);
        }
    }

    /**
     * The result of an examination. Immutable.
     *
     * @param found number of the newest message in the first topic at the start
     * @param first number that the receiver got; 0: none
     * @param hole first number that the last topic lacks between others; 0: none
     * @param refusal the failure of the chain, or the damage that a reader of a topic met; null: none
     * @param isOfArchive whether the Archive refused, which has words of its own
     * @param wrong what is lost, doubled or stalled; null: nothing
     * @param altered what differs from the sent messages; null: nothing
     * @param warnings from the log
     */
    record Seen(
            long found,
            long first,
            long hole,
            String refusal,
            boolean isOfArchive,
            String wrong,
            String altered,
            List<String> warnings) {}

    /** The failure of a process that writes. @param isOfArchive whether the Archive refused, which has words of its own */
    record Failed(String text, boolean isOfArchive) {}

    /** An Archive that does not start. */
    private static final class ArchiveRefusal extends IllegalStateException {
        private static final long serialVersionUID = 1;

        ArchiveRefusal(Throwable cause) {
            super("the Archive does not start", cause);
        }
    }

    /** Runs it. @param arguments what to do, the file of a {@link Plan}, and where to write */
    public static void main(String[] arguments) throws IOException {
        Plan plan = Json.read(Path.of(arguments[1]), Plan.class);
        if (arguments[0].equals(WRITE)) {
            try {
                new StorageChain(plan).write(Path.of(arguments[2]));
            } catch (RuntimeException failed) {
                System.out.println(FAILED + Json.line(new Failed(text(failed), failed instanceof ArchiveRefusal)));
                Runtime.getRuntime().halt(1);
            }
            return;
        }
        System.out.println(READY);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            StorageChain chain = new StorageChain(plan);
            String seen = Json.line(chain.examine(Path.of(line)));
            System.out.println(
                    (chain.isStuck ? STUCK + System.lineSeparator() : "") + EXAMINED + seen.replace(line + "/", ""));
        }
        Runtime.getRuntime().halt(0); // a damaged file may have left something that does not end
    }

    private void write(Path directory) {
        ArchivingMediaDriver archive = launch(directory);
        try (Transport transport = plan.open(directory);
                Loops loops = Loops.cooperative(1)) {
            Feeding all = new Feeding(plan.handled + (plan.unread == 0 ? Integer.MAX_VALUE / 2 : 0), true);
            RunningChain whole = start(transport, loops, all);
            await(() -> newest >= plan.handled, true);
            if (plan.unread > 0) {
                whole.close();
                Feeding rest = new Feeding(plan.handled + plan.unread, true);
                Deployment sender = CHAIN.on(transport)
                        .with(loops)
                        .checksums(plan.hasChecksums)
                        .only()
                        .onFailure(failures::add);
                sender.from(rest).start();
                await(() -> rest.stored >= plan.handled + plan.unread, true);
            }
            if (archive != null) {
                tellRecords(archive);
            }
            System.out.println(READY);
            await(() -> false, true); // until it is killed
        }
    }

    /** Prints the numbers of the recordings that have the records of the topics' ends. */
    private static void tellRecords(ArchivingMediaDriver archive) {
        AeronArchive.Context of = new AeronArchive.Context()
                .aeronDirectoryName(archive.mediaDriver().aeronDirectoryName())
                .controlRequestChannel(archive.archive().context().localControlChannel())
                .controlRequestStreamId(archive.archive().context().localControlStreamId())
                .controlResponseChannel("aeron:ipc");
        try (AeronArchive client = AeronArchive.connect(of)) {
            client.listRecordings(
                    0,
                    Integer.MAX_VALUE,
                    (control,
                            correlation,
                            id,
                            begun,
                            ended,
                            start,
                            stop,
                            term,
                            segment,
                            length,
                            mtu,
                            session,
                            stream,
                            stripped,
                            channel,
                            source) -> {
                        for (int topic = 0; topic < TOPICS; topic++) {
                            if (channel.contains(recordOf(topic))) {
                                System.out.println(RECORD + topic + " " + id);
                            }
                        }
                    });
        }
    }

    /** Returns a part of the entry that the record of a topic's end has in the Archive's catalog. */
    static String recordOf(int topic) {
        return "baton-end;" + ChainScenario.topic(topic) + ";";
    }

    private RunningChain start(Transport transport, Loops loops, Feeding source) {
        return CHAIN.on(transport)
                .with(loops)
                .checksums(plan.hasChecksums)
                .from(source)
                .onOutput(this::take)
                .onFailure(failures::add)
                .start();
    }

    private void take(Message in) {
        boolean isWhole = NumberedMessage.isWhole(in::getLong, in.length(), plan.seed);
        long number = isWhole ? NumberedMessage.number(in::getLong) : 0;
        boolean isOfOtherBoot =
                System.getProperty(Incarnation.BOOT_ID) != null && in.originNanos() == Message.UNKNOWN_TIME;
        if (!isWhole || !isOfOtherBoot && in.originNanos() != NumberedMessage.sentNanos(in::getLong)) {
            wrong = "the receiver got a message at sequence " + in.sequence() + " that was not sent";
        } else if (newest != 0 && number <= newest) {
            wrong = "the receiver got message " + number + " after " + newest;
        } else if (newest != 0) {
            skipped.set((int) newest + 1, (int) number);
        }
        received.put(number, in.originNanos());
        first = first == 0 ? number : first;
        newest = number;
        System.out.println(RECEIVED + number);
    }

    private Seen examine(Path directory) {
        for (Handler each : Logger.getLogger("").getHandlers()) {
            each.setFilter(this::isPrinted);
        }
        Feeding source = new Feeding(0, false);
        String stall = null;
        List<Account.Topic> topics = new ArrayList<>();
        ArchivingMediaDriver archive = null;
        try {
            archive = launch(directory);
            stall = run(directory, source, topics);
        } catch (RuntimeException failed) {
            failures.add(failed);
        } finally {
            close(archive);
        }
        return seen(source, stall, topics);
    }

    /** Closes the Archive, but for one whose thread does not leave a damaged recording. */
    private void close(ArchivingMediaDriver archive) {
        Thread closing = new Thread(() -> CloseHelper.quietClose(archive));
        closing.setDaemon(true);
        closing.start();
        try {
            closing.join(CLOSE_MILLIS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        isStuck = closing.isAlive();
    }

    /** Launches an Archive. One that refuses a torn fragment at an end is launched after its own tool has cut the fragment off. */
    private ArchivingMediaDriver launch(Path directory) {
        try {
            return plan.archive(directory);
        } catch (RuntimeException | OutOfMemoryError refused) { // it allocates the length of a damaged entry
            ArchiveRefusal refusal = new ArchiveRefusal(refused);
            String text = text(refusal);
            if (!text.contains(STRADDLING) || !warnings.isEmpty()) {
                throw refusal;
            }
            File recordings = ArchiveProcess.recordings(directory).toFile();
            PrintStream none = new PrintStream(OutputStream.nullOutputStream());
            ArchiveTool.verify(none, recordings, Set.of(), null, torn -> true);
            warnings.add(text + "; cut off by ArchiveTool");
            return launch(directory);
        }
    }

    /** Runs the chain until all messages have come out, and reads its topics. @return why they do not come out; null: they do */
    private String run(Path directory, Feeding source, List<Account.Topic> topics) {
        try (Transport transport = plan.open(directory);
                Loops loops = Loops.cooperative(1)) {
            RunningChain running = start(transport, loops, source);
            boolean isWhole = await(() -> source.found >= 0 && newest >= source.found + EXTRA, false);
            running.close(failures.isEmpty() ? Duration.ofSeconds(5) : Duration.ofMillis(1));
            for (int topic = 0; failures.isEmpty() && topic < TOPICS; topic++) {
                TopicAudit.Expectation expected =
                        new TopicAudit.Expectation(topic, Integer.MAX_VALUE, plan.seed, new BitSet(), new BitSet(), 0);
                Account.Topic found = TopicAudit.of(transport, ChainScenario.topic(topic), expected);
                topics.add(found);
                if (isHole(found)) {
                    BitSet numbers = TopicAudit.numbers(transport, found.topic(), expected);
                    hole = numbers.nextClearBit(1);
                    skipped.and(numbers);
                }
                if (!found.isClean()) {
                    verify(transport, found.topic());
                }
            }
            return isWhole || !failures.isEmpty()
                    ? null
                    : "no message for " + STALL_LIMIT.toSeconds() + " s after message " + newest + " of "
                            + (source.found + EXTRA);
        }
    }

    /** Returns whether the last topic lacks messages between others, and nothing else is wrong with it. */
    private static boolean isHole(Account.Topic topic) {
        return topic.topic().equals(ChainScenario.topic(TOPICS - 1))
                && topic.missing() > 0
                && topic.duplicated() + topic.reordered() + topic.altered() + topic.gaps() + topic.damaged() == 0;
    }

    private boolean isPrinted(LogRecord line) {
        if (line.getLevel().intValue() >= Level.WARNING.intValue()) {
            warnings.add(new SimpleFormatter().formatMessage(line));
        }
        return false;
    }

    /** Looks whether {@code baton verify} finds what is wrong with a topic. */
    private void verify(Transport transport, String topic) {
        new Audit(transport, (audit, ofAbout) -> {}, () -> false)
                .of(Set.of(topic)).stream()
                        .filter(each -> !each.isClean())
                        .findFirst()
                        .ifPresent(each -> verified.putIfAbsent(
                                topic,
                                "verify: topic " + topic + ": " + String.join("; ", each.told()) + "; "
                                        + VerifyCommand.REMEDY));
    }

    private Seen seen(Feeding source, String stalled, List<Account.Topic> topics) {
        String stall = stalled;
        String refusal = failures.isEmpty() ? null : text(failures.get(0));
        String altered =
                wrong != null || skipped.isEmpty() ? wrong : "the receiver skipped message " + skipped.nextSetBit(0);
        for (Account.Topic each : topics) {
            boolean isChanged = each.altered() + each.duplicated() + each.reordered() > 0;
            boolean isVerified = verified.containsKey(each.topic());
            altered = altered == null && isChanged && !isVerified ? each.topic() + ": " + each.finding() : altered;
            stall = stall == null && !each.isClean() && !isHole(each) ? each.topic() + ": " + each.finding() : stall;
            refusal = refusal == null && isVerified ? verified.get(each.topic()) : refusal;
        }
        for (Map.Entry<Long, Long> each : source.sent.entrySet()) {
            boolean hasCome = each.getValue().equals(received.get(each.getKey()));
            stall = stall == null && !hasCome && failures.isEmpty()
                    ? "message " + each.getKey() + ", sent after the start, did not come out"
                    : stall;
        }
        boolean isOfArchive = !failures.isEmpty() && failures.get(0) instanceof ArchiveRefusal;
        return new Seen(source.found, first, hole, refusal, isOfArchive, stall, altered, List.copyOf(warnings));
    }

    /** Waits until something is so, the chain has failed, or, in an examination, no message has come for a while. */
    private boolean await(BooleanSupplier isSo, boolean isPatient) {
        long seen = newest;
        long since = System.nanoTime();
        while (!isSo.getAsBoolean()) {
            if (!failures.isEmpty()) {
                if (isPatient) {
                    throw new IllegalStateException(failures.get(0).getMessage(), failures.get(0));
                }
                return false;
            }
            if (newest != seen) {
                seen = newest;
                since = System.nanoTime();
            } else if (!isPatient && System.nanoTime() - since > STALL_LIMIT.toNanos()) {
                return false;
            }
            ChainScenario.sleep(LOOK_MILLIS);
        }
        return true;
    }

    private static String text(Throwable failure) {
        StringBuilder text = new StringBuilder();
        for (Throwable each : Causes.of(failure)) {
            String own = each instanceof TransportException || each instanceof IllegalStateException
                    ? String.valueOf(each.getMessage())
                    : each.toString();
            if (text.indexOf(own) < 0) {
                text.append(text.isEmpty() ? "" : "; ").append(own);
            }
        }
        return text.toString();
    }

    /** Sends numbered messages: number n is sequence n of the first topic. Confined to its loop; any thread may read its report. */
    private final class Feeding implements Source {
        private final boolean isTold;
        private final MessageFields fields = new MessageFields();
        private final Map<Long, Long> sent = new ConcurrentHashMap<>(); // by an examination
        private volatile long found = -1; // sequence at the start
        private volatile long stored;
        private long last;
        private long due;

        /**
         * Creates a source.
         *
         * @param last last number to send; 0 for a few after those that were found
         * @param isTold whether it reports what is stored
         */
        Feeding(long last, boolean isTold) {
            this.last = last;
            this.isTold = isTold;
        }

        @Override
        public int onTick(Outlet out) {
            long now = System.nanoTime();
            if (found < 0) {
                last = last == 0 ? out.sequence() + EXTRA : last;
                found = out.sequence();
            }
            int count = 0;
            while (now >= due && count < MOST_PER_TURN && out.sequence() < last && out.remainingCapacity() > 0) {
                long origin = System.nanoTime();
                long number = out.sequence() + 1;
                Claim claim = out.claim(NumberedMessage.BYTES, fields.originNanos(origin));
                if (claim == null) {
                    break;
                }
                NumberedMessage.write(claim::putLong, number, origin, plan.seed);
                claim.commit(NumberedMessage.BYTES);
                if (!isTold) {
                    sent.put(number, origin);
                }
                count++;
            }
            due = out.sequence() >= last ? Long.MAX_VALUE : count > 0 ? now + TURN_NANOS : due;
            return count;
        }

        @Override
        public long deadlineNanos() {
            return due == 0 ? System.nanoTime() : due;
        }

        @Override
        public void onStored(long sequence) {
            if (isTold && sequence > stored) {
                System.out.println(STORED + sequence);
            }
            stored = sequence;
        }
    }
}
