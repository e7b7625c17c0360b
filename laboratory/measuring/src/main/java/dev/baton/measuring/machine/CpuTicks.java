package dev.baton.measuring.machine;

import java.util.ArrayList;
import java.util.List;

/**
 * One reading of {@code /proc/stat}: how every CPU has spent its time since the machine started. Immutable.
 *
 * @param all all CPUs together; null off Linux
 * @param each CPU by CPU
 */
public record CpuTicks(Cpu all, List<Cpu> each) {
    private static final int IDLE = 3;
    private static final int IO_WAIT = 4;
    private static final int STEAL = 7;

    /** Time of one CPU in ticks: {@code total} is its sum, guests being part of user time already. */
    public record Cpu(long total, long idle, long steal) {
        private static Cpu parse(String line) {
            String[] words = line.trim().split("\\s+");
            long total = 0;
            for (int i = 1; i <= Math.min(STEAL + 1, words.length - 1); i++) {
                total += Long.parseLong(words[i]);
            }
            return new Cpu(total, at(words, IDLE) + at(words, IO_WAIT), at(words, STEAL));
        }

        private static long at(String[] words, int field) {
            return field + 1 < words.length ? Long.parseLong(words[field + 1]) : 0;
        }

        /** Part of the time since an earlier reading that went to other guests; null when no time has passed. */
        Double stealShareSince(Cpu earlier) {
            return share(steal - earlier.steal, earlier);
        }

        /** Part of the time since an earlier reading that was used by anyone here; null when no time has passed. */
        Double busyShareSince(Cpu earlier) {
            return share(total - earlier.total - (idle - earlier.idle) - (steal - earlier.steal), earlier);
        }

        private Double share(long part, Cpu earlier) {
            long passed = total - earlier.total;
            return passed <= 0 ? null : Math.max(0, Math.min(1, part / (double) passed));
        }
    }

    static CpuTicks now() {
        return parse(KernelTree.OF_THIS_MACHINE.lines("proc/stat"));
    }

    public static CpuTicks parse(List<String> lines) {
        Cpu all = null;
        List<Cpu> each = new ArrayList<>();
        for (String line : lines) {
            if (line.startsWith("cpu ")) {
                all = Cpu.parse(line);
            } else if (line.startsWith("cpu")) {
                each.add(Cpu.parse(line));
            }
        }
        return new CpuTicks(all, each);
    }

    public boolean isAbsent() {
        return all == null;
    }

    /** Null off Linux, like the others. */
    Double stealShareSince(CpuTicks earlier) {
        return isAbsent() || earlier.isAbsent() ? null : all.stealShareSince(earlier.all);
    }

    Double busyShareSince(CpuTicks earlier) {
        return isAbsent() || earlier.isAbsent() ? null : all.busyShareSince(earlier.all);
    }

    /** CPUs that there are. */
    int cpus() {
        return each.size();
    }

    Double worstStealShareSince(CpuTicks earlier) {
        Double worst = null;
        for (int i = 0; i < Math.min(each.size(), earlier.each.size()); i++) {
            Double share = each.get(i).stealShareSince(earlier.each.get(i));
            if (share != null && (worst == null || share > worst)) {
                worst = share;
            }
        }
        return worst;
    }
}
