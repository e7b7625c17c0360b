package dev.baton.measuring.machine;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The time that the hypervisor gave to other guests, core by core, in the kernel's steps of 10 ms. One thread's. */
final class StolenTime implements AutoCloseable {
    private static final int MOST_BYTES = 64 << 10;
    private static final int MOST_CORES = 1024;
    private static final long TICK_NANOS = 10_000_000;
    private static final int STEAL_WORD = 8;

    private final KernelFile file = KernelFile.open(Path.of("/proc/stat"), MOST_BYTES);
    private final long[] ticks = new long[MOST_CORES];

    StolenTime() {
        Arrays.fill(ticks, -1);
    }

    boolean isAbsent() {
        return file == null;
    }

    /** What was stolen since the last call; only cores that something was stolen of. */
    List<Evidence.Stolen> since() {
        if (file == null || !file.read()) {
            return List.of();
        }
        List<Evidence.Stolen> stolen = List.of();
        for (int line = 0; line >= 0 && file.has(line, "cpu"); line = file.nextLine(line)) {
            if (file.has(line, "cpu ")) {
                continue;
            }
            int core = (int) file.number(line + 3, 0);
            if (core < 0 || core >= MOST_CORES) {
                continue;
            }
            long now = file.number(line, STEAL_WORD);
            if (ticks[core] >= 0 && now > ticks[core]) {
                stolen = stolen.isEmpty() ? new ArrayList<>() : stolen;
                stolen.add(new Evidence.Stolen(core, (now - ticks[core]) * TICK_NANOS));
            }
            ticks[core] = now;
        }
        return stolen;
    }

    @Override
    public void close() {
        if (file != null) {
            file.close();
        }
    }
}
