package dev.baton.measuring.machine;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * One reading of {@code /proc/stat}: the use of every CPU since the machine started. Immutable.
 *
 * @param all all CPUs together; null off Linux
 * @param each CPU by CPU
 */
public record CpuTicks(Cpu all, List<Cpu> each) {
    private static final int NAME = "cpu".length();
    private static final int IDLE = 3;
    private static final int IO_WAIT = 4;
    private static final int STEAL = 7;

    /**
     * Time of one CPU in ticks.
     *
     * @param number of the kernel; -1 of all together
     * @param total the sum, which includes guests in user time
     */
    public record Cpu(int number, long total, long idle, long steal) {
        private static Cpu parse(String line) {
            String[] words = line.trim().split("\\s+");
            int number = words[0].length() == NAME ? -1 : Integer.parseInt(words[0].substring(NAME));
            long total = 0;
            for (int i = 1; i <= Math.min(STEAL + 1, words.length - 1); i++) {
                total += Long.parseLong(words[i]);
            }
            return new Cpu(number, total, at(words, IDLE) + at(words, IO_WAIT), at(words, STEAL));
        }

        private static long at(String[] words, int field) {
            return field + 1 < words.length ? Long.parseLong(words[field + 1]) : 0;
        }

        /** {@return the difference to an earlier reading} */
        public Cpu since(Cpu earlier) {
            return new Cpu(number, total - earlier.total, idle - earlier.idle, steal - earlier.steal);
        }

        /** {@return a part of the total time; null when no time has passed} */
        private Double share(long part) {
            return total <= 0 ? null : Math.max(0, Math.min(1, part / (double) total));
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

    /** {@return the difference to an earlier reading; absent when one of the two is} */
    CpuTicks since(CpuTicks earlier) {
        return isAbsent() || earlier.isAbsent()
                ? new CpuTicks(null, List.of())
                : new CpuTicks(
                        all.since(earlier.all),
                        IntStream.range(0, Math.min(each.size(), earlier.each.size()))
                                .mapToObj(cpu -> each.get(cpu).since(earlier.each.get(cpu)))
                                .toList());
    }

    /** The part of the time that other guests had; null off Linux, like the next two. */
    Double stealShare() {
        return isAbsent() ? null : all.share(all.steal);
    }

    /** The part of the time that any process of this machine used. */
    Double busyShare() {
        return isAbsent() ? null : all.share(all.total - all.idle - all.steal);
    }

    /** CPU time of any process of this machine on some of the CPUs, over wall time; null off Linux. */
    Double busyCores(BitSet cpus) {
        if (isAbsent()) {
            return null;
        }
        double busy = 0;
        for (Cpu cpu : each) {
            Double share = cpu.share(cpu.total - cpu.idle - cpu.steal);
            busy += cpus.get(cpu.number) && share != null ? share : 0;
        }
        return busy;
    }

    /** {@return the share of stolen time of the CPU with the most} */
    Double worstStealShare() {
        return each.stream()
                .map(cpu -> cpu.share(cpu.steal))
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElse(null);
    }
}
