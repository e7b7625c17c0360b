package dev.baton.jmh.state;

import dev.baton.Chain;
import dev.baton.ChainListener;
import dev.baton.Deployment;
import dev.baton.RunningChain;
import dev.baton.jmh.Cpu;
import dev.baton.jmh.Fork;
import dev.baton.jmh.OwedSource;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import dev.baton.state.SnapshotPolicy;
import dev.baton.status.PartStatus;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures how long a service with state takes from its start until it has handled all of its recorded input, each start in a separate JVM
 * that is halted afterwards.
 *
 * <p>Arguments: {@code chronicle} or {@code kafka}, numbers of inputs separated by commas, and starts for each line of the table.
 */
public final class RecoveryTime {
    private static final List<String> FLAGS = List.of("-Xmx1g");
    private static final double NANOS = 1e9;

    private RecoveryTime() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        int starts = Integer.parseInt(arguments[2]);
        System.out.printf(
                Locale.ROOT,
                "Recovery over %s, inputs of %d bytes, a state of %d KiB, median of %d starts, JDK %s%n",
                arguments[0],
                Totals.INPUT_BYTES,
                Run.STATE_BYTES >> 10,
                starts,
                Runtime.version());
        System.out.printf(
                Locale.ROOT,
                "%12s  %-14s %12s %11s %11s %11s %7s %13s%n",
                "inputs",
                "snapshots",
                "delivered",
                "restored s",
                "handled s",
                "with JVM s",
                "CPU s",
                "inputs/s");
        for (String inputs : arguments[1].split(",")) {
            try (Store store = Store.create(arguments[0])) {
                new Recording(store, Long.parseLong(inputs), starts).measure();
            }
        }
    }

    /** One recording, and all starts that read it. */
    private record Recording(Store store, long inputs, int starts) {
        void measure() throws IOException, InterruptedException {
            run(inputs * 99 / 100, Run.RECORD);
            print("one, at 99 %");
            run(0, Run.DELETE_SNAPSHOTS);
            print("none");
            run(0, Run.DELETE_ALL_BUT_INPUTS);
            run(inputs * 9 / 100, Run.HANDLE);
            print("one every 9 %");
        }

        private long[] run(long inputsPerSnapshot, String how) throws IOException, InterruptedException {
            long[] figures =
                    Fork.run(List.of(), FLAGS, Run.class, store.kind(), store.place(), inputs, inputsPerSnapshot, how);
            Fork.sync();
            return figures;
        }

        private void print(String snapshots) throws IOException, InterruptedException {
            long[][] runs = new long[starts][];
            for (int i = 0; i < starts; i++) {
                runs[i] = run(0, Run.HANDLE);
            }
            Arrays.sort(runs, Comparator.comparingLong(figures -> figures[0]));
            long[] median = runs[starts / 2];
            System.out.printf(
                    Locale.ROOT,
                    "%,12d  %-14s %,12d %11.3f %11.3f %11.3f %7.1f %,13.0f%n",
                    inputs,
                    snapshots,
                    median[3],
                    median[1] / NANOS,
                    median[0] / NANOS,
                    median[2] / 1e3,
                    median[4] / NANOS,
                    inputs / (median[0] / NANOS));
        }
    }

    /** Runs a service with state until it has handled all of its recorded input, then halts the JVM, as a crash does. */
    static final class Run {
        static final String SERVICE = "totals";
        static final int STATE_BYTES = 128 << 10;

        /** The actions. */
        static final String RECORD = "record"; // and handle

        static final String HANDLE = "handle";
        static final String DELETE_SNAPSHOTS = "delete-snapshots"; // with which the service begins with an empty state
        static final String DELETE_ALL_BUT_INPUTS = "delete-all-but-inputs"; // as of a chain that never ran

        private static final int INPUTS_PER_OUTPUT = 100;
        private static final int SENT_PER_TURN = 256;
        private static final long PAUSE_NANOS = 200_000;

        private Run() {}

        /**
         * Arguments: the transport and its place, the number of inputs, the number of inputs between snapshots (0: none), and the action.
         * Prints nanoseconds from the opening until the last input was handled, and until the state was restored, milliseconds from the
         * start of the JVM, the number of inputs delivered, and nanoseconds of CPU time of the process.
         */
        public static void main(String[] arguments) {
            long begun = System.nanoTime();
            long inputs = Long.parseLong(arguments[2]);
            Totals totals = new Totals(STATE_BYTES, INPUTS_PER_OUTPUT);
            Chain chain = Chain.named("recovery").then(SERVICE, () -> totals).build();
            Transport transport = Store.open(arguments[0], arguments[1]);
            if (!List.of(RECORD, HANDLE).contains(arguments[4])) {
                delete(transport, chain, arguments[4].equals(DELETE_ALL_BUT_INPUTS));
                return;
            }
            AtomicLong restored = new AtomicLong();
            Deployment deployment = chain.on(transport)
                    .with(Loops.cooperative(1))
                    .snapshots(SnapshotPolicy.every(Duration.ofDays(1)).orInputs(Long.parseLong(arguments[3])))
                    .listen(new ChainListener() {
                        @Override
                        public void onRestored(String service, long input, long nanos) {
                            restored.set(System.nanoTime());
                        }
                    });
            if (arguments[4].equals(RECORD)) {
                OwedSource numbers = new OwedSource(
                        Totals.INPUT_BYTES,
                        SENT_PER_TURN,
                        (claim, number) -> claim.putLong(0, number * 31).putLong(Long.BYTES, number));
                numbers.owe(inputs);
                deployment.from(numbers);
            } else {
                deployment.only(SERVICE);
            }
            RunningChain running = deployment.start();
            while (!isDone(running, inputs)) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            long nanos = System.nanoTime() - begun;
            long sinceLaunch = System.currentTimeMillis()
                    - ManagementFactory.getRuntimeMXBean().getStartTime();
            System.out.println(nanos + " " + (restored.get() - begun) + " " + sinceLaunch + " " + totals.delivered()
                    + " " + Cpu.ofProcess());
            System.out.flush();
            Runtime.getRuntime().halt(0);
        }

        private static void delete(Transport transport, Chain chain, boolean isOutputAsWell) {
            List<String> topics = new ArrayList<>(List.of(chain.snapshotTopic(0, SERVICE)));
            if (isOutputAsWell) {
                topics.add(chain.topic(0, 1));
            }
            transport.deleteTopics(topics);
            transport.close();
            System.out.println(0);
        }

        private static boolean isDone(RunningChain running, long inputs) {
            running.failure().ifPresent(failure -> {
                throw new IllegalStateException(failure);
            });
            for (PartStatus part : running.status(Duration.ZERO).parts()) {
                if (part.name().equals(SERVICE)) {
                    return part.input().consumed() >= inputs
                            && part.output().stored() == part.output().sent()
                            && !part.snapshots().isSaving();
                }
            }
            return false;
        }
    }
}
