package dev.baton.operations.top;

import dev.baton.operations.line.Checks;
import dev.baton.operations.line.ExitCode;
import dev.baton.operations.line.Subcommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code baton top}: shows the state of service processes. */
@Command(
        name = "top",
        sortOptions = false,
        description = {
            "Shows the state of service processes: messages per second, backlogs, ages, loops and last errors, until Ctrl-C.",
            "Reads the health port of each (./baton service --http), by default on 127.0.0.1 only; from another host,"
                    + " use a tunnel such as ssh -L 8080:127.0.0.1:8080 HOST. With --jmx it reads any JVM whose code registers"
                    + " its chains with JMX (ManagedChain.register)."
        },
        footer = {
            "",
            "UNREAD is an upper bound of the age of the oldest message not yet consumed; UNSTORED a lower bound of the age of the"
                    + " oldest one sent and not yet stored; IDLE the time since the service did something. A service with state has the"
                    + " newest snapshot below it; 'disk' is the space of the topics, with --http only. '?' is unknown, '-' not applicable.",
            "Over a media driver of Aeron, its counters since its start, with what was added since the last reading; with --http only.",
            "Exit codes: 0 shown; 1 with --once, a process is not healthy; 2 usage error; 3 with --once, one cannot be"
                    + " reached."
        })
public final class TopCommand extends Subcommand {
    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final String CLEAR = "\u001b[H\u001b[2J";

    @Parameters(
            arity = "0..*",
            paramLabel = "PROCESS",
            description = "its health port, HOST:PORT or http://HOST:PORT/health, as the process logs it")
    private List<String> processes = new ArrayList<>();

    @Option(
            names = "--jmx",
            paramLabel = "PID|HOST:PORT",
            description = "a JVM of this host and user by its process id, or the JMX port of one; may be repeated")
    private List<String> jvms = new ArrayList<>();

    @Option(names = "--once", description = "print once, with the rates of one interval, and end")
    private boolean isOnce;

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            description = "between two readings, such as 500ms (default: 1s)")
    private Duration interval = Duration.ofSeconds(1);

    @Override
    public Integer call() throws InterruptedException {
        Checks.time("--interval", interval, SHORTEST, LONGEST);
        List<ProcessClient> clients = Stream.<ProcessClient>concat(
                        processes.stream().map(HealthClient::of), jvms.stream().map(JmxClient::of))
                .toList();
        Checks.require(!clients.isEmpty(), "name a process: its health port, or --jmx with its process id");
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<List<ProcessReading>> interrupted = new CompletableFuture<>();
        if (!isOnce) {
            interruption().isOrdinaryEnd();
        }
        interruption().stopping(() -> {
            end.countDown();
            interrupted.complete(null);
        });
        List<ProcessReading> before = read(clients, interrupted);
        while (!end.await(interval.toNanos(), TimeUnit.NANOSECONDS)) {
            List<ProcessReading> now = read(clients, interrupted);
            if (now == null) {
                break;
            }
            show(clients, before, now);
            if (isOnce) {
                return exitCode(now);
            }
            if (console().out().checkError()) {
                break; // the output is closed, for example by head
            }
            before = now;
        }
        return isOnce ? ExitCode.INTERRUPTED : ExitCode.OK;
    }

    /** Reads on a thread of its own, as a process may take seconds to answer; null when it was interrupted first. */
    private static List<ProcessReading> read(
            List<ProcessClient> clients, CompletableFuture<List<ProcessReading>> interrupted) {
        CompletableFuture<List<ProcessReading>> reading = CompletableFuture.supplyAsync(
                () -> clients.stream().map(ProcessClient::read).toList(), TopCommand::onDaemon);
        return reading.applyToEither(interrupted, readings -> readings).join();
    }

    private static void onDaemon(Runnable task) {
        Thread thread = new Thread(task, "baton-top");
        thread.setDaemon(true);
        thread.start();
    }

    private void show(List<ProcessClient> clients, List<ProcessReading> before, List<ProcessReading> now) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < clients.size(); i++) {
            if (i > 0) {
                lines.add("");
            }
            lines.addAll(Screen.lines(clients.get(i).name(), before.get(i), now.get(i), terminal()));
        }
        if (!isOnce && terminal().outIsTerminal()) {
            console().out().print(CLEAR);
        }
        console().print(lines);
    }

    private static int exitCode(List<ProcessReading> readings) {
        if (readings.stream().anyMatch(each -> each.problem() != null)) {
            return ExitCode.ENVIRONMENT;
        }
        return readings.stream().allMatch(ProcessReading::isHealthy) ? ExitCode.OK : ExitCode.FAILED;
    }
}
