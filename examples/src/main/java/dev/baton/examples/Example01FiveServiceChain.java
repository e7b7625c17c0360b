package dev.baton.examples;

import dev.baton.Chain;
import dev.baton.Claim;
import dev.baton.MessageFields;
import dev.baton.Outlet;
import dev.baton.RunningChain;
import dev.baton.Service;
import dev.baton.Source;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Five services over a transport picked by name: sends 10,000 messages, one every 200 us, and prints their latencies.
 *
 * <p>Arguments: {@code disruptor}, {@code chronicle} or {@code kafka}, then options as {@code key=value}. Chronicle keeps its queues in a
 * temporary directory unless {@code dir=...} is given, Kafka starts a broker unless {@code bootstrap-servers=...} is given.
 */
public final class Example01FiveServiceChain {
    private static final int MESSAGES = 10_000;
    private static final long INTERVAL_NANOS = 200_000;

    private Example01FiveServiceChain() {}

    /** Every service passes the message on; the runtime counts the hops in the frame's header. */
    static Chain chain() {
        Service passOn = (in, out) -> out.forward(in);
        return Chain.named("five")
                .then("one", () -> passOn)
                .then("two", () -> passOn)
                .then("three", () -> passOn)
                .then("four", () -> passOn)
                .then("five", () -> passOn)
                .build();
    }

    /** Runs the example. */
    public static void main(String[] args) throws Exception {
        Chain chain = chain();
        Histogram latencies = new Histogram(3);
        CountDownLatch allReceived = new CountDownLatch(MESSAGES);
        try (ExampleTransport opened = ExampleTransport.of(args);
                Transport transport = opened.transport();
                Loops loops = Loops.cooperative(1);
                RunningChain running = chain.on(transport)
                        .with(loops)
                        .from(new Metronome())
                        .onOutput(in -> {
                            latencies.recordValue(System.nanoTime() - in.originNanos());
                            if (in.servicesPassed() != 5) {
                                throw new IllegalStateException(in + " missed a service");
                            }
                            allReceived.countDown();
                        })
                        .start()) {
            if (!allReceived.await(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException(allReceived.getCount() + " messages did not arrive; the chain reports: "
                        + running.failure().map(Throwable::getMessage).orElse("no failure"));
            }
            System.out.printf(
                    "%,d messages through five services over %s, in a JVM that has just started%n",
                    MESSAGES, transport.name());
        }
        for (double percentile : new double[] {50, 90, 99, 99.9}) {
            System.out.printf("p%-5s %8.3f ms%n", percentile, latencies.getValueAtPercentile(percentile) / 1e6);
        }
        System.out.printf("max    %8.3f ms%n", latencies.getMaxValue() / 1e6);
    }

    /**
     * Sends on a schedule that was fixed beforehand. The latency of a message counts from the time when it was due, so a stall is visible
     * in the latencies of all messages that it delayed.
     */
    private static final class Metronome implements Source {
        private final MessageFields fields = new MessageFields();
        private long startNanos; // of the first turn: by then the chain is open
        private int sent;

        @Override
        public int onTick(Outlet out) {
            if (startNanos == 0) {
                startNanos = System.nanoTime();
            }
            int before = sent;
            while (sent < MESSAGES && System.nanoTime() - deadlineNanos() >= 0) {
                Claim claim = out.claim(Long.BYTES, fields.originNanos(deadlineNanos()));
                if (claim == null) {
                    break; // no room: the chain is behind, try again in the next sweep
                }
                claim.putLong(0, sent).commit(Long.BYTES);
                sent++;
            }
            return sent - before;
        }

        @Override
        public long deadlineNanos() {
            if (startNanos == 0) {
                return System.nanoTime();
            }
            return sent == MESSAGES ? Long.MAX_VALUE : startNanos + sent * INTERVAL_NANOS;
        }
    }
}
