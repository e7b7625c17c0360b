package dev.baton.operations.line;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** A program of its own whose command a signal finds in the middle of something. */
@Command(name = "interrupted")
public final class InterruptedCommand implements Callable<Integer> {
    @Parameters
    private String what;

    private final Console console;
    private final Interruption interruption;

    private InterruptedCommand(Console console, Interruption interruption) {
        this.console = console;
        this.interruption = interruption;
    }

    public static void main(String[] arguments) {
        Program.run(
                arguments,
                (console, interruption) -> CommandLines.configure(
                        new CommandLine(new InterruptedCommand(console, interruption)), console));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        CountDownLatch signalled = new CountDownLatch(1);
        interruption.stopping(signalled::countDown);
        console.print(List.of("ready"));
        switch (what) {
            case "reads" -> System.in.read(); // which no interrupt ends
            case "closes" -> { // what it has opened after the signal
                signalled.await();
                interruption.hasToClose();
                new CountDownLatch(1).await(Interruption.SHORT.toSeconds() + 1, TimeUnit.SECONDS);
                console.complain("closed");
            }
            case "opens" -> { // for ever
                interruption.hasToClose(() -> Duration.ofMillis(100));
                new CountDownLatch(1).await();
            }
            case "opened" -> { // and closes
                AtomicReference<Duration> longest = new AtomicReference<>(Interruption.SHORT.plusMillis(500));
                interruption.hasToClose(longest::get);
                signalled.await();
                new CountDownLatch(1).await(Interruption.SHORT.toSeconds(), TimeUnit.SECONDS);
                longest.set(Interruption.LONGEST);
                new CountDownLatch(1).await(1, TimeUnit.SECONDS);
                console.complain("closed");
            }
            case "registers" -> {
                signalled.await();
                Runtime.getRuntime().addShutdownHook(new Thread());
            }
            default -> {
                signalled.await();
                throw new ExceptionInInitializerError(new IllegalStateException("Shutdown in progress"));
            }
        }
        return ExitCode.OK;
    }
}
