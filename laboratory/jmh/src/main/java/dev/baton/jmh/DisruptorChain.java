package dev.baton.jmh;

import com.lmax.disruptor.EventPoller;
import com.lmax.disruptor.RingBuffer;
import dev.baton.Chain;
import dev.baton.RunningChain;
import dev.baton.disruptor.DisruptorTransport;
import dev.baton.run.Idle;
import dev.baton.run.Loops;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A chain of five services that forward each message, on one thread, and the same chain as a hand-written loop over rings.
 *
 * <p>It shows what single hops cannot: code that the JIT compiles for one topic at a time may be compiled otherwise when a
 * whole chain runs through it.
 */
public class DisruptorChain extends TopicHop {
    private static final int SERVICES = 5;
    private static final int SLOTS = 1024;

    private final List<RingBuffer<DisruptorHop.Event>> rings = new ArrayList<>();
    private final List<EventPoller<DisruptorHop.Event>> pollers = new ArrayList<>();
    private DisruptorTransport transport;
    private Loops loops;
    private RunningChain chain;
    private OwedSource source;
    private long received; // through Baton
    private long sum;
    private long number;

    /** Opens both. */
    @Setup
    @Override
    public void open() {
        transport = DisruptorTransport.create();
        loops = Loops.manual().idle(Idle.spin());
        source = new OwedSource(payload, batch, (claim, value) -> {
            for (int index = 0; index < payload; index += Long.BYTES) {
                claim.putLong(index, value);
            }
        });
        Chain.Builder services = Chain.named("chain");
        for (int i = 1; i <= SERVICES; i++) {
            services = services.then("service-" + i, () -> (in, out) -> out.forward(in));
        }
        chain = services.build()
                .on(transport)
                .with(loops)
                .onOutput(message -> {
                    received++;
                    sum += message.getLong(0);
                })
                .from(source)
                .start();
        for (int i = 0; i <= SERVICES; i++) {
            RingBuffer<DisruptorHop.Event> ring =
                    RingBuffer.createSingleProducer(() -> new DisruptorHop.Event(payload), SLOTS);
            EventPoller<DisruptorHop.Event> poller = ring.newPoller();
            ring.addGatingSequences(poller.getSequence());
            rings.add(ring);
            pollers.add(poller);
        }
    }

    @Override
    public long baton() {
        for (int done = 0; done < MESSAGES; done += batch) {
            source.owe(batch);
            for (long until = received + batch; received < until; ) {
                loops.turn();
            }
        }
        return sum;
    }

    /** Carries each batch through all rings in turn. */
    @Override
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public long reference() throws Exception {
        for (int done = 0; done < MESSAGES; done += batch) {
            RingBuffer<DisruptorHop.Event> first = rings.get(0);
            long last = first.next(batch);
            for (long place = last - batch + 1; place <= last; place++) {
                first.get(place).fill(place + 1, ++number);
            }
            first.publish(last - batch + 1, last);
            for (int i = 0; i < SERVICES; i++) {
                forward(pollers.get(i), rings.get(i + 1));
            }
            pollers.get(SERVICES).poll((event, sequence, isLast) -> {
                sum += event.sum();
                return true;
            });
        }
        return sum;
    }

    /** One service: copies each event of a batch into the next ring, and publishes with the last one. */
    private void forward(EventPoller<DisruptorHop.Event> from, RingBuffer<DisruptorHop.Event> to) throws Exception {
        from.poll((event, sequence, isLast) -> {
            long place = to.next();
            to.get(place).copy(event);
            if (isLast) {
                to.publish(place);
            }
            return true;
        });
    }

    @Override
    public long cooperative() throws Exception {
        return reference();
    }

    /** Closes the chain. */
    @TearDown
    @Override
    public void close() {
        chain.close();
        loops.close();
        transport.close();
    }
}
