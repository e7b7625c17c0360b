package dev.baton.lab.study.density;

import dev.baton.lab.request.Load;
import dev.baton.lab.request.Shape;
import dev.baton.spi.TransportProvider.TopicFootprint;

/**
 * The resources that a contender needs, by the number of its instances. Immutable, thread-safe.
 *
 * @param topic resources of a topic
 * @param topics of an instance
 * @param threadsPerInstance 0 when instances share a fixed number of threads
 * @param brokers of our own that run with it, each with a copy of all topics
 * @param bytesPerSecond that one instance writes to files
 * @param processes that share the instances, if there are several
 */
public record ResourceModel(
        TopicFootprint topic, int topics, int threadsPerInstance, int brokers, double bytesPerSecond, int processes) {
    private static final long KILO = 1 << 10;
    private static final long MEGA = 1 << 20;

    /** The heap of a JVM whose live objects take 15 MB, most of them the laboratory's: room for its collector to be idle. */
    private static final long HEAP = 256 * MEGA;

    /** Histogram, accounts and tasks of an instance; 22 KB were found, its rings' objects included. */
    private static final long HEAP_PER_INSTANCE = 64 * KILO;

    private static final long DIRECT = 64 * MEGA;

    /** Small buffers come with a header and a page to themselves. */
    private static final double DIRECT_SLACK = 1.1;

    /** Compiled code, metaspace, the collector's and the recorder's own. */
    private static final long OTHER = 256 * MEGA;

    private static final long PER_THREAD = 128 * KILO;
    private static final long BROKER = 1024 * MEGA;
    private static final long DESCRIPTORS = 100;
    private static final long MAPS = 800;
    private static final long MAPS_PER_THREAD = 2;
    private static final long THREADS = 60;

    /** Creates the model of a shape under a load. @param isSplit whether every service has its own thread */
    public static ResourceModel of(
            TopicFootprint topic, int brokers, Shape shape, Load load, boolean isSplit, int processes) {
        int topics = shape.services() + 1;
        double frame =
                topic.fileBytesPerFrame() == 0 ? 0 : topic.fileBytesPerFrame() + (shape.payloadBytes() + 7) / 8 * 8;
        return new ResourceModel(
                topic,
                topics,
                isSplit ? shape.services() + 2 : 0,
                brokers,
                frame * topics * load.ratePerSecond(),
                processes);
    }

    /** {@return the resources of a single one of the processes} */
    public ResourceModel ofOneProcess() {
        return new ResourceModel(topic, topics, threadsPerInstance, brokers, bytesPerSecond, 1);
    }

    /** {@return the resources of {@code instances} in a trial that sends for this long} */
    public RequiredResources at(int instances, double seconds) {
        long all = (long) topics * instances;
        long threads = (long) threadsPerInstance * instances;
        int jvms = Math.min(processes, instances);
        long heap = HEAP * jvms + HEAP_PER_INSTANCE * instances + topic.heapBytes() * all;
        return new RequiredResources(
                heap,
                Math.min(heap / 2, topic.maxYoungBytes()),
                DIRECT * jvms + (long) (topic.directBytes() * all * DIRECT_SLACK),
                OTHER * jvms + PER_THREAD * threads + BROKER * brokers,
                Math.max(1, brokers)
                        * (long) (topic.fileBytes() * all
                                + Math.min(bytesPerSecond * instances * seconds, (double) topic.maxFileBytes() * all)),
                DESCRIPTORS + (long) Math.ceil(topic.descriptors() * all / jvms),
                MAPS + (long) Math.ceil((topic.maps() * all + MAPS_PER_THREAD * threads) / jvms),
                THREADS * jvms + threads);
    }

    /** {@return whether messages are stored in files} */
    public boolean isFiling() {
        return bytesPerSecond > 0;
    }

    /** The largest number, up to {@code most}, that a machine can give these needs; 0 when it is not even one. */
    public int most(AvailableResources available, double seconds, int most) {
        int fits = 0;
        int tooMany = most + 1;
        while (tooMany - fits > 1) {
            int middle = fits + (tooMany - fits) / 2;
            if (available.shortage(at(middle, seconds)) == null) {
                fits = middle;
            } else {
                tooMany = middle;
            }
        }
        return fits;
    }

    /**
     * The resources that a number of instances needs, estimated on the safe side.
     *
     * @param heapBytes {@code -Xmx} of the measured JVM
     * @param youngBytes {@code -Xmn} of it, half of the heap at most
     * @param directBytes {@code -XX:MaxDirectMemorySize} of it
     * @param otherBytes of memory: stacks, compiled code, our own broker
     * @param queueBytes that a trial writes to queues
     * @param descriptors open in one process, the JVM's or the broker's, whichever has more
     * @param maps of memory in one process, the JVM's or the broker's, whichever has more
     * @param threads of the JVM
     */
    public record RequiredResources(
            long heapBytes,
            long youngBytes,
            long directBytes,
            long otherBytes,
            long queueBytes,
            long descriptors,
            long maps,
            long threads) {

        /** Returns all memory except the pages of files. */
        public long memoryBytes() {
            return heapBytes + directBytes + otherBytes;
        }
    }
}
