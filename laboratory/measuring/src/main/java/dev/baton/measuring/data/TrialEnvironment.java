package dev.baton.measuring.data;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The software and hardware of a trial. An unknown text is null, an unknown number 0.
 *
 * @param jvm vendor, version and flags
 * @param cpuModel as the processor names itself
 * @param processors that this JVM may use
 * @param kernel name and version of the operating system
 * @param virtualisation signs of a shared or virtual host; empty for none
 * @param clockSource of the kernel
 * @param nanoTimeCostNanos of one System.nanoTime call
 * @param memoryBytes of the machine, or of the control group if that is less
 * @param fileSystem type of the file system of the queue directory; null without one
 * @param libraries name and version of the libraries in use
 * @param host the machine in more detail; null in files of earlier versions
 */
public record TrialEnvironment(
        Jvm jvm,
        String cpuModel,
        int processors,
        String kernel,
        List<String> virtualisation,
        String clockSource,
        double nanoTimeCostNanos,
        long memoryBytes,
        String fileSystem,
        Map<String, String> libraries,
        Host host) {

    /**
     * The JVM's identity.
     *
     * @param flags as given on the command line, without secrets
     * @param collectors names of the garbage collectors in use
     * @param maxHeapBytes the greatest size of the heap
     * @param changedFlags values by name of the flags that differ from their defaults, set on the command line or chosen by the JVM,
     * without secrets; empty in files of earlier versions
     */
    public record Jvm(
            String vendor,
            String version,
            List<String> flags,
            List<String> collectors,
            long maxHeapBytes,
            Map<String, String> changedFlags) {
        public Jvm {
            changedFlags = changedFlags == null ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(changedFlags));
        }
    }
}
