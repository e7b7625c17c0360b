package dev.baton.jmh.state;

import dev.baton.RunningChain;
import dev.baton.jmh.Cpu;
import dev.baton.jmh.Fork;
import dev.baton.jmh.OwedSource;
import dev.baton.operations.Operations;
import dev.baton.operations.chains.ForwardingChain;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.Interruption;
import dev.baton.operations.line.KnownTransports;
import dev.baton.operations.terminal.Terminal;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;

/**
 * Measures {@code ./baton replay} of one forwarding service over a recording of Chronicle's: messages per second and bytes allocated per
 * message, each time in a separate JVM with the flags of the script {@code baton}.
 *
 * <p>Arguments: messages, how many of them the source sends in a sweep (recorded as one excerpt), replays, the core on which these run (-1:
 * any), and further flags of their JVMs.
 */
public final class ReplaySpeed {
    private static final String CHAIN = ForwardingChain.NAME;
    private static final List<String> FLAGS = List.of("-Xshare:auto");

    private ReplaySpeed() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        measure(System.out, arguments);
    }

    static void measure(PrintStream out, String... arguments) throws IOException, InterruptedException {
        String messages = arguments[0];
        int core = Integer.parseInt(arguments[3]);
        List<String> prefix = core < 0 ? List.of() : List.of("taskset", "-c", Integer.toString(core));
        List<String> flags = new ArrayList<>(FLAGS);
        flags.addAll(List.of(arguments).subList(4, arguments.length));
        try (Store store = Store.create(Store.CHRONICLE)) {
            Fork.run(List.of(), List.of("-Xmx512m"), Recorded.class, store.place(), messages, arguments[1]);
            Fork.sync();
            out.printf(
                    Locale.ROOT,
                    "%14s %9s %9s %13s %13s %14s %12s%n",
                    "messages",
                    "seconds",
                    "CPU s",
                    "messages/s",
                    "bytes in all",
                    "bytes/message",
                    "collections");
            for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
                long[] figures = Fork.run(prefix, flags, Replayed.class, store.place(), messages);
                out.printf(
                        Locale.ROOT,
                        "%,14d %9.2f %9.2f %,13.0f %,13d %14.4f %12d%n",
                        figures[0],
                        figures[1] / 1e9,
                        figures[2] / 1e9,
                        figures[0] / (figures[1] / 1e9),
                        figures[3],
                        (double) figures[4] / (figures[0] / 4 * 2),
                        figures[5]);
            }
        }
    }

    /** Records messages through the service. Prints 0. */
    static final class Recorded {
        private static final int TURNS_PER_LOOK = 64;

        private Recorded() {}

        public static void main(String[] arguments) {
            long messages = Long.parseLong(arguments[1]);
            OwedSource source = new OwedSource(
                    Totals.INPUT_BYTES,
                    Integer.parseInt(arguments[2]),
                    (claim, number) -> claim.putLong(0, number).putLong(Long.BYTES, number));
            source.owe(messages);
            try (Transport transport = Store.open(Store.CHRONICLE, arguments[0]);
                    Loops loops = Loops.manual();
                    RunningChain running = ForwardingChain.of(CHAIN, 1)
                            .on(transport)
                            .with(loops)
                            .from(source)
                            .start()) {
                long stored = 0;
                while (stored < messages) {
                    for (int i = 0; i < TURNS_PER_LOOK; i++) {
                        loops.turn();
                    }
                    stored = running.status().parts().get(1).output().stored();
                }
            }
            System.out.println(0);
        }
    }

    /**
     * Replays all of a recording, which is timed, and then a quarter and three quarters of it: their difference is the allocation for
     * messages, without the fixed allocation of a replay. Prints messages, nanoseconds, CPU nanoseconds, bytes allocated, that difference,
     * and garbage collections of the first replay.
     */
    static final class Replayed {
        private Replayed() {}

        public static void main(String[] arguments) {
            long messages = Long.parseLong(arguments[1]);
            long[] all = replay(arguments[0], messages);
            long[] quarter = replay(arguments[0], messages / 4);
            long[] more = replay(arguments[0], 3 * (messages / 4));
            System.out.println(messages + " " + all[0] + " " + all[1] + " " + all[2] + " " + (more[2] - quarter[2])
                    + " " + all[3]);
        }

        private static long[] replay(String directory, long messages) {
            StringWriter out = new StringWriter();
            StringWriter err = new StringWriter();
            Console console =
                    new Console(new PrintWriter(out), new PrintWriter(err), new Terminal(false, false, 80, false));
            CommandLine line = Operations.commandLine(console, KnownTransports.onClassPath(), new Interruption());
            long collections = collections();
            long allocated = Cpu.allocatedByThisThread();
            long cpu = Cpu.ofProcess();
            long begun = System.nanoTime();
            int code = line.execute(
                    "replay",
                    directory,
                    "--chain",
                    CHAIN,
                    "--only",
                    "s1",
                    "--until",
                    Long.toString(messages),
                    "--json");
            long nanos = System.nanoTime() - begun;
            cpu = Cpu.ofProcess() - cpu;
            allocated = Cpu.allocatedByThisThread() - allocated;
            if (code != 0 || !out.toString().replaceAll("\\s", "").contains("\"same\":" + messages + ",")) {
                throw new IllegalStateException("exit code " + code + ": " + out + err);
            }
            return new long[] {nanos, cpu, allocated, collections() - collections};
        }

        private static long collections() {
            return ManagementFactory.getGarbageCollectorMXBeans().stream()
                    .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                    .sum();
        }
    }
}
