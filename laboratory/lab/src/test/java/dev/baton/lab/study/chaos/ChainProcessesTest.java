package dev.baton.lab.study.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.launch.TiedJvm;
import dev.baton.lab.launch.jvm.InstalledJvm;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ChainProcessesTest {
    /** Says something, and knows nothing of signals. */
    static final class Deaf {
        public static void main(String[] arguments) throws IOException {
            System.out.println(arguments[0]);
            System.in.read();
        }
    }

    @Test
    void startingProcessMayEndBySignal() throws Exception {
        assertThat(endOfOneThatSaid("starting")).isEmpty();
    }

    @Test
    void readyProcessHasToEndInOrder() throws Exception {
        assertThat(endOfOneThatSaid("ready"))
                .hasValue(
                        "deaf did not end in good order on SIGTERM: it ended with status 143; its last output: ready");
    }

    private static Optional<String> endOfOneThatSaid(String words) throws InterruptedException {
        CountDownLatch hasSpoken = new CountDownLatch(1);
        List<String> command = List.of(
                InstalledJvm.current().executable().toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Deaf.class.getName(),
                words);
        try (TiedJvm deaf = TiedJvm.start("deaf", command, "ready", line -> hasSpoken.countDown())) {
            assertThat(hasSpoken.await(30, TimeUnit.SECONDS)).isTrue();
            if (words.equals("ready")) {
                deaf.awaitReady(TimeUnit.SECONDS.toNanos(30), () -> false);
            }
            deaf.terminate();
            return ChainProcesses.finish("deaf", deaf, System.nanoTime() + TimeUnit.SECONDS.toNanos(30));
        }
    }
}
