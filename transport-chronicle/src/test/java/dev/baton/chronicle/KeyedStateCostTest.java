package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Chain;
import dev.baton.ChainListener;
import dev.baton.Claim;
import dev.baton.Deployment;
import dev.baton.KeyedService;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.RunningChain;
import dev.baton.ServiceContext;
import dev.baton.ValueCodec;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import dev.baton.state.KeyedState;
import dev.baton.state.SnapshotPolicy;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The CPU time of a loop's turns while snapshots of 200 MB of keyed state are taken, in values of 100 bytes. */
@Tag("soak")
class KeyedStateCostTest {
    private static final ValueCodec<Long> NUMBER = ValueCodec.longs(0);
    private static final int VALUE_BYTES = 100;
    private static final int KEYS = 2_000_000;
    private static final long VALUES_BYTES = (long) KEYS * VALUE_BYTES;
    private static final int BATCH = 64;
    private static final int WARM_UP = 10_000;
    private static final double MOST_MILLIS = 10;

    @TempDir
    private Path directory;

    private long sent;
    private String what = "start";
    private long newestBytes;
    private boolean isSnapshotDone;

    private static final class Bytes implements ValueCodec<byte[]> {
        @Override
        public int maxLength(byte[] value) {
            return value.length;
        }

        @Override
        public int encode(byte[] value, Claim into) {
            into.putBytes(0, value, 0, value.length);
            return value.length;
        }

        @Override
        public byte[] decode(Message from) {
            byte[] value = new byte[from.length()];
            from.getBytes(0, value, 0, value.length);
            return value;
        }
    }

    private static final class Table implements KeyedService {
        private final byte[] value = new byte[VALUE_BYTES];
        private KeyedState<Long, byte[]> table;

        @Override
        public void onStart(ServiceContext context) {
            table = context.state("table", NUMBER, new Bytes());
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            long number = in.getLong(0);
            value[0] = (byte) number;
            table.put(number % KEYS, value);
        }
    }

    private final ChainListener listener = new ChainListener() {
        @Override
        public void onSnapshot(String service, long input, long bytes, long nanos) {
            isSnapshotDone = true;
            newestBytes = bytes;
            System.out.printf(
                    Locale.ROOT,
                    "%s: snapshot of %.1f MB took %.0f ms while the service continued%n",
                    what,
                    bytes / 1e6,
                    nanos / 1e6);
        }

        @Override
        public void onRestored(String service, long input, long nanos) {
            System.out.printf(Locale.ROOT, "%s: restored in %.0f ms%n", what, nanos / 1e6);
        }
    };

    private Deployment chain(Transport transport, Loops loops, long inputs) {
        return Chain.named("cost")
                .then("table", Table::new)
                .build()
                .on(transport)
                .with(loops)
                .listen(listener)
                .snapshots(SnapshotPolicy.every(Duration.ofHours(1)).orInputs(inputs));
    }

    @Test
    void noTurnTakesMoreThanTenMilliseconds() {
        try (Transport transport = new ChronicleProvider().open(Map.of("dir", directory.toString()))) {
            try (Loops loops = Loops.manual();
                    RunningChain running = chain(transport, loops, KEYS).start()) {
                warmUp(running, loops);
                measure("filling the state", running, loops, () -> sent < KEYS);
                snapshot("snapshot of the whole state", running, loops);
                assertThat(newestBytes).isGreaterThan(VALUES_BYTES);
                snapshot("snapshot of changes of every value", running, loops);
                assertThat(newestBytes).isGreaterThan(VALUES_BYTES);
            }
            try (Loops loops = Loops.manual();
                    RunningChain running = chain(transport, loops, 100_000).start()) {
                warmUp(running, loops);
                snapshot("snapshot of 100,000 changes", running, loops);
                snapshot("snapshot of 100,000 changes", running, loops);
                assertThat(newestBytes).isLessThan(VALUES_BYTES / 10);
            }
        }
    }

    /** Runs the first turns, which load classes and skip what the reader's position in the files precedes. */
    private void warmUp(RunningChain running, Loops loops) {
        long end = sent + WARM_UP;
        turns(running, loops, () -> sent < end);
    }

    private void snapshot(String phase, RunningChain running, Loops loops) {
        isSnapshotDone = false;
        measure(phase, running, loops, () -> !isSnapshotDone);
    }

    private void measure(String phase, RunningChain running, Loops loops, BooleanSupplier condition) {
        what = phase;
        double millis = turns(running, loops, condition);
        System.out.printf(Locale.ROOT, "%s: at most %.2f ms of CPU time in one turn%n", phase, millis);
        assertThat(millis).as(phase).isLessThan(MOST_MILLIS);
    }

    /** Sends messages while a condition is met; returns the most CPU time of one turn in milliseconds. */
    private double turns(RunningChain running, Loops loops, BooleanSupplier condition) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long most = 0;
        while (condition.getAsBoolean()) {
            for (int i = 0; i < BATCH; i++) {
                Claim claim = running.inlet().tryClaim(Long.BYTES);
                if (claim != null) {
                    claim.putLong(0, sent++).commit(Long.BYTES);
                }
            }
            long before = threads.getCurrentThreadCpuTime();
            loops.turn();
            most = Math.max(most, threads.getCurrentThreadCpuTime() - before);
        }
        assertThat(running.failure()).isEmpty();
        return most / 1e6;
    }
}
