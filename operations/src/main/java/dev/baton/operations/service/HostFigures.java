package dev.baton.operations.service;

import com.sun.management.OperatingSystemMXBean;
import dev.baton.operations.line.Version;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A process and its host, with their use of the processors so far. The difference of two of them is the use in between: all times are
 * counters of this host's clock. Immutable, thread-safe.
 *
 * @param host its name
 * @param pid there
 * @param baton version
 * @param jvm version
 * @param processors that the process may use
 * @param upNanos since the JVM started
 * @param cpuNanos of this process; -1 where it is unknown
 * @param busyNanos CPU time of everything on the host, all processors together; -1 where it is unknown, as outside Linux
 * @param stolenNanos that the hypervisor withheld from the host; -1 as above
 */
public record HostFigures(
        String host,
        long pid,
        String baton,
        String jvm,
        int processors,
        long upNanos,
        long cpuNanos,
        long busyNanos,
        long stolenNanos) {
    private static final Path STAT = Path.of("/proc/stat");
    private static final long NANOS_PER_TICK = 10_000_000; // USER_HZ is 100 on every architecture that Baton runs on
    private static final int IDLE = 3;
    private static final int WAITING = 4;
    private static final int STOLEN = 7;
    private static final int GUEST = 8; // from here on part of others

    /** Returns the figures of this process. */
    static HostFigures now() {
        long[] ticks = ticks();
        long busy = Arrays.stream(ticks).limit(GUEST).sum() - ticks[IDLE] - ticks[WAITING] - ticks[STOLEN];
        return new HostFigures(
                hostName(),
                ProcessHandle.current().pid(),
                Version.ofBaton(),
                Runtime.version().toString(),
                Runtime.getRuntime().availableProcessors(),
                ManagementFactory.getRuntimeMXBean().getUptime() * 1_000_000,
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime(),
                ticks[STOLEN] < 0 ? -1 : busy * NANOS_PER_TICK,
                ticks[STOLEN] < 0 ? -1 : ticks[STOLEN] * NANOS_PER_TICK);
    }

    /** User, nice, system, idle, waiting, interrupts, soft interrupts, stolen; all -1 where they are not known. */
    private static long[] ticks() {
        try {
            String first = Files.readString(STAT, StandardCharsets.US_ASCII)
                    .lines()
                    .findFirst()
                    .orElse("");
            long[] ticks = Arrays.stream(first.split("\\s+"))
                    .skip(1)
                    .mapToLong(Long::parseLong)
                    .toArray();
            if (ticks.length >= GUEST) {
                return ticks;
            }
        } catch (IOException | NumberFormatException unknown) {
            // the values show it
        }
        long[] none = new long[GUEST];
        Arrays.fill(none, -1);
        return none;
    }

    /** The name of this host; {@code unknown} where it has none. Looked up once, as that may take seconds. */
    public static String hostName() {
        return Name.HERE;
    }

    private static final class Name {
        static final String HERE = lookUp();

        private static String lookUp() {
            try {
                return InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException nameless) {
                return "unknown";
            }
        }
    }
}
