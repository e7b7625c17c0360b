package dev.baton.measuring.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.measuring.data.Disturbance;
import dev.baton.measuring.data.HostActivity.Cause;
import dev.baton.measuring.data.HostActivity.Stall;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A process that is stopped and continued by signals, while all cores are busy with other processes. */
class StoppedProcessTest {
    private static final long STOP_MILLIS = 400;

    /** One shell does both, so that nothing stays stopped. */
    private static final String STOP = "kill -STOP $1 && sleep 0.4; kill -CONT $1";

    /** Watches itself between two lines of its input, and prints the longest stall and what disturbed it. */
    static final class Watching {
        private Watching() {}

        public static void main(String[] none) throws IOException {
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            try (MachineWatch watch = MachineWatch.start(List.of())) {
                watch.begin(System.nanoTime(), 0);
                System.out.println("begun");
                in.readLine();
                watch.sample();
                watch.end(1);
                Stall stall = watch.result().host().stalls().get(0);
                System.out.println(stall.cause() + " " + stall.nanos() / 1_000_000);
                watch.disturbances().stream()
                        .filter(each -> each.nanos() == stall.nanos())
                        .map(each -> each.kind() + " " + each.what())
                        .forEach(System.out::println);
            }
            System.exit(0);
        }
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "a process is stopped by SIGSTOP")
    void stoppedProcessIsDetected() throws Exception {
        Process burning = new ProcessBuilder("sh", "-c", "while :; do :; done").start();
        Process watching = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Watching.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out = watching.inputReader(StandardCharsets.UTF_8)) {
            assertThat(out.readLine()).isEqualTo("begun");
            String pid = Long.toString(watching.pid());
            Process stopping = new ProcessBuilder("sh", "-c", STOP, "stop", pid).start();
            assertThat(stopping.onExit().join().exitValue()).isZero();
            watching.outputWriter().append("\n").flush();
            String[] longest = out.readLine().split(" ");
            assertThat(longest[0]).isEqualTo(Cause.STOPPED.name());
            assertThat(Long.parseLong(longest[1])).isGreaterThanOrEqualTo(STOP_MILLIS - 10);
            assertThat(out.readLine()).isEqualTo(Disturbance.Kind.STOPPED + " this process was stopped");
        } finally {
            for (Process each : List.of(watching, burning)) {
                each.destroyForcibly().onExit().join();
            }
        }
    }
}
