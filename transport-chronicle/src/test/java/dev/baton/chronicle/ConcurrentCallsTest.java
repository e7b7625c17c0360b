package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Chain;
import dev.baton.Concurrency;
import dev.baton.MessageFields;
import dev.baton.RunningChain;
import dev.baton.partitions.Partitions;
import dev.baton.run.Loops;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The throughput of a service that blocks for a millisecond. */
@Timeout(600)
class ConcurrentCallsTest {
    private static final int PARTITIONS = 4;
    private static final int KEYS = 1_000;
    private static final int MESSAGES = 100_000;
    private static final long TARGET = 10_000;

    @Tag("soak")
    @Test
    void fourPartitionsCarryTenThousandBlockingCalls() {
        long[] newest = new long[KEYS]; // changed by the one loop
        AtomicLong misplaced = new AtomicLong();
        long begun = System.nanoTime();
        try (TemporaryDirectory directory = new TemporaryDirectory();
                ChronicleTransport transport = ChronicleTransport.in(directory.path());
                Loops loops = Loops.cooperative(1);
                RunningChain running = Chain.named("target")
                        .then(
                                "lookup",
                                () -> (in, out) -> {
                                    Thread.sleep(1);
                                    out.forward(in);
                                },
                                Concurrency.perKey(64))
                        .build()
                        .on(transport)
                        .with(loops)
                        .onOutput(in -> {
                            int key = (int) (in.getLong(0) % KEYS);
                            misplaced.addAndGet(in.getLong(0) == newest[key] + KEYS || newest[key] == 0 ? 0 : 1);
                            newest[key] = in.getLong(0);
                        })
                        .partitions(PARTITIONS)
                        .start()) {
            Partitions partitions = Partitions.of(PARTITIONS);
            for (long value = 1; value <= MESSAGES; value++) {
                long key = value % KEYS;
                ByteBuffer payload = ByteBuffer.allocate(Long.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(0, value);
                running.inlet(partitions.partitionOf(key))
                        .send(
                                payload,
                                new MessageFields()
                                        .key(ByteBuffer.allocate(Long.BYTES).putLong(0, key)));
            }
            assertThat(running.close(Duration.ofMinutes(5))).isTrue();
        }
        long rate = MESSAGES * TimeUnit.SECONDS.toNanos(1) / (System.nanoTime() - begun);
        System.out.println(rate + " messages/s with calls that block for 1 ms, JDK " + Runtime.version());
        assertThat(misplaced).hasValue(0);
        assertThat(LongStream.of(newest).min()).hasValue(MESSAGES - KEYS + 1);
        assertThat(rate).isGreaterThanOrEqualTo(TARGET);
    }
}
