package dev.baton.jmh.state;

import dev.baton.Chain;
import dev.baton.ChainListener;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.RunningChain;
import dev.baton.Service;
import dev.baton.jmh.Cpu;
import dev.baton.jmh.Fork;
import dev.baton.jmh.OwedSource;
import dev.baton.run.Idle;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import dev.baton.state.SnapshotPolicy;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.commons.math3.stat.StatUtils;

/**
 * Measures the cost of a snapshot each second per hop over Chronicle: a source, three services and an outlet on one loop that is always
 * busy, with and without snapshots in turn, in one JVM each. Prints the median of the quotients of neighbouring runs, of CPU time per hop,
 * and its interval.
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
        Arrays.sort(quotients);
        int outside = (int) Math.max(0, Math.floor((pairs - 1.96 * Math.sqrt(pairs)) / 2)); // by order statistics
        System.out.printf(
                Locale.ROOT,
                "%10s %10s %18s %18s %24s %6s%n",
                "messages",
                "state KiB",
                "without, ns a hop",
                "every second, %",
                "95 % interval of median",
                "pairs");
        System.out.printf(
                Locale.ROOT,
                "%10s %10s %18.1f %+18.1f %+11.1f to %+9.1f %6d%n",
                arguments[1],
                arguments[2],
                StatUtils.percentile(plain, 50),
                StatUtils.percentile(quotients, 50),
                quotients[outside],
                quotients[pairs - 1 - outside],
                pairs);
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

    /** One side of a pair. Prints CPU nanoseconds of the loop, hops of messages, and completed snapshots. */
    static final class Run {
        private final int batch;
        private final OwedSource source;
        private long received;
        private long snapshots;

        private Run(int batch) {
            this.batch = batch;
            source = new OwedSource(
                    Totals.INPUT_BYTES,
                    batch,
                    (claim, number) -> claim.putLong(0, number).putLong(Long.BYTES, 1));
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
                chain.then("s" + i, () -> service(stateBytes, hasSnapshots));
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
                            .from(source)
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

        /** Sends one batch after the other: the next one when the last one has come out. */
        private void carry(Loops loops, RunningChain running, long nanos) {
            long end = System.nanoTime() + nanos;
            while (System.nanoTime() - end < 0) {
                long until = received + batch;
                source.owe(batch);
                while (received < until) {
                    loops.turn();
                    if (running.failure().isPresent()) {
                        throw new IllegalStateException(running.failure().get());
                    }
                }
            }
        }

        private static Service service(int stateBytes, boolean hasSnapshots) {
            Totals forwarding = new Totals(stateBytes, Integer.MAX_VALUE) {
                @Override
                public void onMessage(Message in, Outlet out) {
                    super.onMessage(in, out);
                    out.forward(in);
                }
            };
            return hasSnapshots ? forwarding : forwarding::onMessage; // of a service without state nothing is saved
        }
    }
}
