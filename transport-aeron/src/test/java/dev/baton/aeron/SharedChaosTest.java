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
import dev.baton.spi.errors.TransportException;
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
import org.agrona.CloseHelper;
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
    private static final Duration LIVENESS = Duration.ofSeconds(3);
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
    private ArchiveJvm driver;
    private AeronTransport transport;
    private Connection connection;
    private TopicWriter writer;
    private TopicReader reader;
    private long base; // number of the last message that was sent over an earlier driver
    private long sent;
    private long received;
    private long lost; // with a driver
    private int drops; // of the ends' own client, by a driver that a busy machine has kept from a turn in time

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

    /** Takes a step, and opens the ends again if the driver has dropped their client. */
    private void stepOn() {
        try {
            step();
        } catch (TransportException dropped) {
            drops++;
            close();
            open();
        }
    }

    private void receive(long more) {
        long target = received + more;
        AeronEnds.until("message " + target + ", after " + counts, LIMIT.toNanos(), () -> {
            stepOn();
            return received >= target;
        });
    }

    private void stepFor(Duration time) {
        long begun = System.nanoTime();
        AeronEnds.until("the time", () -> {
            stepOn();
            return System.nanoTime() - begun > time.toNanos();
        });
    }

    private void open() {
        AeronEnds.until("the ends to open", LIMIT.toNanos(), this::hasOpened);
    }

    private boolean hasOpened() {
        try {
            transport = AeronTransport.open(options(driver.driver()));
            transport.createTopics(IntStream.rangeClosed(0, SERVICES)
                    .mapToObj(index -> "shared-" + index)
                    .toList());
            connection = transport.connect();
            writer = connection.openWriter("shared-0");
            reader = connection.openReader("shared-" + SERVICES, "c");
            sent = base + writer.sequence();
            received = base + reader.found().acknowledged();
            return true;
        } catch (TransportException dropped) {
            drops++;
            close();
            return false;
        }
    }

    private void close() {
        CloseHelper.closeAll(connection, transport);
        connection = null;
        transport = null;
    }

    @Test
    void faultsLoseOnlyWhatTheDriverHeld() throws Exception {
        try (ArchiveJvm started = ArchiveJvm.start(LIVENESS)) {
            driver = started;
            open();
            List<AeronJvm> processes = new ArrayList<>();
            try {
                for (int service = 0; service < SERVICES; service++) {
                    processes.add(start(service));
                }
                receive(BETWEEN);
                for (int fault = 0; fault < FAULTS; fault++) {
                    int service = random.nextInt(SERVICES);
                    Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
                    counts.merge(kind, 1, Integer::sum);
                    processes.set(service, fault(kind, service, processes.get(service)));
                    receive(BETWEEN);
                }
            } finally {
                System.out.println(
                        "faults " + counts + ", " + sent + " messages sent, " + lost + " lost with a driver, "
                                + (sent - received) + " not received yet, ends dropped " + drops + " times");
                processes.forEach(AeronJvm::close);
                close();
            }
        }
    }

    /** Makes a fault, and returns the process that has the service then. */
    private AeronJvm fault(Kind kind, int service, AeronJvm process) throws Exception {
        switch (kind) {
            case KILL_SERVICE -> {
                process.kill();
                return start(service);
            }
            case SUSPEND_SERVICE -> {
                process.signal("STOP");
                stepFor(LIVENESS.multipliedBy(2));
                process.signal("CONT");
            }
            case REPLACE_SERVICE -> {
                process.signal("STOP");
                AeronJvm next = start(service);
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
                base = sent;
                open();
            }
            case PAUSE_DRIVER -> {
                driver.signal("STOP");
                stepFor(PAUSE);
                driver.signal("CONT");
            }
            case REOPEN_ENDS -> {
                long before = sent;
                long acknowledged = received;
                close();
                open();
                assertThat(sent).as("messages stored").isEqualTo(before);
                assertThat(received).as("messages acknowledged").isEqualTo(acknowledged);
            }
        }
        return process;
    }

    private AeronJvm start(int service) {
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
            while (!hasStarted(chain.build(), arguments)) {
                LockSupport.parkNanos(PAUSE.toNanos());
            }
            new CountDownLatch(1).await();
        }

        /** Starts the service; on failure, which ends a process, another one is tried as a supervisor does. */
        private static boolean hasStarted(Chain chain, String[] arguments) {
            Loops loops = Loops.cooperative(1);
            AeronTransport transport = null;
            try {
                transport = AeronTransport.open(options(Path.of(arguments[0])));
                chain.on(transport)
                        .only(arguments[1])
                        .with(loops)
                        .restart(RestartPolicy.backoff(Duration.ofMillis(20), Duration.ofMillis(200)))
                        .start();
                return true;
            } catch (RuntimeException failed) {
                failed.printStackTrace();
                CloseHelper.closeAll(loops, transport);
                return false;
            }
        }
    }
}
