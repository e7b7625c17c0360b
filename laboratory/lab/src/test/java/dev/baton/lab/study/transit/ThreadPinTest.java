package dev.baton.lab.study.transit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.lab.study.transit.PinnedChains.ThreadPin;
import dev.baton.measuring.machine.Cores;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.CommandException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ThreadPinTest {
    private static final Path OWN_STATUS = Path.of("/proc/thread-self/status");

    @BeforeEach
    void onLinux() {
        assumeTrue(Files.exists(OWN_STATUS), "what the kernel says about a thread");
    }

    @Test
    void theKernelAgreesThatTheThreadIsBound() throws Exception {
        int cpu = Cores.allowed().length() - 1;
        List<String> status = new ArrayList<>();
        Thread bound = new Thread(() -> {
            ThreadPin pin = new ThreadPin(cpu);
            pin.bind();
            pin.bind();
            try {
                status.addAll(Files.readAllLines(OWN_STATUS));
            } catch (IOException unreadable) {
                status.add(unreadable.toString());
            }
        });
        bound.start();
        bound.join();
        assertThat(status).contains("Cpus_allowed_list:\t" + cpu);
    }

    @Test
    void checkBindsATemporaryThread() throws Exception {
        List<String> before = Files.readAllLines(OWN_STATUS).stream()
                .filter(line -> line.startsWith("Cpus_allowed"))
                .toList();
        ThreadPin.check(Cores.allowed().nextSetBit(0));
        assertThat(Files.readAllLines(OWN_STATUS)).containsAll(before);
    }

    @Test
    void missingCpuIsEnvironmentError() {
        int absent = 1_000;
        assumeTrue(!Cores.allowed().get(absent));
        assertThatThrownBy(() -> ThreadPin.check(absent))
                .isInstanceOfSatisfying(
                        CommandException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(Kind.ENVIRONMENT))
                .hasMessageContaining("CPU 1000");
    }
}
