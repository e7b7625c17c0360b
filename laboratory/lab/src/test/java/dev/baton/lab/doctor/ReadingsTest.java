package dev.baton.lab.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.measuring.machine.CpuTicks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the kernel's files say. */
class ReadingsTest {
    @TempDir
    private Path root;

    private FakeTree fake() {
        return new FakeTree(root);
    }

    @Test
    void theClockAndThoseThatTheKernelCouldUseAreRead() throws IOException {
        String folder = "sys/devices/system/clocksource/clocksource0/";
        KernelTree tree = fake().with(folder + "current_clocksource", "hpet")
                .with(folder + "available_clocksource", "tsc hpet acpi_pm ")
                .tree();
        assertThat(ClockSource.read(tree, 900))
                .isEqualTo(new ClockSource("hpet", List.of("tsc", "hpet", "acpi_pm"), 900));
    }

    @Test
    void governorsAreReadOnceEachAndTurboFromEitherSwitch() throws IOException {
        String cpus = "sys/devices/system/cpu/";
        FakeTree fake = fake().with(cpus + "cpu0/cpufreq/scaling_governor", "powersave")
                .with(cpus + "cpu1/cpufreq/scaling_governor", "performance")
                .with(cpus + "cpu10/cpufreq/scaling_governor", "powersave")
                .with(cpus + "cpufreq/boost", "0");
        assertThat(Frequency.read(fake.tree()))
                .isEqualTo(
                        new Frequency(List.of("performance", "powersave"), "/" + cpus + "cpufreq/boost", "0", false));
        fake.with(cpus + "intel_pstate/no_turbo", "0");
        assertThat(Frequency.read(fake.tree()))
                .isEqualTo(new Frequency(
                        List.of("performance", "powersave"), "/" + cpus + "intel_pstate/no_turbo", "1", true));
    }

    @Test
    void isolatedCoresAreReadAsTheKernelListsThem() throws IOException {
        String cpus = "sys/devices/system/cpu/";
        FakeTree fake =
                fake().with(cpus + "online", "0-7").with(cpus + "isolated", "").with(cpus + "nohz_full", "(null)");
        assertThat(Isolation.read(fake.tree(), 8)).isEqualTo(new Isolation(8, "", ""));
        fake.with(cpus + "isolated", "2-3").with(cpus + "nohz_full", "3");
        assertThat(Isolation.read(fake.tree(), 8)).isEqualTo(new Isolation(8, "2-3", "3"));
    }

    @Test
    void hugePagesSwapAndNodesAreRead() throws IOException {
        KernelTree tree = fake().with("sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never")
                .with("sys/kernel/mm/transparent_hugepage/defrag", "always defer [madvise] never")
                .with("proc/meminfo", "SwapTotal:   2048 kB\nSwapFree:    1024 kB\nHugePages_Total:      12")
                .with("proc/sys/vm/swappiness", "60")
                .with("sys/devices/system/node/node0/x", "")
                .with("sys/devices/system/node/node1/x", "")
                .with("proc/sys/kernel/numa_balancing", "1")
                .tree();
        assertThat(HugePages.read(tree)).isEqualTo(new HugePages("always", "madvise", 12L));
        assertThat(Swap.read(tree)).isEqualTo(new Swap(2048L * 1024, 1024L * 1024, 60L));
        assertThat(Numa.read(tree)).isEqualTo(new Numa(2, true));
    }

    @Test
    void theTightestGroupOnTheWayUpIsTheLimit() throws IOException {
        KernelTree tree = fake().with("proc/self/cgroup", "0::/outer/inner")
                .with("sys/fs/cgroup/outer/cpu.max", "150000 100000")
                .with("sys/fs/cgroup/outer/cpu.stat", "usage_usec 1\nnr_throttled 7")
                .with("sys/fs/cgroup/outer/inner/cpu.max", "max 100000")
                .with("sys/fs/cgroup/outer/inner/memory.max", "max")
                .with("sys/fs/cgroup/outer/memory.max", "1073741824")
                .tree();
        assertThat(GroupLimits.read(tree)).isEqualTo(new GroupLimits(1.5, 7L, 1L << 30, true));
    }

    @Test
    void theFirstVersionsGroupsAreReadController() throws IOException {
        KernelTree tree = fake().with("proc/self/cgroup", "9:name=systemd:/\n4:memory:/box\n1:cpu,cpuacct:/\n0::/")
                .with("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1")
                .with("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000")
                .with("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712")
                .with("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "536870912")
                .tree();
        assertThat(GroupLimits.read(tree)).isEqualTo(new GroupLimits(null, null, 512L << 20, true));
    }

    @Test
    void whoListensOnKafkasPortIsNamedWhereItIsVisible() throws IOException {
        FakeTree fake = fake().with("proc/net/tcp", """
                          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
                           0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 11 1 0
                           1: 0100007F:2384 0100007F:9C40 01 00000000:00000000 00:00000000 00000000     0        0 12 1 0""");
        assertThat(Ports.read(fake.tree(), null))
                .as("a connection is no listener")
                .isEqualTo(new Ports(null, false, null));
        fake.with(
                "proc/net/tcp6",
                "   0: 00000000000000000000000001000000:2384 00000000000000000000000000000000:0000 0A"
                        + " 00000000:00000000 00:00000000 00000000     0        0 4711 1 0");
        assertThat(Ports.read(fake.tree(), null)).isEqualTo(new Ports(null, true, null));
        fake.with("proc/77/comm", "java").link("proc/77/fd/5", "socket:[4711]");
        assertThat(Ports.read(fake.tree(), "no loopback")).isEqualTo(new Ports("no loopback", true, "java (77)"));
    }

    @Test
    void stealIsAPartOfWhatProgramsWanted() {
        CpuTicks before = CpuTicks.parse(List.of("cpu  1000 0 0 9000 0 0 0 0 0 0"));
        CpuTicks after = CpuTicks.parse(List.of("cpu  1150 0 0 9800 0 0 0 50 0 0"));
        Steal steal = Steal.between(before, after);
        assertThat(steal.watchedShare()).isEqualTo(50 / 200.0);
        assertThat(steal.sinceBootShare()).isEqualTo(50 / 1200.0);
        CpuTicks idle = CpuTicks.parse(List.of("cpu  1160 0 0 99999 0 0 0 59 0 0"));
        assertThat(Steal.between(after, idle).watchedShare())
                .as("19 ticks tell nothing")
                .isNull();
        assertThat(Steal.sinceBoot(CpuTicks.parse(List.of()))).isEqualTo(new Steal(null, null));
    }

    @Test
    void processesAreRankedByWhatTheyUsedSinceAndThisOneIsNoCompetitor() throws IOException {
        FakeTree fake = fake().with("proc/1/stat", stat("init", 10, 5))
                .with("proc/20/stat", stat("a (b) c", 100, 0))
                .with("proc/30/stat", stat("self", 0, 0));
        ProcessTimes before = ProcessTimes.read(fake.tree());
        fake.with("proc/20/stat", stat("a (b) c", 140, 10))
                .with("proc/30/stat", stat("self", 99, 0))
                .with("proc/40/stat", stat("late", 0, 10))
                .with("proc/41/stat", "gone");
        assertThat(ProcessTimes.read(fake.tree()).since(before, 1_000_000_000, 30))
                .containsExactly(new Competitors.User(20, "a (b) c", 0.5), new Competitors.User(40, "late", 0.1));
    }

    private static String stat(String name, int user, int system) {
        return "7 (" + name + ") S 1 2 3 4 5 6 7 8 9 10 " + user + " " + system + " 0 0 20";
    }

    @Test
    void whatIsNotThereIsSaidAndLowersNothing() {
        KernelTree nothing = new FakeTree(root.resolve("nowhere")).tree();
        Diagnosis diagnosis = Diagnosis.of(List.of(
                Frequency.read(nothing),
                HugePages.read(nothing),
                Swap.read(nothing),
                GroupLimits.read(nothing),
                Numa.read(nothing),
                Ports.read(nothing, null),
                new Steal(null, null),
                new Isolation(8, null, null)));
        assertThat(diagnosis.letter()).isEqualTo(GradeLetter.A);
        assertThat(diagnosis.findings().stream()
                        .filter(each -> each.letter() == null)
                        .map(Finding::subject))
                .containsExactlyInAnyOrder(
                        "frequency",
                        "turbo",
                        "huge pages",
                        "swap",
                        "control group",
                        "NUMA",
                        "port 9092",
                        "steal",
                        "isolated cores");
    }
}
