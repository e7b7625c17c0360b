package dev.baton.jmh.state;

import dev.baton.jmh.Fork;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

/**
 * Measures what a snapshot costs: how long it takes, how long the service and its loop are held up, bytes and CPU time.
 *
 * <p>Arguments: transports separated by commas, sizes of the state in MB separated by commas, and how many snapshots are measured of
 * each.
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
        out.printf("Cost of a snapshot in ms, median and highest of %d, JDK %s%n", snapshots, Runtime.version());
        out.printf(
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
        run(store, bytes, 1); // takes what topics take without snapshots
        long before = store.bytes();
        long[] figures = run(store, bytes, snapshots);
        long stored = store.bytes() - before;
        out.printf(
                "%-10s %9d %9.2f %9.2f %9.2f %9.2f %9.3f %9.3f %10.2f %13.2f %12.2f%n",
                store.kind(),
                megabytes,
                figures[0] / MILLIS,
                figures[1] / MILLIS,
                figures[2] / MILLIS,
                figures[3] / MILLIS,
                figures[4] / MILLIS,
                figures[5] / MILLIS,
                figures[6] / MILLIS,
                figures[7] / MILLIS,
                stored / 1e6 / (SnapshotRun.WARM_UP + snapshots));
    }

    private static long[] run(Store store, int bytes, int snapshots) throws IOException, InterruptedException {
        return Fork.run(List.of(), FLAGS, SnapshotRun.class, store.kind(), store.place(), bytes, snapshots);
    }
}
