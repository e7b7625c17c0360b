package dev.baton.jmh.state;

import dev.baton.jmh.Fork;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Measures how long a service with state takes from its start until it has handled all of its recorded input, each start in a
 * JVM of its own that is halted afterwards.
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
                "Recovery over %s, inputs of %d bytes, a state of %d KiB, median of %d starts, JDK %s%n",
                arguments[0], Totals.INPUT_BYTES, RecoveryRun.STATE_BYTES >> 10, starts, Runtime.version());
        System.out.printf(
                "%12s  %-14s %12s %11s %11s %11s %7s %13s%n",
                "inputs", "snapshots", "delivered", "restored s", "handled s", "with JVM s", "CPU s", "inputs/s");
        for (String inputs : arguments[1].split(",")) {
            try (Store store = Store.create(arguments[0])) {
                new Recording(store, Long.parseLong(inputs), starts).measure();
            }
        }
    }

    /** One recording and all starts over it. */
    private record Recording(Store store, long inputs, int starts) {
        void measure() throws IOException, InterruptedException {
            run(inputs * 99 / 100, RecoveryRun.RECORD);
            print("one, at 99 %");
            run(0, RecoveryRun.DELETE_SNAPSHOTS);
            print("none");
            run(0, RecoveryRun.DELETE_ALL_BUT_INPUTS);
            run(inputs * 9 / 100, RecoveryRun.HANDLE);
            print("one every 9 %");
        }

        private long[] run(long inputsPerSnapshot, String how) throws IOException, InterruptedException {
            long[] figures = Fork.run(
                    List.of(), FLAGS, RecoveryRun.class, store.kind(), store.place(), inputs, inputsPerSnapshot, how);
            Fork.sync();
            return figures;
        }

        private void print(String snapshots) throws IOException, InterruptedException {
            long[][] runs = new long[starts][];
            for (int i = 0; i < starts; i++) {
                runs[i] = run(0, RecoveryRun.HANDLE);
            }
            Arrays.sort(runs, Comparator.comparingLong(figures -> figures[0]));
            long[] median = runs[starts / 2];
            System.out.printf(
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
}
