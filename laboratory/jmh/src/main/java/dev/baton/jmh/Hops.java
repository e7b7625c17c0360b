package dev.baton.jmh;

import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Runs this package's benchmarks with the arguments of JMH, in JVMs with the flags that the libraries need. */
public final class Hops {
    private static final String ALL = "dev.baton.jmh.";

    private Hops() {}

    /**
     * Runs the benchmarks.
     *
     * @param arguments those of {@code org.openjdk.jmh.Main}; without a pattern all benchmarks of this package run
     */
    public static void main(String[] arguments) throws CommandLineOptionException, RunnerException {
        CommandLineOptions typed = new CommandLineOptions(arguments);
        List<String> flags = new ArrayList<>(typed.getJvmArgsAppend().orElse(List.<String>of()));
        flags.addAll(Fork.flagsOfTheLibraries());
        OptionsBuilder options = new OptionsBuilder();
        options.parent(typed);
        options.jvmArgsAppend(flags.toArray(String[]::new));
        if (typed.getIncludes().isEmpty()) {
            options.include(ALL);
        }
        new Runner(options.build()).run();
    }
}
