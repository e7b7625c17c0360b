package dev.baton.lab.trial;

import dev.baton.lab.protocol.Event;
import dev.baton.lab.request.PlacedTrial;
import dev.baton.lab.results.ResultFolder;
import dev.baton.lab.results.TrialResult;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.ForeignJars;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Runs one trial in this JVM: the child's main thread, or a test. {@link #run} is called once; {@link #interrupt} may be
 * called by any thread at any time.
 */
public final class TrialRunner {
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
}
