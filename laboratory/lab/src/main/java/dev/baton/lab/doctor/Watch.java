package dev.baton.lab.doctor;

import dev.baton.measuring.NanoClock;
import dev.baton.measuring.machine.CpuTicks;
import dev.baton.measuring.machine.HiccupProbe;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Some seconds in which this process does nothing but look at what the machine does. Immutable, thread-safe.
 *
 * @param steal since boot and in these seconds
 */
record Watch(Stalls stalls, Steal steal, Competitors competitors) {
    private static final String STAT = "proc/stat";
    private static final long LOOK_NANOS = 20_000_000;

    /** Blocks for so long, or until it is interrupted. */
    static Watch over(KernelTree tree, int cores, long forNanos, BooleanSupplier isInterrupted) {
        long own = ProcessHandle.current().pid();
        ProcessTimes before = ProcessTimes.read(tree);
        CpuTicks ticks = CpuTicks.parse(tree.lines(STAT));
        long start = System.nanoTime();
        try (HiccupProbe probe = HiccupProbe.anywhere(NanoClock.SYSTEM)) {
            probe.start();
            for (long left = forNanos; left > 0 && !isInterrupted.getAsBoolean(); ) {
                LockSupport.parkNanos(Math.min(left, LOOK_NANOS));
                left = forNanos - (System.nanoTime() - start);
            }
            long watched = System.nanoTime() - start;
            Steal steal = Steal.between(ticks, CpuTicks.parse(tree.lines(STAT)));
            List<Competitors.User> users = ProcessTimes.read(tree).since(before, watched, own);
            return new Watch(Stalls.of(probe.log().histogram(), watched), steal, new Competitors(cores, users));
        }
    }
}
