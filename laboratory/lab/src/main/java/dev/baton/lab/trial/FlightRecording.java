package dev.baton.lab.trial;

import dev.baton.lab.request.Observers;
import dev.baton.lab.request.Observers.Agent;
import dev.baton.lab.request.Observers.Profiler;
import dev.baton.lab.request.PlacedTrial;
import dev.baton.lab.results.PrivateFile;
import dev.baton.lab.results.ResultFolder;
import dev.baton.operations.line.CommandException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.List;
import javax.management.JMException;
import javax.management.ObjectName;
import jdk.jfr.Configuration;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;

/**
 * A recording of a trial's measurement by Java Flight Recorder or by the async-profiler, if the trial asks for one. The flight recorder is
 * started before the warm-up, so that its start is not part of the measurement. Confined to the thread that runs the trial.
 */
final class FlightRecording implements AutoCloseable {
    private static final String SETTINGS = "profile"; // samples threads every 10 ms

    /** Events that contain command lines, options or the environment, in which there may be passwords. */
    private static final List<String> WITH_SECRETS = List.of(
            "jdk.InitialEnvironmentVariable", "jdk.InitialSystemProperty", "jdk.JVMInformation", "jdk.SystemProcess");

    private final Path file;
    private final Recording beforehand; // null: nothing is recorded
    private final Agent agent; // null: no async-profiler
    private Recording measurement; // null outside of the measurement
    private boolean isSampling;

    private FlightRecording(Path file, Recording beforehand, Agent agent) {
        this.file = file;
        this.beforehand = beforehand;
        this.agent = agent;
    }

    /** Starts the recorder if the trial asks for it. */
    static FlightRecording of(PlacedTrial trial) {
        Path file = new ResultFolder(Path.of(trial.place().resultDirectory()))
                .recordingFile(trial.plan().id());
        Observers observers = trial.plan().watching();
        if (observers.profiler() != Profiler.JFR) {
            return new FlightRecording(file, null, observers.agent());
        }
        if (!FlightRecorder.isAvailable()) {
            throw CommandException.environment("--profile jfr: this JVM has no flight recorder");
        }
        return new FlightRecording(file, started(), null);
    }

    private static Recording started() {
        try {
            Recording recording = new Recording(Configuration.getConfiguration(SETTINGS));
            WITH_SECRETS.forEach(recording::disable);
            recording.start();
            return recording;
        } catch (IOException | ParseException missing) {
            throw CommandException.environment("--profile jfr: this JVM has no settings '" + SETTINGS + "'", missing);
        }
    }

    /** Begins the part that is kept. */
    void begin() {
        if (beforehand != null) {
            measurement = started();
        } else if (agent != null) {
            try {
                PrivateFile.write(file, "");
            } catch (IOException failed) {
                throw CommandException.environment("the recording cannot be written: " + failed.getMessage(), failed);
            }
            command("start,event=" + agent.event() + ",jfr,file=" + file.toAbsolutePath());
            isSampling = true;
        }
    }

    /** Has the JVM load the agent with a command, which the agent carries out at once. */
    private void command(String options) {
        String refused = "--profile async=" + agent.library() + ": ";
        try {
            Object said = ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "jvmtiAgentLoad",
                            new Object[] {new String[] {quoted(agent.library()), quoted(options)}},
                            new String[] {String[].class.getName()});
            String answer = String.valueOf(said).strip();
            if (!answer.endsWith("return code: 0")) {
                throw CommandException.environment(refused + "the JVM answered '"
                        + answer.lines().findFirst().orElse("") + "' to " + options
                        + "; check that the library is for this platform, and the event allowed here"
                        + " (/proc/sys/kernel/perf_event_paranoid); itimer and wall need no permission");
            }
        } catch (JMException absent) {
            throw CommandException.environment(refused + "this JVM cannot load agents: " + absent.getMessage(), absent);
        }
    }

    private static String quoted(String argument) {
        return "\"" + argument + "\"";
    }

    /** Ends the part that is kept, and writes the file. */
    void end() {
        if (isSampling) {
            isSampling = false;
            command("stop,file=" + file.toAbsolutePath());
        }
        if (measurement == null) {
            return;
        }
        try (Recording ending = measurement) {
            measurement = null;
            ending.stop();
            PrivateFile.write(file, "");
            ending.dump(file);
        } catch (IOException failed) {
            throw CommandException.environment(
                    "the flight recording cannot be written: " + failed.getMessage(), failed);
        }
    }

    @Override
    public void close() {
        if (measurement != null) {
            measurement.close();
        }
        if (beforehand != null) {
            beforehand.close();
        }
        if (isSampling) { // the trial failed
            isSampling = false;
            command("stop,file=" + file.toAbsolutePath());
        }
    }
}
