package dev.baton.lab.command;

import dev.baton.lab.launch.BrokerSource;
import dev.baton.lab.launch.ExperimentFolder;
import dev.baton.lab.launch.TrialListener;
import dev.baton.lab.launch.Trials;
import dev.baton.lab.launch.Workspace;
import dev.baton.operations.line.Interruption;
import dev.baton.operations.line.KnownTransports;

/**
 * What every command that measures works with.
 *
 * @param known the transports to choose from
 * @param brokers where a broker comes from
 * @param childMain class that the JVM of a trial runs, with a plan file as its argument
 * @param interruption Ctrl-C
 */
public record Workbench(KnownTransports known, BrokerSource brokers, String childMain, Interruption interruption) {
    /** What runs trials one after the other, with the brokers of this workbench. */
    public Trials trials(ExperimentFolder folder, Workspace workspace, TrialListener listener) {
        return new Trials(folder, workspace, brokers, interruption, listener, childMain);
    }

    /** The same with other brokers. */
    public Workbench with(BrokerSource others) {
        return new Workbench(known, others, childMain, interruption);
    }
}
