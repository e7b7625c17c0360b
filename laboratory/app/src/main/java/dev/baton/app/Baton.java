package dev.baton.app;

import dev.baton.lab.Laboratory;
import dev.baton.lab.command.Workbench;
import dev.baton.lab.launch.BrokerSource.KafkaBrokers;
import dev.baton.lab.launch.TrialProgram;
import dev.baton.lab.trial.TrialRunner;
import dev.baton.operations.line.KnownTransports;
import dev.baton.operations.line.Program;

/** The main class of {@code baton.jar}: the laboratory's command line over the transports on the class path. */
public final class Baton {
    private Baton() {}

    public static void main(String[] arguments) {
        Program.run(
                arguments,
                (console, interruption) -> Laboratory.onLinux(
                        System.getProperty("os.name"),
                        console,
                        new Workbench(
                                KnownTransports.onClassPath(),
                                new KafkaBrokers(),
                                new TrialProgram(TrialRunner.class),
                                interruption),
                        arguments));
    }
}
