package dev.baton.lab.study.reproduce;

import dev.baton.lab.command.CommandSource;
import dev.baton.lab.command.Workbench;
import dev.baton.lab.launch.BrokerSource;
import dev.baton.lab.launch.ExperimentFolder;
import dev.baton.lab.results.PrivateFile;
import dev.baton.lab.results.ReadExperiment;
import dev.baton.lab.results.ResultReader;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.CommandLines;
import dev.baton.operations.line.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;

/** Runs the steps of a study, each as a command line, and finds its results. Confined to one thread. */
record StepRun(Console console, Workbench bench) {
    /** Written when a step has ended: its command line and its exit code. */
    private static final String MARK = "step.txt";

    /** Runs a step. @param arguments with its directories @return its exit code */
    int run(StudyStep step, List<String> arguments) {
        Workbench own = step.isStockBroker() && bench.brokers() instanceof BrokerSource.KafkaBrokers
                ? bench.with(BrokerSource.KafkaBrokers.withStockThreads())
                : bench;
        CommandLine line = CommandSource.commandLine(console, own, source -> !(source instanceof ReproduceKind));
        return CommandLines.execute(line, console, arguments.toArray(String[]::new));
    }

    /**
     * The exit code of a step that ended in this directory and whose files still exist; null when it has to be run.
     *
     * @param typed its command line: a step with another one is a different step
     */
    static Integer ended(Path directory, String typed) {
        Path mark = directory.resolve(MARK);
        try {
            List<String> lines = Files.isRegularFile(mark) ? Files.readAllLines(mark) : List.of();
            boolean isSame = lines.size() == 2
                    && lines.get(0).equals(typed)
                    && lines.get(1).matches("\\d{1,3}");
            return isSame && left(directory) != null ? Integer.valueOf(lines.get(1)) : null;
        } catch (IOException unreadable) {
            return null;
        }
    }

    /** Marks a step as ended, after its files are complete. A step without files is not marked. */
    static void end(Path directory, String typed, int exitCode) {
        if (left(directory) != null) {
            write(directory.resolve(MARK), typed + "\n" + exitCode + "\n");
        }
    }

    /** Writes a file of the study. */
    static void write(Path file, String text) {
        try {
            PrivateFile.write(file, text);
        } catch (IOException failed) {
            throw CommandException.environment("cannot write " + file + ": " + failed.getMessage(), failed);
        }
    }

    /** Returns the newest complete experiment in the directory of a step; null when there is none. */
    static ReadExperiment left(Path directory) {
        return ExperimentFolder.below(directory).stream()
                .map(ResultReader::read)
                .filter(read -> read.experiment() != null && read.experiment().endedAt() != null)
                .reduce((one, other) -> other)
                .orElse(null);
    }
}
