package dev.baton.measuring.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SystemLimitsTest {
    private static final long MOST = Long.MAX_VALUE;

    @TempDir
    private Path root;

    @Test
    void theKernelsFilesTellTheLimits() throws IOException {
        write("meminfo", "MemTotal:       24684092 kB\nMemFree: 1 kB\nMemAvailable:   2048 kB\n");
        write("self/limits", """
                        Limit                     Soft Limit           Hard Limit           Units
                        Max processes             96365                96365                processes
                        Max open files            20000                1048576              files
                        """);
        write("sys/vm/max_map_count", "65530\n");
        write("sys/kernel/threads-max", "192730\n");
        write("sys/kernel/pid_max", "32768\n");
        write("loadavg", "8.60 9.47 7.79 14/254 18133\n");
        assertThat(SystemLimits.read(new KernelTree(root), MOST))
                .isEqualTo(new SystemLimits(
                        2048 * 1024, 20_000, 65_530, 32_768 - 254, "sudo sysctl -w kernel.pid_max=4194304"));
        assertThat(SystemLimits.read(new KernelTree(root), 1024).memoryBytes())
                .as("of a container")
                .isEqualTo(1024);
    }

    @Test
    void unlimitedOrUnknownIsNoLimit() throws IOException {
        write("self/limits", "Max processes             unlimited            unlimited            processes\n");
        assertThat(SystemLimits.read(new KernelTree(root), 1 << 20))
                .isEqualTo(new SystemLimits(1 << 20, MOST, MOST, MOST, "sudo sysctl -w kernel.pid_max=4194304"));
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve("proc").resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
