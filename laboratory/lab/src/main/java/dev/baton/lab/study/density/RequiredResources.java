package dev.baton.lab.study.density;

/**
 * What a number of instances needs of a machine, estimated on the safe side.
 *
 * @param heapBytes {@code -Xmx} of the measured JVM
 * @param youngBytes {@code -Xmn} of it, half of the heap at most
 * @param directBytes {@code -XX:MaxDirectMemorySize} of it
 * @param otherBytes of memory: stacks, compiled code, a broker of our own
 * @param queueBytes that a trial writes where queues lie
 * @param descriptors open in one process, the JVM's or the broker's, whichever has more
 * @param maps of memory, likewise
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

    /** All memory but what is written to files. */
    public long memoryBytes() {
        return heapBytes + directBytes + otherBytes;
    }
}
