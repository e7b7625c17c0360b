package dev.baton.lab.command;

import dev.baton.lab.study.chain.ChainCommand;
import dev.baton.lab.study.comparison.MatrixCommand;
import dev.baton.lab.study.jitter.JitterCommand;
import dev.baton.lab.study.load.LoadCommand;
import dev.baton.lab.study.soak.SoakCommand;
import dev.baton.lab.study.transit.TransitCommand;
import dev.baton.lab.study.window.WindowCommand;
import dev.baton.operations.line.Console;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** The commands whose trials can be planned, which a matrix can be made of. Stateless, thread-safe. */
public final class MeasuringCommands {
    private MeasuringCommands() {}

    /** A fresh one of each, by name, in the order of the help text. */
    public static Map<String, Supplier<MeasuringCommand>> all(Console console, Workbench bench) {
        Map<String, Supplier<MeasuringCommand>> all = new LinkedHashMap<>();
        all.put("chain", () -> new ChainCommand(console, bench));
        all.put("transit", () -> new TransitCommand(console, bench));
        all.put("window", () -> new WindowCommand(console, bench));
        all.put("jitter", () -> new JitterCommand(console, bench));
        all.put("load", () -> new LoadCommand(console, bench));
        all.put("soak", () -> new SoakCommand(console, bench));
        return all;
    }

    /** {@code baton matrix} over all of them. */
    public static MatrixCommand matrix(Console console, Workbench bench) {
        return new MatrixCommand(console, bench, all(console, bench));
    }
}
