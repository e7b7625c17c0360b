package dev.baton.lab.trial;

import dev.baton.lab.protocol.AskedJvm;
import dev.baton.lab.protocol.Event;
import dev.baton.lab.request.PlacedTrial;
import dev.baton.lab.request.Study;
import dev.baton.lab.results.Json;
import dev.baton.lab.results.ResultFolder;
import dev.baton.lab.results.StudyKind;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.trial.ends.Instruments;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.CommandException.Kind;
import dev.baton.operations.line.CommandLines;
import dev.baton.operations.line.ExitCode;
import dev.baton.operations.line.ForeignJars;
import dev.baton.operations.line.Interruption;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Runs one trial in this JVM: the main class of a trial's JVM, or an object of a test. {@link #run} is called once; {@link #interrupt} may
 * be called by any thread at any time.
 *
 * <p><b>As the main class</b> it runs the trial whose plan file is its one argument. If secrets were removed from that file, the whole plan
 * is the first line of standard input. Standard output carries {@link Event}s and nothing else; the output of libraries goes to standard
 * error. The parent keeps standard input open: when it is closed, by the parent or by its end, the trial ends early, its partial result is
 * kept, and everything that it had created is removed. The same happens on SIGTERM. Exit code: 0 with a result, 1 failure, 2 usage, 3
 * environment.
 */
public final class TrialRunner {
    private static final int CLEAN_UP_SECONDS = 20;

    private final PlacedTrial trial;
    private final Workload.Source source;
    private final Consumer<? super Event> events;
    private volatile String interruption;
    private volatile Thread runner;

    /**
     * Creates a runner.
     *
     * @param source opens the workload of the plan's study
     * @param events called on the thread that runs the trial; must not block for long
     */
    public TrialRunner(PlacedTrial trial, Workload.Source source, Consumer<? super Event> events) {
        this.trial = trial;
        this.source = source;
        this.events = events;
    }

    /**
     * Runs the trial, writes its files and reports {@link Event.Result}. Blocks.
     *
     * @throws CommandException when there can be no result, after everything opened was closed again; nothing is reported
     */
    public TrialResult run() {
        runner = Thread.currentThread();
        events.accept(new Event.Ready(ProcessHandle.current().pid()));
        try (Trial running = Trial.open(trial, source, events, () -> interruption)) {
            running.startInstances();
            try (FlightRecording flight = FlightRecording.of(trial)) {
                running.warmUp();
                flight.begin();
                running.measure();
                flight.end();
            }
            running.drain();
            TrialResult result = running.finish();
            events.accept(
                    new Event.Result(new ResultFolder(Path.of(trial.place().resultDirectory()))
                            .trialFile(trial.plan().id())
                            .toAbsolutePath()
                            .toString()));
            return result;
        } catch (CommandException known) {
            throw known;
        } catch (OutOfMemoryError tooSmall) {
            throw CommandException.environment(
                    "the heap of " + (Runtime.getRuntime().maxMemory() >> 20) + " MB is too small for this trial",
                    tooSmall);
        } catch (LinkageError missing) {
            throw CommandException.environment(ForeignJars.complaint(missing), missing);
        } catch (RuntimeException ours) {
            throw new CommandException(CommandException.Kind.FAILURE, String.valueOf(ours), ours);
        }
    }

    /** Cuts the trial short: what was measured so far is kept and marked. */
    public void interrupt(String why) {
        interruption = why;
        LockSupport.unpark(runner);
    }

    public static void main(String[] arguments) {
        Locale.setDefault(Locale.US); // numbers in texts are the laboratory's, whatever the user's locale
        PrintStream protocol = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err);
        int code = run(arguments, protocol);
        protocol.flush();
        System.exit(code);
    }

    private static int run(String[] arguments, PrintStream protocol) {
        CountDownLatch ended = new CountDownLatch(1);
        try {
            TrialRunner runner =
                    new TrialRunner(trial(arguments), TrialRunner::open, event -> protocol.println(Json.line(event)));
            watchParent(runner);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> interruptAndWait(runner, ended), "baton-lab-end"));
            runner.run();
            return 0;
        } catch (CommandException known) {
            return fail(protocol, known.kind(), known);
        } catch (Exception | Error ours) {
            return fail(protocol, Kind.FAILURE, ours);
        } finally {
            ended.countDown();
        }
    }

    /** Opens the workload of the plan's study. */
    private static Workload open(Instruments instruments) {
        Study study = instruments.plan().study();
        return StudyKind.in(Workload.OfStudy.class, study)
                .orElseThrow(() -> new IllegalStateException("no workload answers " + study))
                .open(instruments);
    }

    private static PlacedTrial trial(String[] arguments) {
        if (arguments.length != 1) {
            throw CommandException.usage("one argument, the plan file, and not " + arguments.length);
        }
        try {
            String difference = AskedJvm.difference(Path.of(arguments[0]));
            if (difference != null) {
                throw CommandException.environment(difference);
            }
            PlacedTrial shown = Json.read(Path.of(arguments[0]), PlacedTrial.class);
            return shown.plan().isRedacted() ? whole() : shown;
        } catch (IOException unreadable) {
            throw CommandException.usage(unreadable.getMessage(), unreadable);
        }
    }

    /** The plan with its secrets, which are in no file: the first line of standard input. */
    private static PlacedTrial whole() throws IOException {
        String line = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        try {
            return Json.parse(String.valueOf(line), PlacedTrial.class);
        } catch (IllegalArgumentException malformed) {
            throw new IOException("the plan's file holds no secrets, and standard input no plan", malformed);
        }
    }

    private static int fail(PrintStream protocol, Kind kind, Throwable failure) {
        if (kind == Kind.FAILURE || CommandLines.isTracing()) {
            failure.printStackTrace(); // to the file that the parent keeps as ID.errors.log
        }
        String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
        protocol.println(
                Json.line(new Event.Failed(kind, message.lines().findFirst().orElse(failure.toString()))));
        return ExitCode.of(new CommandException(kind, message));
    }

    private static void watchParent(TrialRunner runner) {
        Interruption parent = new Interruption();
        parent.stopping(() -> runner.interrupt("the command was ended"));
        parent.requestAtEndOfInput("baton-lab-parent");
    }

    private static void interruptAndWait(TrialRunner runner, CountDownLatch ended) {
        runner.interrupt("a signal ended the trial");
        try {
            ended.await(CLEAN_UP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
