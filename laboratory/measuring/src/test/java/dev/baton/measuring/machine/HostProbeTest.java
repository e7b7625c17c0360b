package dev.baton.measuring.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.measuring.data.Host;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostProbeTest {
    @TempDir
    Path root;

    @Test
    void unknownKernelValuesAreNull() {
        Host host = look("/queues");
        assertThat(host)
                .isEqualTo(new Host(null, new Host.Clocking(null, null, null), null, null, null, null, null, null));
    }

    @Test
    void processorsAreCountedBySocketCoreThread() throws IOException {
        for (int cpu = 0; cpu < 8; cpu++) {
            write("sys/devices/system/cpu/cpu" + cpu + "/topology/physical_package_id", cpu / 4 + "\n");
            write("sys/devices/system/cpu/cpu" + cpu + "/topology/core_id", cpu / 2 % 2 + "\n");
        }
        write("sys/devices/system/cpu/cpu8/online", "0\n"); // offline: without a topology
        write("sys/devices/system/cpu/online", "0-7\n");
        write("sys/devices/system/cpu/isolated", "\n");
        cache(0, 1, "Data", "48K", "0-1");
        cache(2, 2, "Unified", "1024K", "0-1");
        cache(3, 3, "Unified", "32M", "0-3");

        Host.Topology topology = look(null).topology();
        assertThat(topology.sockets()).isEqualTo(2);
        assertThat(topology.cores()).isEqualTo(4);
        assertThat(topology.threadsPerCore()).isEqualTo(2);
        assertThat(topology.online()).isEqualTo("0-7");
        assertThat(topology.isolated()).isEmpty();
        assertThat(topology.caches())
                .containsExactly(
                        new Host.Cache(1, "data", 48 << 10, "0-1"),
                        new Host.Cache(2, "unified", 1 << 20, "0-1"),
                        new Host.Cache(3, "unified", 32 << 20, "0-3"));
    }

    @Test
    void governorsAndTurboAreReported() throws IOException {
        write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
        write("sys/devices/system/cpu/cpu0/cpufreq/scaling_driver", "intel_pstate\n");
        write("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "performance\n");
        write("sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
        assertThat(look(null).clocking()).isEqualTo(new Host.Clocking("performance,powersave", "intel_pstate", false));

        Files.delete(root.resolve("sys/devices/system/cpu/intel_pstate/no_turbo"));
        write("sys/devices/system/cpu/cpufreq/boost", "1\n");
        assertThat(look(null).clocking().isTurbo()).isTrue();
    }

    @Test
    void memoryPagesSwapAndTimersAreReported() throws IOException {
        write("proc/meminfo", """
                        MemTotal:       24684092 kB
                        SwapTotal:       2097148 kB
                        SwapFree:        2097140 kB
                        HugePages_Total:      64
                        HugePages_Free:       60
                        Hugepagesize:       2048 kB
                        """);
        write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
        write("proc/sys/vm/swappiness", "60\n");
        write("proc/self/timerslack_ns", "50000\n");
        write("proc/cmdline", "quiet isolcpus=2-3 token=abc root=/dev/vda\n");

        Host host = look(null);
        assertThat(host.pages()).isEqualTo(new Host.Pages("madvise", 64, 60, 2 << 20));
        assertThat(host.swap()).isEqualTo(new Host.Swap(2_097_148L << 10, 8 << 10, 60));
        assertThat(host.timerSlackNanos()).isEqualTo(50_000);
        assertThat(host.kernelCommandLine()).isEqualTo("quiet isolcpus=2-3 token=*** root=/dev/vda");
    }

    @Test
    void deepestMountOfQueueDirectoryIsFound() throws IOException {
        write("proc/self/mountinfo", """
                        27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard
                        30 27 0:25 / /data rw,noatime shared:3 - xfs /dev/vdb rw
                        31 27 0:26 / /data/my\\040queues rw master:1 shared:4 - tmpfs tmpfs rw,size=4k
                        32 27 0:27 / /remote rw - cifs //server/share rw,username=u,password=hush
                        this line is no mount
                        """);
        assertThat(look("/data/q").queueMount()).isEqualTo(new Host.Mount("/data", "xfs", "/dev/vdb", "rw,noatime"));
        assertThat(look("/data/my queues/q").queueMount())
                .isEqualTo(new Host.Mount("/data/my queues", "tmpfs", "tmpfs", "rw,size=4k"));
        assertThat(look("/database").queueMount().point()).isEqualTo("/");
        assertThat(look("/remote/q").queueMount().options()).isEqualTo("rw,username=u,password=***");
        assertThat(look(null).queueMount()).isNull();
    }

    @Test
    void theTightestLimitOfAllGroupsAboveCounts() throws IOException {
        String groups = root.resolve("groups").toString();
        write("proc/self/mountinfo", "35 31 0:31 / " + groups + " rw,relatime - cgroup2 cgroup2 rw\n");
        write("proc/self/cgroup", "0::/all/mine\n");
        write("groups/all/cpu.max", "150000 100000\n");
        write("groups/all/cpu.stat", "usage_usec 1\nnr_throttled 7\n");
        write("groups/all/memory.max", "max\n");
        write("groups/all/mine/cpu.max", "max 100000\n");
        write("groups/all/mine/memory.max", "1073741824\n");
        assertThat(look(null).group()).isEqualTo(new Host.Group(1.5, 7L, 1L << 30));

        write("proc/self/cgroup", "0::/of/the/host\n"); // within a container: only the mount is seen
        assertThat(look(null).group()).isEqualTo(new Host.Group(null, null, null));
    }

    @Test
    void limitsOfTheFirstInterfaceAreReadToo() throws IOException {
        write("proc/self/mountinfo", """
                        32 31 0:29 / ROOT/cpu rw,relatime - cgroup cgroup rw,cpu,cpuacct
                        35 31 0:32 /docker/1 ROOT/memory rw,relatime - cgroup cgroup rw,memory
                        """.replace("ROOT", root.toString()));
        write("proc/self/cgroup", "4:memory:/docker/1/mine\n1:cpu,cpuacct:/\nnonsense\n");
        write("cpu/cpu.cfs_quota_us", "50000\n");
        write("cpu/cpu.cfs_period_us", "100000\n");
        write("memory/memory.limit_in_bytes", "9223372036854771712\n");
        write("memory/mine/memory.limit_in_bytes", "536870912\n");
        assertThat(look(null).group()).isEqualTo(new Host.Group(0.5, null, 512L << 20));

        write("cpu/cpu.cfs_quota_us", "-1\n");
        write("memory/mine/memory.limit_in_bytes", "9223372036854771712\n");
        assertThat(look(null).group()).isEqualTo(new Host.Group(null, null, null));
    }

    private void cache(int index, int level, String type, String size, String sharedBy) throws IOException {
        String directory = "sys/devices/system/cpu/cpu0/cache/index" + index + "/";
        write(directory + "level", level + "\n");
        write(directory + "type", type + "\n");
        write(directory + "size", size + "\n");
        write(directory + "shared_cpu_list", sharedBy + "\n");
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private Host look(String queues) {
        return new HostProbe(new KernelTree(root)).look(queues == null ? null : Path.of(queues), HostProbeTest::hidden);
    }

    private static String hidden(String typed) {
        return typed.replaceFirst("^(token|password)=.*", "$1=***");
    }
}
