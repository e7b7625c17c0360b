package dev.baton.jmh.state;

import dev.baton.Chain;
import dev.baton.ChainListener;
import dev.baton.RunningChain;
import dev.baton.jmh.Cpu;
import dev.baton.jmh.Fork;
import dev.baton.jmh.OwedSource;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import dev.baton.state.SnapshotOutput;
import dev.baton.state.SnapshotPolicy;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures the cost of a snapshot: its duration, the time for which the service and its loop are blocked, bytes and CPU time.
 *
 * <p>Arguments: transports separated by commas, sizes of the state in MB separated by commas, and the number of measured snapshots of each.
 */
public final class SnapshotCost {
    private static final List<String> FLAGS = List.of("-Xms1g", "-Xmx1g");
    private static final double MILLIS = 1e6;

    private SnapshotCost() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        measure(System.out, arguments);
    }

    static void measure(PrintStream out, String... arguments) throws IOException, InterruptedException {
        int snapshots = Integer.parseInt(arguments[2]);
        out.printf(
                Locale.ROOT,
                "Cost of a snapshot in ms, median and highest of %d, JDK %s%n",
                snapshots,
                Runtime.version());
        out.printf(
                Locale.ROOT,
                "%-10s %9s %19s %19s %19s %10s %13s %12s%n",
                "",
                "state MB",
                "begin to end",
                "service waits",
                "longest turn",
                "CPU, loop",
                "CPU, process",
                "stored MB");
        for (String kind : arguments[0].split(",")) {
            for (String megabytes : arguments[1].split(",")) {
                try (Store store = Store.create(kind)) {
                    print(out, store, Integer.parseInt(megabytes), snapshots);
                }
            }
        }
    }

    private static void print(PrintStream out, Store store, int megabytes, int snapshots)
            throws IOException, InterruptedException {
        int bytes = megabytes * 1_000_000;
        run(store, bytes, 1); // the space of topics without snapshots
        long before = store.bytes();
        long[] figures = run(store, bytes, snapshots);
        List<Object> row = new ArrayList<>(List.of(store.kind(), megabytes));
        Arrays.stream(figures).forEach(nanos -> row.add(nanos / MILLIS));
        row.add((store.bytes() - before) / 1e6 / (Run.WARM_UP + snapshots));
        out.printf(Locale.ROOT, "%-10s %9d %9.2f %9.2f %9.2f %9.2f %9.3f %9.3f %10.2f %13.2f %12.2f%n", row.toArray());
    }

    private static long[] run(Store store, int bytes, int snapshots) throws IOException, InterruptedException {
        return Fork.run(List.of(), FLAGS, Run.class, store.kind(), store.place(), bytes, snapshots);
    }

    /**
     * Snapshots of a state of one size, one after the other, on a loop that this thread turns: each turn is timed, to find the longest one.
     */
    static final class Run implements ChainListener {
        static final int WARM_UP = 3;
        private static final long PAUSE_NANOS = 20_000;

        private final long[] whole; // nanoseconds from the beginning to the end record, of each snapshot
        private final long[] held; // in which the service got nothing
        private final long[] turns; // the longest one
        private final Saved saved;
        private final Loops loops = Loops.manual();
        private final OwedSource source = new OwedSource(
                Totals.INPUT_BYTES,
                1,
                (claim, number) -> claim.putLong(0, number).putLong(Long.BYTES, 1));
        private int done;

        private Run(int stateBytes, int snapshots) {
            saved = new Saved(stateBytes);
            whole = new long[snapshots];
            held = new long[snapshots];
            turns = new long[snapshots];
        }

        /**
         * Arguments: the transport and its place, bytes of the state, and the number of measured snapshots, after three of warm-up. Prints
         * nanoseconds from begin to end record (median, longest), without a message for the service (median, longest) and of the longest
         * turn (median, longest), then CPU nanoseconds of a snapshot, of the loop and of the process.
         */
        public static void main(String[] arguments) {
            try (Transport transport = Store.open(arguments[0], arguments[1])) {
                new Run(Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3])).over(transport);
            }
        }

        private void over(Transport transport) {
            try (RunningChain running = Chain.named("cost")
                    .then("state", () -> saved)
                    .build()
                    .on(transport)
                    .with(loops)
                    .snapshots(SnapshotPolicy.every(Duration.ZERO))
                    .listen(this)
                    .from(source)
                    .start()) {
                for (int i = 0; i < WARM_UP; i++) {
                    take(running, 0);
                }
                long loop = Cpu.ofThisThread();
                long process = Cpu.ofProcess();
                for (int i = 0; i < whole.length; i++) {
                    take(running, i);
                }
                loop = (Cpu.ofThisThread() - loop) / whole.length;
                process = (Cpu.ofProcess() - process) / whole.length;
                System.out.println(
                        figures(whole) + " " + figures(held) + " " + figures(turns) + " " + loop + " " + process);
            }
            loops.close();
        }

        private static String figures(long[] each) {
            Arrays.sort(each);
            return each[each.length / 2] + " " + each[each.length - 1];
        }

        /** Sends one input and takes the snapshot that follows from it. */
        private void take(RunningChain running, int index) {
            int last = done;
            source.owe(1);
            long longest = 0;
            while (done == last) {
                long begun = System.nanoTime();
                int work = loops.turn();
                longest = Math.max(longest, System.nanoTime() - begun);
                if (work == 0) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
                running.failure().ifPresent(failure -> {
                    throw new IllegalStateException(failure);
                });
            }
            whole[index] = wholeNanos;
            held[index] = saved.nanos;
            turns[index] = longest;
        }

        private long wholeNanos; // of the last one

        @Override
        public void onSnapshot(String service, long input, long bytes, long nanos) {
            wholeNanos = nanos;
            done++;
        }

        /** Totals that record the time until all of them are written. */
        private static final class Saved extends Totals {
            private long begun; // 0: none is written
            private long nanos; // of the last one

            Saved(int stateBytes) {
                super(stateBytes, Integer.MAX_VALUE);
            }

            @Override
            public boolean saveState(SnapshotOutput out) {
                if (begun == 0) {
                    begun = System.nanoTime();
                }
                boolean isComplete = super.saveState(out);
                if (isComplete) {
                    nanos = System.nanoTime() - begun;
                    begun = 0;
                }
                return isComplete;
            }
        }
    }
}
