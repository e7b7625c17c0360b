package dev.baton.lab.command;

import dev.baton.lab.launch.BrokerSource;
import dev.baton.lab.launch.ExperimentFolder;
import dev.baton.lab.launch.TrialListener;
import dev.baton.lab.launch.TrialProgram;
import dev.baton.lab.launch.Trials;
import dev.baton.lab.launch.Workspace;
import dev.baton.operations.line.Interruption;
import dev.baton.operations.line.KnownTransports;

/** The environment of every command that measures. */
public record Workbench(KnownTransports known, BrokerSource brokers, TrialProgram program, Interruption interruption) {
    /** Creates a runner of trials, one after the other, with the brokers of this workbench. */
    public Trials trials(ExperimentFolder folder, Workspace workspace, TrialListener listener) {
        return new Trials(folder, workspace, brokers, interruption, listener, program);
    }

    public Workbench with(BrokerSource others) {
        return new Workbench(known, others, program, interruption);
    }
}
