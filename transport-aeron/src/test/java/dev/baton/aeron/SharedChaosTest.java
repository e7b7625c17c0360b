package dev.baton.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Chain;
import dev.baton.RestartPolicy;
import dev.baton.run.Loops;
import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A chain of three processes over one media driver: one after the other is killed, suspended or replaced, as are the driver and the ends
 * of the chain.
 */
@Tag("soak")
class SharedChaosTest {
    private static final int SERVICES = 3;
    private static final int FAULTS = Integer.getInteger("baton.shared.faults", 40);
    private static final long SEED = Long.getLong("baton.shared.seed", 43);
    private static final Duration LIVENESS = Duration.ofMillis(1_500);
    private static final Duration TIMEOUT = Duration.ofSeconds(4);
    private static final Duration PAUSE = Duration.ofMillis(300);
    private static final Duration LIMIT = Duration.ofMinutes(2); // of a recovery, with the start of a JVM
    private static final long BETWEEN = 2_000; // messages from one fault to the next

    /** The kinds of faults. */
    private enum Kind {
        KILL_SERVICE,
        /** Its client is dropped, and it opens everything again. */
        SUSPEND_SERVICE,
        /** Another process takes over while the service is suspended. */
        REPLACE_SERVICE,
        PAUSE_SERVICE,
        /** Frames and positions are lost with it. */
        KILL_DRIVER,
        PAUSE_DRIVER,
        /** Sender and receiver close their connection, and continue with another one. */
        REOPEN_ENDS
    }

    private final Random random = new Random(SEED);
    private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
    private AeronTransport transport;
    private Connection connection;
    private TopicWriter writer;
    private TopicReader reader;
    private long sent;
    private long received;
    private long lost; // with a driver

    /** Sends while there is room and receives what has come, each message once and in order. */
    private void step() {
        connection.doWork();
        for (int i = 0; i < 10 && writer.remainingCapacity(Long.BYTES) > 0; i++) {
            Frame frame = writer.claim(Long.BYTES);
            frame.stamp(0, 0, 0, 0, 0);
            frame.putLong(0, sent + 1);
            writer.commit(Long.BYTES);
            sent++;
        }
        writer.flush();
        long[] sequence = {0};
        reader.poll(
                (frame, position) -> {
                    assertThat(frame.getLong(0)).as("seed %d, %s", SEED, counts).isEqualTo(received + 1);
                    received++;
                    sequence[0] = frame.sequence();
                    return Verdict.DONE;
                },
                Integer.MAX_VALUE);
        if (sequence[0] > 0) {
            reader.acknowledge(sequence[0]);
        }
        LockSupport.parkNanos(100_000);
    }

    private void receive(long more) {
        long target = received + more;
        AeronEnds.until("message " + target + ", after " + counts, LIMIT.toNanos(), () -> {
            step();
            return received >= target;
        });
    }

    private void stepFor(Duration time) {
        long begun = System.nanoTime();
        AeronEnds.until("the time", () -> {
            step();
            return System.nanoTime() - begun > time.toNanos();
        });
    }

    private void open(Path driver) {
        transport = AeronTransport.open(options(driver));
        transport.createTopics(IntStream.rangeClosed(0, SERVICES)
                .mapToObj(index -> "shared-" + index)
                .toList());
        connection = transport.connect();
        writer = connection.openWriter("shared-0");
        reader = connection.openReader("shared-" + SERVICES, "c");
    }

    private void close() {
        connection.close();
        transport.close();
    }

    @Test
    void faultsLoseOnlyWhatTheDriverHeld() throws Exception {
        try (ArchiveJvm driver = ArchiveJvm.start(LIVENESS)) {
            open(driver.driver());
            List<AeronJvm> processes = new ArrayList<>();
            try {
                for (int service = 0; service < SERVICES; service++) {
                    processes.add(start(driver, service));
                }
                receive(BETWEEN);
                for (int fault = 0; fault < FAULTS; fault++) {
                    int service = random.nextInt(SERVICES);
                    Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
                    counts.merge(kind, 1, Integer::sum);
                    processes.set(service, fault(kind, driver, service, processes.get(service)));
                    receive(BETWEEN);
                }
                System.out.println(FAULTS + " faults " + counts + ", " + sent + " messages sent, " + lost
                        + " lost with a driver, " + (sent - received) + " not received yet");
            } finally {
                processes.forEach(AeronJvm::close);
                close();
            }
        }
    }

    /** Makes a fault, and returns the process that has the service then. */
    private AeronJvm fault(Kind kind, ArchiveJvm driver, int service, AeronJvm process) throws Exception {
        switch (kind) {
            case KILL_SERVICE -> {
                process.kill();
                return start(driver, service);
            }
            case SUSPEND_SERVICE -> {
                process.signal("STOP");
                stepFor(LIVENESS.multipliedBy(2));
                process.signal("CONT");
            }
            case REPLACE_SERVICE -> {
                process.signal("STOP");
                AeronJvm next = start(driver, service);
                receive(BETWEEN);
                process.signal("CONT");
                receive(BETWEEN);
                process.kill();
                return next;
            }
            case PAUSE_SERVICE -> {
                process.signal("STOP");
                stepFor(PAUSE);
                process.signal("CONT");
            }
            case KILL_DRIVER -> {
                driver.kill();
                close();
                driver.startAgain();
                lost += sent - received;
                received = sent;
                open(driver.driver());
            }
            case PAUSE_DRIVER -> {
                driver.signal("STOP");
                stepFor(PAUSE);
                driver.signal("CONT");
            }
            case REOPEN_ENDS -> {
                close();
                open(driver.driver());
            }
        }
        return process;
    }

    private static AeronJvm start(ArchiveJvm driver, int service) {
        return AeronJvm.start(OneService.class, driver.driver().toString(), "s" + service);
    }

    private static AeronOptions options(Path driver) {
        return AeronOptions.defaults()
                .with(AeronOptions.DRIVER, driver)
                .with(AeronOptions.TIMEOUT, TIMEOUT)
                .with(AeronOptions.TERM_LENGTH, AeronOptions.LEAST_TERM)
                .with(AeronOptions.MAX_PAYLOAD, 100);
    }

    /** One service of the chain, until it is killed. */
    static final class OneService {
        private OneService() {}

        public static void main(String[] arguments) throws InterruptedException {
            Chain.Builder chain = Chain.named("shared");
            for (int service = 0; service < SERVICES; service++) {
                chain.then("s" + service, () -> (in, out) -> out.forward(in));
            }
            AeronTransport transport = AeronTransport.open(options(Path.of(arguments[0])));
            chain.build()
                    .on(transport)
                    .only(arguments[1])
                    .with(Loops.cooperative(1))
                    .restart(RestartPolicy.backoff(Duration.ofMillis(20), Duration.ofMillis(200)))
                    .start();
            new CountDownLatch(1).await();
        }
    }
}
