package dev.baton.jmh;

import dev.baton.Chain;
import dev.baton.RunningChain;
import dev.baton.disruptor.DisruptorTransport;
import dev.baton.run.Idle;
import dev.baton.run.Loops;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One hop of a whole chain over the Disruptor, services and duty cycle included, with checksums and without: the difference is the cost of
 * a checksum, computed once and checked once. Single-threaded.
 */
public class ChecksumCost extends NanosBenchmark {
    private static final int SERVICES = 5;
    private static final int MESSAGES = 16;

    @Param({"false", "true"})
    public boolean checksums;

    /** Bytes behind the header. */
    @Param({"0", "64", "1024"})
    public int payload;

    private Loops loops;
    private DisruptorTransport transport;
    private RunningChain chain;
    private OwedSource source;
    private long received;

    /** Opens a chain of five services, six hops. */
    @Setup
    public void open() {
        loops = Loops.manual().idle(Idle.spin());
        transport = DisruptorTransport.create();
        source = new OwedSource(payload, MESSAGES, (claim, number) -> {});
        Chain.Builder builder = Chain.named("hops");
        for (int i = 1; i <= SERVICES; i++) {
            builder.then("s" + i, () -> (in, out) -> out.forward(in));
        }
        chain = builder.build()
                .on(transport)
                .with(loops)
                .checksums(checksums)
                .from(source)
                .onOutput(in -> received++)
                .start();
    }

    /** Sixteen messages from the source to the outlet; the figure is for one hop of one message. */
    @Benchmark
    @OperationsPerInvocation(MESSAGES * (SERVICES + 1))
    public long hop() {
        long until = received + MESSAGES;
        source.owe(MESSAGES);
        while (received < until) {
            loops.turn();
        }
        return received;
    }

    @TearDown
    public void close() {
        chain.close();
        loops.close();
        transport.close();
    }
}
