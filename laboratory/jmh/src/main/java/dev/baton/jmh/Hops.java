package dev.baton.jmh;

import dev.baton.aeron.AeronProvider;
import dev.baton.chronicle.ChronicleProvider;
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

    /** @param arguments those of {@code org.openjdk.jmh.Main}; without a pattern all benchmarks of this package run */
    public static void main(String[] arguments) throws CommandLineOptionException, RunnerException {
        CommandLineOptions typed = new CommandLineOptions(arguments);
        List<String> flags = new ArrayList<>(typed.getJvmArgsAppend().orElse(List.<String>of()));
        flags.addAll(new ChronicleProvider().jvmFlags(Runtime.version().feature()));
        flags.addAll(new AeronProvider().jvmFlags(Runtime.version().feature()));
        OptionsBuilder options = new OptionsBuilder();
        options.parent(typed);
        options.jvmArgsAppend(flags.toArray(String[]::new));
        if (typed.getIncludes().isEmpty()) {
            options.include(ALL);
        }
        new Runner(options.build()).run();
    }
}
