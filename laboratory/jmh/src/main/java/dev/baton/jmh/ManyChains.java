package dev.baton.jmh;

import dev.baton.Chain;
import dev.baton.disruptor.DisruptorOptions;
import dev.baton.disruptor.DisruptorTransport;
import dev.baton.run.Idle;
import dev.baton.run.Loops;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A hop over the Disruptor when one loop carries one message through each of many chains in turn, so that a ring has left the nearest
 * caches when its next message comes. The figure is for one hop.
 */
public class ManyChains extends NanosBenchmark {
    private static final int CHAINS = 300;
    private static final int SERVICES = 5;
    private static final int HOPS = CHAINS * (SERVICES + 1);
    private static final int PAYLOAD = 32;

    /** Slots of a ring. */
    @Param({"64", "1024"})
    public int slots;

    private final List<OwedSource> sources = new ArrayList<>();
    private DisruptorTransport transport;
    private Loops loops;
    private long received;

    /** Starts the chains. */
    @Setup
    public void open() {
        transport = DisruptorTransport.create(DisruptorOptions.defaults().with(DisruptorOptions.SLOTS, slots));
        loops = Loops.manual().idle(Idle.spin());
        for (int chain = 0; chain < CHAINS; chain++) {
            OwedSource source = new OwedSource(PAYLOAD, 1, (claim, number) -> claim.putLong(0, number));
            sources.add(source);
            Chain.Builder services = Chain.named("chain-" + chain);
            for (int i = 1; i <= SERVICES; i++) {
                services = services.then("service-" + i, () -> (in, out) -> out.forward(in));
            }
            services.build()
                    .on(transport)
                    .with(loops)
                    .onOutput(message -> received++)
                    .from(source)
                    .start();
        }
    }

    /** Carries one message through each chain. */
    @Benchmark
    @OperationsPerInvocation(HOPS)
    public long hop() {
        sources.forEach(source -> source.owe(1));
        for (long until = received + CHAINS; received < until; ) {
            loops.turn();
        }
        return received;
    }

    /** Closes the chains. */
    @TearDown
    public void close() {
        loops.close();
        transport.close();
    }
}
