package dev.baton.measuring.machine;

import dev.baton.measuring.data.Host;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads how the processors are divided into sockets, cores and threads. Stateless, thread-safe. */
final class CpuLayout {
    private static final long KILO = 1024;

    private CpuLayout() {}

    /** @param cpus {@code /sys/devices/system/cpu}; null when it shows no topology */
    static Host.Topology of(Path cpus) {
        Set<String> sockets = new HashSet<>();
        Map<String, Integer> threadsByCore = new HashMap<>();
        for (Path cpu : each(cpus)) {
            Optional<String> socket = ProcFile.firstLine(cpu.resolve("topology/physical_package_id"));
            Optional<String> core = ProcFile.firstLine(cpu.resolve("topology/core_id"));
            if (socket.isPresent() && core.isPresent()) { // those that are offline show none
                sockets.add(socket.get());
                threadsByCore.merge(socket.get() + "/" + core.get(), 1, Integer::sum);
            }
        }
        if (sockets.isEmpty()) {
            return null;
        }
        return new Host.Topology(
                sockets.size(),
                threadsByCore.size(),
                threadsByCore.values().stream().max(Comparator.naturalOrder()).orElse(1),
                ProcFile.firstLine(cpus.resolve("online")).orElse(null),
                isolated(cpus.resolve("isolated")),
                caches(cpus.resolve("cpu0/cache")));
    }

    /** The directories of all CPUs. */
    static List<Path> each(Path cpus) {
        return matching(cpus, "cpu[0-9]*");
    }

    /** An empty line: the kernel isolates none. */
    private static String isolated(Path file) {
        return Files.isReadable(file) ? ProcFile.firstLine(file).orElse("") : null;
    }

    private static List<Host.Cache> caches(Path directory) {
        List<Host.Cache> caches = new ArrayList<>();
        for (Path cache : matching(directory, "index[0-9]*")) {
            Optional<Integer> level = ProcFile.firstLine(cache.resolve("level"))
                    .flatMap(ProcFile::number)
                    .map(Long::intValue);
            Optional<Long> bytes = ProcFile.firstLine(cache.resolve("size")).flatMap(CpuLayout::bytes);
            if (level.isPresent() && bytes.isPresent()) {
                caches.add(new Host.Cache(
                        level.get(),
                        ProcFile.firstLine(cache.resolve("type"))
                                .map(kind -> kind.toLowerCase(Locale.ROOT))
                                .orElse("unknown"),
                        bytes.get(),
                        ProcFile.firstLine(cache.resolve("shared_cpu_list")).orElse("unknown")));
            }
        }
        caches.sort(Comparator.comparingInt(Host.Cache::level).thenComparing(Host.Cache::kind));
        return caches;
    }

    /** {@code 48K}; some kernels write {@code 32M}. */
    private static Optional<Long> bytes(String size) {
        long unit = size.endsWith("K") ? KILO : size.endsWith("M") ? KILO * KILO : 1;
        return ProcFile.number(unit == 1 ? size : size.substring(0, size.length() - 1))
                .map(number -> number * unit);
    }

    private static List<Path> matching(Path directory, String pattern) {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory, pattern)) {
            all.forEach(found::add);
        } catch (IOException | RuntimeException absent) {
            return List.of();
        }
        return found;
    }
}
