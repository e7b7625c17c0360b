package dev.baton.lab.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.baton.measuring.data.Host;
import dev.baton.measuring.data.TrialEnvironment;
import dev.baton.measuring.machine.CpuTicks;
import dev.baton.measuring.machine.KernelTree;
import dev.baton.measuring.machine.SystemLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
    void clockSourcesAreRead() throws IOException {
        String folder = "sys/devices/system/clocksource/clocksource0/";
        KernelTree tree = fake().with(folder + "current_clocksource", "hpet")
                .with(folder + "available_clocksource", "tsc hpet acpi_pm ")
                .tree();
        assertThat(Settings.read(tree, null, null).clockSources()).containsExactly("tsc", "hpet", "acpi_pm");
    }

    @Test
    void turboRemedyNamesTheKernelsSwitch() throws IOException {
        Host.Clocking on = new Host.Clocking("performance,powersave", null, true);
        FakeTree fake = fake();
        assertThat(Settings.frequency(on, Settings.read(fake.tree(), null, null).isIntel()))
                .extracting(Finding::found, Finding::remedy)
                .contains(
                        tuple(
                                "governor performance, powersave",
                                "echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor"),
                        tuple("on", "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost"));
        fake.with("sys/devices/system/cpu/intel_pstate/no_turbo", "0");
        assertThat(Settings.frequency(on, Settings.read(fake.tree(), null, null).isIntel()))
                .extracting(Finding::remedy)
                .contains("echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo");
    }

    @Test
    void isolatedCoresAreParsed() throws IOException {
        String cpus = "sys/devices/system/cpu/";
        FakeTree fake =
                fake().with(cpus + "online", "0-7").with(cpus + "isolated", "").with(cpus + "nohz_full", "(null)");
        assertThat(Settings.read(fake.tree(), null, null))
                .extracting(Settings::isolated, Settings::tickless)
                .containsExactly("", "");
        fake.with(cpus + "isolated", "2-3").with(cpus + "nohz_full", "3");
        assertThat(Settings.read(fake.tree(), null, null))
                .extracting(Settings::isolated, Settings::tickless)
                .containsExactly("2-3", "3");
    }

    @Test
    void hugePagesAndNodesAreRead() throws IOException {
        KernelTree tree = fake().with("sys/kernel/mm/transparent_hugepage/defrag", "always defer [madvise] never")
                .with("sys/devices/system/node/node0/x", "")
                .with("sys/devices/system/node/node1/x", "")
                .with("proc/sys/kernel/numa_balancing", "1")
                .tree();
        assertThat(Settings.read(tree, null, null))
                .extracting(Settings::defrag, Settings::nodes, Settings::isBalanced)
                .containsExactly("madvise", 2, true);
    }

    @Test
    void listenerOnKafkasPortIsNamed() throws IOException {
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
    void stealIsAShareOfRequestedTime() {
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
    void competitorsAreRankedByUseWithoutThisProcess() throws IOException {
        FakeTree fake = fake().with("proc/1/stat", stat("init", 10, 5))
                .with("proc/20/stat", stat("a (b) c", 100, 0))
                .with("proc/30/stat", stat("self", 0, 0));
        Competitors.Times before = Competitors.Times.read(fake.tree());
        fake.with("proc/20/stat", stat("a (b) c", 140, 10))
                .with("proc/30/stat", stat("self", 99, 0))
                .with("proc/40/stat", stat("late", 0, 10))
                .with("proc/41/stat", "gone");
        assertThat(Competitors.Times.read(fake.tree()).since(before, 1_000_000_000, 30))
                .containsExactly(new Competitors.User(20, "a (b) c", 0.5), new Competitors.User(40, "late", 0.1));
    }

    private static String stat(String name, int user, int system) {
        return "7 (" + name + ") S 1 2 3 4 5 6 7 8 9 10 " + user + " " + system + " 0 0 20";
    }

    @Test
    void unknownReadingsDoNotLowerTheGrade() {
        KernelTree nothing = new FakeTree(root.resolve("nowhere")).tree();
        Host host = new Host(null, new Host.Clocking(null, null, null), null, null, null, null, null, null);
        TrialEnvironment environment =
                new TrialEnvironment(null, null, 8, "", List.of(), null, 25, 0, null, Map.of(), host);
        SystemLimits limits = new SystemLimits(1L << 40, 1 << 20, 1 << 20, 1, "");
        Diagnosis diagnosis = Diagnosis.of(
                List.of(Settings.read(nothing, environment, limits), Ports.read(nothing, null), new Steal(null, null)));
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
