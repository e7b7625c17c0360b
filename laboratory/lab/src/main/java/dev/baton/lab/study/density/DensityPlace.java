package dev.baton.lab.study.density;

import dev.baton.lab.command.OutputOptions;
import dev.baton.lab.launch.Workspace;
import dev.baton.measuring.machine.SystemLimits;
import java.nio.file.Path;
import java.util.List;

/**
 * Where a search lets its queues lie: in the directory that was named, else in memory, else where temporary files are.
 * Stateless, thread-safe.
 */
final class DensityPlace {
    /** Memory is preferred while it holds at least this part of what a disk would. */
    private static final double PREFERENCE = 0.5;

    private DensityPlace() {}

    /** What the machine has to give, queues lying in the chosen place. */
    static AvailableResources choose(Path typed, List<Contenders.Entry> entries, Contenders contenders) {
        SystemLimits limits = SystemLimits.now();
        Path other = typed == null ? OutputOptions.temporary() : typed;
        Workspace.removeAbandoned(other);
        AvailableResources temporary = QueuePlace.supply(limits, other);
        if (typed != null || !QueuePlace.hasSharedMemory()) {
            return temporary;
        }
        Workspace.removeAbandoned(QueuePlace.SHARED_MEMORY);
        AvailableResources memory = QueuePlace.supply(limits, QueuePlace.SHARED_MEMORY);
        boolean hasRoom = entries.stream()
                .allMatch(entry -> contenders.most(entry, memory) >= PREFERENCE * contenders.most(entry, temporary));
        return hasRoom ? memory : temporary;
    }
}
