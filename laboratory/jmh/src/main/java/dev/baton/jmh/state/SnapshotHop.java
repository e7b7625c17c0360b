package dev.baton.jmh.state;

import dev.baton.Chain;
import dev.baton.ChainListener;
import dev.baton.Claim;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.RunningChain;
import dev.baton.Service;
import dev.baton.SnapshotInput;
import dev.baton.SnapshotOutput;
import dev.baton.SnapshotPolicy;
import dev.baton.StatefulService;
import dev.baton.jmh.Cpu;
import dev.baton.jmh.Fork;
import dev.baton.run.Idle;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * Measures what snapshots every second cost a hop over Chronicle: a source, three services and an outlet on one loop that is always
 * busy, with snapshots and without, in a JVM each, in turn. Prints the median of the quotients of neighbours, of CPU time per hop, and
 * its interval.
 *
 * <p>Arguments: pairs, messages that the source sends in a sweep, and KiB of the state of each service.
 */
public final class SnapshotHop {
    private static final int SERVICES = 3;
    private static final long WARM_UP_NANOS = 3_000_000_000L;
    private static final long MEASURED_NANOS = 5_000_000_000L;
    private static final List<String> FLAGS = List.of("-Xms512m", "-Xmx512m", "-XX:+UseSerialGC");

    private SnapshotHop() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        int pairs = Integer.parseInt(arguments[0]);
        double[] plain = new double[pairs];
        double[] quotients = new double[pairs];
        for (int i = 0; i < pairs; i++) {
            boolean isPlainFirst = i % 2 == 0;
            double first = nanosPerHop(arguments, !isPlainFirst);
            double second = nanosPerHop(arguments, isPlainFirst);
            plain[i] = isPlainFirst ? first : second;
            quotients[i] = 100 * ((isPlainFirst ? second / first : first / second) - 1);
        }
        Arrays.sort(plain);
        Arrays.sort(quotients);
        int outside = (int) Math.max(0, Math.floor((pairs - 1.96 * Math.sqrt(pairs)) / 2)); // by order statistics
        System.out.printf(
                "%10s %10s %18s %18s %24s %6s%n",
                "messages", "state KiB", "without, ns a hop", "every second, %", "95 % interval of median", "pairs");
        System.out.printf(
                "%10s %10s %18.1f %+18.1f %+11.1f to %+9.1f %6d%n",
                arguments[1],
                arguments[2],
                median(plain),
                median(quotients),
                quotients[outside],
                quotients[pairs - 1 - outside],
                pairs);
    }

    private static double median(double[] sorted) {
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    private static double nanosPerHop(String[] arguments, boolean hasSnapshots)
            throws IOException, InterruptedException {
        try (Store store = Store.create(Store.CHRONICLE)) {
            long[] figures =
                    Fork.run(List.of(), FLAGS, Run.class, store.place(), arguments[1], arguments[2], hasSnapshots);
            if (hasSnapshots && figures[2] < SERVICES * MEASURED_NANOS / 1_000_000_000L) {
                throw new IllegalStateException(figures[2] + " snapshots only");
            }
            return (double) figures[0] / figures[1];
        }
    }

    /** One side of a pair. Prints CPU nanoseconds of the loop, hops of messages, and snapshots that became whole. */
    static final class Run {
        private final int batch;
        private int owed;
        private long received;
        private long snapshots;

        private Run(int batch) {
            this.batch = batch;
        }

        public static void main(String[] arguments) {
            try (Transport transport = Store.open(Store.CHRONICLE, arguments[0])) {
                new Run(Integer.parseInt(arguments[1]))
                        .over(transport, Integer.parseInt(arguments[2]) << 10, Boolean.parseBoolean(arguments[3]));
            }
        }

        private void over(Transport transport, int stateBytes, boolean hasSnapshots) {
            Chain.Builder chain = Chain.named("hops");
            for (int i = 1; i <= SERVICES; i++) {
                chain.then("s" + i, () -> hasSnapshots ? new Stateful(stateBytes) : new Plain(stateBytes));
            }
            try (Loops loops = Loops.manual().idle(Idle.spin());
                    RunningChain running = chain.build()
                            .on(transport)
                            .with(loops)
                            .snapshots(SnapshotPolicy.every(Duration.ofSeconds(1)))
                            .listen(new ChainListener() {
                                @Override
                                public void onSnapshot(String service, long input, long bytes, long nanos) {
                                    snapshots++;
                                }
                            })
                            .from(this::send)
                            .onOutput(in -> received++)
                            .start()) {
                carry(loops, running, WARM_UP_NANOS);
                long before = received;
                long taken = snapshots;
                long cpu = Cpu.ofThisThread();
                carry(loops, running, MEASURED_NANOS);
                cpu = Cpu.ofThisThread() - cpu;
                System.out.println(cpu + " " + (received - before) * (SERVICES + 1) + " " + (snapshots - taken));
                System.out.flush();
                Runtime.getRuntime().halt(0);
            }
        }

        /** One batch after the other: the next one is sent when the last one is out. */
        private void carry(Loops loops, RunningChain running, long nanos) {
            long end = System.nanoTime() + nanos;
            while (System.nanoTime() - end < 0) {
                long until = received + batch;
                owed = batch;
                while (received < until) {
                    loops.turn();
                    if (running.failure().isPresent()) {
                        throw new IllegalStateException(running.failure().get());
                    }
                }
            }
        }

        private int send(Outlet out) {
            int sent = 0;
            for (; owed > 0; owed--, sent++) {
                Claim claim = out.claim(Totals.INPUT_BYTES);
                if (claim == null) {
                    break;
                }
                claim.putLong(0, received + sent).putLong(Long.BYTES, 1).commit(Totals.INPUT_BYTES);
            }
            return sent;
        }
    }

    /** Adds up, and forwards. */
    private static class Plain implements Service {
        final Totals totals;

        Plain(int stateBytes) {
            totals = new Totals(stateBytes, Integer.MAX_VALUE);
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            totals.onMessage(in, out);
            out.forward(in);
        }
    }

    /** The same with snapshots. */
    private static final class Stateful extends Plain implements StatefulService {
        Stateful(int stateBytes) {
            super(stateBytes);
        }

        @Override
        public int snapshotVersion() {
            return totals.snapshotVersion();
        }

        @Override
        public boolean saveState(SnapshotOutput out) {
            return totals.saveState(out);
        }

        @Override
        public void restoreState(SnapshotInput in, int version) {
            totals.restoreState(in, version);
        }
    }
}
