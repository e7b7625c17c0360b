package dev.baton.measuring.data;

import java.util.List;

/**
 * The use of the machine by the JVM, the broker and the host between the first and the last measured slot. Null: unknown for the reason in
 * {@code absent}.
 *
 * @param jvmCpuCores CPU time of this JVM over wall time: 0.25 is a quarter of one core. The JVM counts it in ticks of 10 ms, and the
 * times of threads below in ns, so in a short window the threads of a JVM may appear to use more than the JVM
 * @param brokerCpuCores CPU time of the watched processes together; null without any
 * @param allocatedBytesPerMessage by all loop threads, over messages delivered in the window
 * @param gcCount collections that paused the program
 * @param gcPauseNanos their pauses together
 * @param gcWorstNanos the longest of them
 * @param safepointNanos all stops of the program for any reason, collections included, together
 * @param safepointWorstNanos the longest of them
 * @param timeToSafepointWorstNanos the longest time until all threads had stopped
 * @param contextSwitches voluntary and involuntary, of all threads of this JVM that live at both ends of the window
 * @param memory at the end of the window; null where the system does not report it
 * @param brokerMemory of the watched processes together; null without any
 * @param host steal and stalls; null without a watch
 * @param observersCpuCores use of the instruments' own threads, which is part of {@code jvmCpuCores}
 * @param generator use of the generators' own threads, which is part of {@code jvmCpuCores}; null when generators share the loops of the
 * chains
 * @param programCpuCores use of the program's other threads: those of loops and of transports' clients. The rest of {@code jvmCpuCores} is
 * that of the JVM's own threads, such as compilers and collectors
 * @param absent one sentence for each instrument that could not measure
 */
public record Machine(
        Double jvmCpuCores,
        Double brokerCpuCores,
        Double allocatedBytesPerMessage,
        Long gcCount,
        Long gcPauseNanos,
        Long gcWorstNanos,
        Long safepointNanos,
        Long safepointWorstNanos,
        Long timeToSafepointWorstNanos,
        Long contextSwitches,
        Memory memory,
        Memory brokerMemory,
        HostActivity host,
        Double observersCpuCores,
        GeneratorUse generator,
        Double programCpuCores,
        List<String> absent) {

    public Machine {
        absent = absent == null ? List.of() : List.copyOf(absent);
    }

    /**
     * {@return CPU time of this JVM without the threads of generators and instruments, over wall time; null where it is unknown}
     */
    public Double chainCpuCores() {
        if (jvmCpuCores == null) {
            return null;
        }
        double generators = generator == null ? 0 : generator.cpuCores();
        double observers = observersCpuCores == null ? 0 : observersCpuCores;
        return Math.max(0, jvmCpuCores - generators - observers);
    }
}
