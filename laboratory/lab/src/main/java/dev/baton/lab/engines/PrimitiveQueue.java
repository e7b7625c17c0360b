package dev.baton.lab.engines;

import dev.baton.operations.settings.Subject;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportProvider;
import dev.baton.spi.TransportProvider.TopicFootprint;
import dev.baton.spi.options.OptionSpec;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jctools.queues.SpscArrayQueue;

/**
 * A queue between two threads of one process, measured as a row of its own so that a reader sees what the simplest thing
 * costs. There is a line for each below.
 *
 * <p>It stands where a transport stands in a plan and is none: it promises nothing, cannot be opened as one, and no list of
 * transports has it. Stateless, thread-safe.
 *
 * @param name as people type it
 * @param source the library that it is from, for people
 * @param configuration its class and how much can lie in it, for people
 * @param maker of the queue of one hop
 * @param isVirtual whether virtual threads use it
 */
public record PrimitiveQueue(String name, Source source, String configuration, Maker maker, boolean isVirtual)
        implements TransportProvider {
    static final int CAPACITY = 1024;

    private static final int VIRTUAL_SINCE = 21;

    /** Slots or nodes, and some messages. */
    private static final long HEAP_BYTES = 32 << 10;

    /** Makes the queue of one hop. */
    interface Maker {
        /**
         * Creates a hop.
         *
         * @param isWaiting whether the threads wait in it, if it supports that; otherwise they poll it
         */
        QueueHop make(int payloadBytes, boolean isWaiting);
    }

    /** The origin of a queue. The versions are those of the project's POM, as a jar with all libraries does not contain them. */
    enum Source {
        JCTOOLS("JCTools 4.0.5", 23, "--sun-misc-unsafe-memory-access=allow"),
        AGRONA("Agrona 2.4.1", 0, "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED"),
        JDK("the JDK", Integer.MAX_VALUE, "");

        private final String text;
        private final int since; // JDK whose JVM needs the flag
        private final String flag;

        Source(String text, int since, String flag) {
            this.text = text;
            this.since = since;
            this.flag = flag;
        }

        String version() {
            return this == JDK ? "JDK " + Runtime.version() : text;
        }
    }

    private static final String SLOTS = ", 1,024 slots";
    private static final String COUNTED = ", 1,024 messages, counted separately, as the queue is unbounded";
    private static final String MEETING = ", no slot: a sender waits in it until its message is taken";

    private static final Maker SPSC = (payload, waits) -> new ObjectHop(new SpscArrayQueue<>(CAPACITY), false, false);
    private static final Maker RING = (payload, waits) -> new BytesHop(payload);
    private static final Maker ARRAY =
            (payload, waits) -> new ObjectHop(new ArrayBlockingQueue<>(CAPACITY), waits, waits);
    private static final Maker LINKED =
            (payload, waits) -> new ObjectHop(new BoundedTransferQueue<>(CAPACITY), false, waits);
    private static final Maker HANDED = (payload, waits) -> new ObjectHop(new SynchronousQueue<>(), true, waits);

    private static final List<PrimitiveQueue> ALL = List.of(
            new PrimitiveQueue("jctools-spsc", Source.JCTOOLS, "SpscArrayQueue" + SLOTS, SPSC, false),
            new PrimitiveQueue("agrona-ring", Source.AGRONA, "OneToOneRingBuffer, 64 KiB", RING, false),
            new PrimitiveQueue("array-blocking-queue", Source.JDK, "ArrayBlockingQueue" + SLOTS, ARRAY, false),
            new PrimitiveQueue("linked-transfer-queue", Source.JDK, "LinkedTransferQueue" + COUNTED, LINKED, false),
            new PrimitiveQueue("synchronous-queue", Source.JDK, "SynchronousQueue" + MEETING, HANDED, false),
            new PrimitiveQueue("array-blocking-queue-virtual", Source.JDK, "ArrayBlockingQueue" + SLOTS, ARRAY, true),
            new PrimitiveQueue(
                    "linked-transfer-queue-virtual", Source.JDK, "LinkedTransferQueue" + COUNTED, LINKED, true),
            new PrimitiveQueue("synchronous-queue-virtual", Source.JDK, "SynchronousQueue" + MEETING, HANDED, true));

    /** The names of all, in the order in which they are shown. */
    static List<String> names() {
        return ALL.stream().map(PrimitiveQueue::name).toList();
    }

    /** {@return whether an engine of the command line is primitive queues: {@code primitive}, or {@code primitive:NAME}} */
    public static boolean isMeant(String engine) {
        return engine.equals(Subject.PRIMITIVE) || engine.startsWith(Subject.PRIMITIVE + ":");
    }

    /**
     * Returns the queues of an engine on the command line: the named one, or all that the JVM can run.
     *
     * @param feature version of that JVM
     * @throws IllegalArgumentException for a name that is not known
     * @throws UnsupportedOperationException for virtual threads on a JVM without them
     */
    public static List<PrimitiveQueue> meant(String engine, int feature) {
        if (engine.equals(Subject.PRIMITIVE)) {
            return ALL.stream().filter(each -> each.runsOn(feature)).toList();
        }
        PrimitiveQueue queue = named(engine.substring(Subject.PRIMITIVE.length() + 1));
        if (!queue.runsOn(feature)) {
            throw new UnsupportedOperationException(queue.name + " needs JDK " + VIRTUAL_SINCE
                    + " or later for its virtual threads, this is JDK " + feature + "; name another JVM with --jvm, or "
                    + queue.name.replace("-virtual", ""));
        }
        return List.of(queue);
    }

    /**
     * {@return the queue with a name}
     *
     * @throws IllegalArgumentException for an unknown name; the text lists the known ones
     */
    static PrimitiveQueue named(String name) {
        return ALL.stream()
                .filter(each -> each.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "unknown primitive queue '" + name + "'; known: " + String.join(", ", names())));
    }

    private boolean runsOn(int feature) {
        return !isVirtual || feature >= VIRTUAL_SINCE;
    }

    @Override
    public String summary() {
        return configuration + ", of " + source.text;
    }

    /** None. */
    @Override
    public Set<Guarantee> guarantees() {
        return Set.of();
    }

    /** None. */
    @Override
    public List<OptionSpec> options() {
        return List.of();
    }

    @Override
    public List<String> jvmFlags(int featureVersion) {
        return featureVersion >= source.since ? List.of(source.flag) : List.of();
    }

    @Override
    public TopicFootprint topicFootprint(Map<String, String> options) {
        long direct = source == Source.AGRONA ? BytesHop.RING_BYTES : 0;
        return new TopicFootprint(HEAP_BYTES, direct, 0, 0, 0, 0, TopicFootprint.UNBOUNDED, TopicFootprint.UNBOUNDED);
    }

    /** Always throws: there is nothing to open. */
    @Override
    public Transport open(Map<String, String> options) {
        throw new UnsupportedOperationException(name + " is a primitive queue, no transport");
    }

    /**
     * A queue of objects: the message itself goes from thread to thread. A thread that does not wait in the queue looks once.
     *
     * @param queue a {@link BlockingQueue} where one of the threads waits in it
     * @param isGiverWaiting for room
     * @param isTakerWaiting for a message
     */
    private record ObjectHop(Queue<HopEvent> queue, boolean isGiverWaiting, boolean isTakerWaiting)
            implements QueueHop {
        @Override
        public boolean tryGive(HopEvent message) {
            try {
                return isGiverWaiting
                        ? ((BlockingQueue<HopEvent>) queue).offer(message, WAIT_NANOS, TimeUnit.NANOSECONDS)
                        : queue.offer(message);
            } catch (InterruptedException interrupted) {
                throw ended(interrupted);
            }
        }

        @Override
        public boolean take(Consumer<HopEvent> to) {
            HopEvent message;
            try {
                message = isTakerWaiting
                        ? ((BlockingQueue<HopEvent>) queue).poll(WAIT_NANOS, TimeUnit.NANOSECONDS)
                        : queue.poll();
            } catch (InterruptedException interrupted) {
                throw ended(interrupted);
            }
            if (message != null) {
                to.accept(message);
            }
            return message != null;
        }

        @Override
        public boolean isCopying() {
            return false;
        }

        /** {@return the failure of a trial whose thread was interrupted: the laboratory stops threads by a signal instead} */
        private static IllegalStateException ended(InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return new IllegalStateException("interrupted in a queue", interrupted);
        }
    }
}
