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
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A process that is stopped and continued by signals, while all cores are busy with other processes. */
class StoppedProcessTest {
    private static final long STOP_MILLIS = 400;
    private static final long LEAST_NANOS = (STOP_MILLIS - 10) * 1_000_000;
    private static final long LIMIT_NANOS = 2_000_000_000;

    /** One shell does both, so that nothing stays stopped. */
    private static final String STOP = "kill -STOP $1 && sleep 0.4; kill -CONT $1";

    /** A stop may hit the probe between two sleeps, where it measures nothing. */
    private static final int MOST_STOPS = 5;

    private static final String UNSEEN = "unseen";

    /**
     * Watches itself, and prints the longest stall and what disturbed it when its input has a line and the probe has woken up from a
     * stop. If no stop was in a sleep of the probe, it prints {@link #UNSEEN} and reads the next line.
     */
    static final class Watching {
        private Watching() {}

        public static void main(String[] none) throws IOException {
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            try (MachineWatch watch = MachineWatch.start(List.of())) {
                watch.begin(System.nanoTime(), 0);
                System.out.println("begun");
                do {
                    in.readLine();
                } while (!isSeen(watch));
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

        /** The thread that reads the input may have a core before the probe has. */
        private static boolean isSeen(MachineWatch watch) {
            long start = System.nanoTime();
            while (watch.disturbances().stream().noneMatch(each -> each.nanos() >= LEAST_NANOS)) {
                if (System.nanoTime() - start > LIMIT_NANOS) {
                    System.out.println(UNSEEN);
                    return false;
                }
                LockSupport.parkNanos(1_000_000);
            }
            return true;
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
            String line = UNSEEN;
            for (int i = 0; i < MOST_STOPS && line.equals(UNSEEN); i++) {
                Process stopping = new ProcessBuilder("sh", "-c", STOP, "stop", pid).start();
                assertThat(stopping.onExit().join().exitValue()).isZero();
                watching.outputWriter().append("\n").flush();
                line = out.readLine();
            }
            String[] longest = line.split(" ");
            assertThat(longest[0]).isEqualTo(Cause.STOPPED.name());
            assertThat(Long.parseLong(longest[1]) * 1_000_000).isGreaterThanOrEqualTo(LEAST_NANOS);
            assertThat(out.readLine()).isEqualTo(Disturbance.Kind.STOPPED + " this process was stopped");
        } finally {
            for (Process each : List.of(watching, burning)) {
                each.destroyForcibly().onExit().join();
            }
        }
    }
}
