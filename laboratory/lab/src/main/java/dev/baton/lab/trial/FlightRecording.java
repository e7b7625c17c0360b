package dev.baton.lab.trial;

import dev.baton.lab.request.Observers.Profiler;
import dev.baton.lab.request.PlacedTrial;
import dev.baton.lab.results.PrivateFile;
import dev.baton.lab.results.ResultFolder;
import dev.baton.operations.line.CommandException;
import java.io.IOException;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.List;
import jdk.jfr.Configuration;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;

/**
 * A recording of a trial's measurement by Java Flight Recorder, if the trial asks for one. The recorder is started before the
 * warm-up, so that its start is not part of the measurement. Confined to the thread that runs the trial.
 */
final class FlightRecording implements AutoCloseable {
    private static final String SETTINGS = "profile"; // samples threads every 10 ms

    /** Events that contain command lines, options or the environment, in which there may be passwords. */
    private static final List<String> WITH_SECRETS = List.of(
            "jdk.InitialEnvironmentVariable", "jdk.InitialSystemProperty", "jdk.JVMInformation", "jdk.SystemProcess");

    private final Path file;
    private final Recording beforehand; // null: nothing is recorded
    private Recording measurement; // null outside of the measurement

    private FlightRecording(Path file, Recording beforehand) {
        this.file = file;
        this.beforehand = beforehand;
    }

    /** Starts the recorder if the trial asks for it. */
    static FlightRecording of(PlacedTrial trial) {
        Path file = new ResultFolder(Path.of(trial.place().resultDirectory()))
                .recordingFile(trial.plan().id());
        if (trial.plan().watching().profiler() == Profiler.NONE) {
            return new FlightRecording(file, null);
        }
        if (!FlightRecorder.isAvailable()) {
            throw CommandException.environment("--profile jfr: this JVM has no flight recorder");
        }
        return new FlightRecording(file, started());
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
        }
    }

    /** Ends the part that is kept, and writes the file. */
    void end() {
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
    }
}
