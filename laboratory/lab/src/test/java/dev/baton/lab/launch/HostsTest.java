package dev.baton.lab.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import dev.baton.lab.TestHosts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Timeout(120)
@EnabledOnOs(OS.LINUX)
class HostsTest {
    private static final int REFUSED = 1;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
    private static final int TIMED_OUT = 124; // of timeout(1)

    @Test
    void cutHostIsUnreachableUntilHealed() throws Exception {
        try (Hosts hosts = TestHosts.make(2)) {
            assertThat(reach(hosts, 0, 1)).isEqualTo(REFUSED); // by the host, as nothing listens
            hosts.cut(1, true);
            assertThat(reach(hosts, 0, 1)).isEqualTo(TIMED_OUT);
            hosts.cut(1, false);
            await().atMost(LONGEST_WAIT).until(() -> reach(hosts, 0, 1) == REFUSED);
        }
    }

    @Test
    void partedHostsReachOnlyTheThird() throws Exception {
        try (Hosts hosts = TestHosts.make(3)) {
            hosts.part(0, 1, true);
            assertThat(List.of(reach(hosts, 0, 1), reach(hosts, 1, 0))).containsOnly(TIMED_OUT);
            assertThat(List.of(reach(hosts, 0, 2), reach(hosts, 1, 2))).containsOnly(REFUSED);
            hosts.part(0, 1, false);
            await().atMost(LONGEST_WAIT).until(() -> reach(hosts, 0, 1) == REFUSED); // addresses are resolved again
        }
    }

    @Test
    void networkFaultsAreUndone() throws Exception {
        boolean isLossy = TestHosts.canLosePackets();
        try (Hosts hosts = TestHosts.make(2)) {
            for (boolean isHarmed : new boolean[] {true, false, true, false}) {
                assertThatCode(() -> {
                            hosts.slow(1, isHarmed);
                            if (isLossy) {
                                hosts.lose(isHarmed);
                            }
                        })
                        .doesNotThrowAnyException();
            }
            hosts.reset(0);
            assertThat(reach(hosts, 0, 1)).isEqualTo(REFUSED);
        }
    }

    @Test
    void closedHostsLeaveNothing() {
        Path first;
        try (Hosts hosts = TestHosts.make(1)) {
            first = Path.of("/run/netns").resolve(hosts.on(0).get(3));
            assertThat(first).exists();
        }
        assertThat(first).doesNotExist();
        assertThat(Path.of("/sys/class/net").resolve(first.getFileName())).matches(Files::notExists);
    }

    private static int reach(Hosts hosts, int from, int to) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(hosts.on(from));
        command.addAll(List.of("timeout", "1", "bash", "-c", "echo > /dev/tcp/" + hosts.address(to) + "/1"));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }
}
