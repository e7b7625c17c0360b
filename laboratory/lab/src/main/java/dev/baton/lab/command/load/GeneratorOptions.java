package dev.baton.lab.command.load;

import dev.baton.lab.request.Load;
import dev.baton.lab.request.Load.Generator;
import dev.baton.lab.request.Shape;
import dev.baton.operations.line.Checks;
import java.util.List;
import picocli.CommandLine.Option;

/** The thread that sends: an option of every command that sends at a rate. */
public final class GeneratorOptions {
    @Option(
            names = "--generator",
            paramLabel = "thread|loop",
            description =
                    "thread that sends: thread (a separate one, outside of what is measured, which spins before each message is due) or loop (the loop of the first topic, whose pauses delay the sends) (default: thread for one instance at a rate, otherwise loop)")
    private String generator;

    /**
     * Returns the load, sent from the thread that was named, or from the usual one.
     *
     * @param load whose send times are known
     * @param usual generator where none was named
     */
    public Load of(Load load, Generator usual) {
        Generator chosen = generator == null
                ? usual
                : Checks.known("--generator", generator, List.of(Generator.THREAD, Generator.LOOP));
        return load.sentFrom(chosen);
    }

    /** Returns the usual generator of a command that measures latencies of a few chains; one loop cannot send to several partitions. */
    public static Generator usual(Load load, Shape shape) {
        return shape.partitions() > 1 || shape.instances() == 1 && !load.isSaturated()
                ? Generator.THREAD
                : Generator.LOOP;
    }
}
