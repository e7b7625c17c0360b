package dev.baton.lab.command;

import java.util.Map;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The defaults of a command that differ from those of other commands with the same options. Immutable, thread-safe. */
public abstract class ChangedDefaults implements IDefaultValueProvider {
    private final Map<String, String> values;

    /**
     * Creates the defaults.
     *
     * @param values by the options' long names
     */
    protected ChangedDefaults(Map<String, String> values) {
        this.values = values;
    }

    @Override
    public final String defaultValue(ArgSpec argument) {
        return argument instanceof OptionSpec option ? values.get(option.longestName()) : null;
    }
}
