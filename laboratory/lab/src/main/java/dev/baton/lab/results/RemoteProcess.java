package dev.baton.lab.results;

import java.util.List;

/**
 * One process that ran services of a trial elsewhere, as it said itself: differences between two answers, the first as soon as
 * the measurement had begun, the last at most a second before it ended. Immutable, thread-safe.
 *
 * @param address where it answered
 * @param host its name
 * @param jvm version
 * @param processors of that host that it may use
 * @param services that it runs
 * @param spanNanos between the answers, by the process's own clock
 * @param cpuCores that the process used; null when it is not known
 * @param busyCores that everything on its host used; null when it is not known
 * @param stolenCores that a hypervisor kept from its host; null when it is not known
 * @param handled messages that its services took
 * @param longestSweepNanos of its loops since they began; null when it is not known
 * @param restarts meanwhile
 * @param backlog messages that waited for its services at the last answer; -1 when it is not known
 * @param timeline CPU and what it held at even moments, where the study counts that; by its own clock from the first answer
 */
public record RemoteProcess(
        String address,
        String host,
        String jvm,
        int processors,
        List<String> services,
        long spanNanos,
        Double cpuCores,
        Double busyCores,
        Double stolenCores,
        long handled,
        Long longestSweepNanos,
        long restarts,
        long backlog,
        List<Second> timeline) {
    public RemoteProcess {
        services = services == null ? List.of() : List.copyOf(services);
        timeline = timeline == null ? List.of() : List.copyOf(timeline);
    }
}
