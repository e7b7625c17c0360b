package dev.baton.test;

import dev.baton.Chain;
import java.util.List;

/**
 * A whole chain in memory, on the calling thread, with a virtual clock: 24 hours of timers take as long as the callbacks in them, and every
 * run is the same.
 *
 * <pre>{@code
 * try (ChainTester tester = ChainTester.of(Orders.CHAIN)) {
 *     tester.send(order, Order.CODEC).advance(Duration.ofHours(24));
 *     assertEquals(1, tester.take().size());
 *     tester.assertRepeatable();
 * }
 * }</pre>
 *
 * <p>Confined to one thread.
 */
public final class ChainTester extends Tester<ChainTester> {
    private ChainTester(Chain chain) {
        super(chain);
    }

    /**
     * Tests a chain as it is. A chain with partitions is tested as one of them.
     *
     * @param chain without partitions
     * @return a tester that has not started
     */
    public static ChainTester of(Chain chain) {
        return new ChainTester(chain);
    }

    @Override
    ChainTester self() {
        return this;
    }

    /**
     * {@return all that a service has sent since the tester began}
     *
     * @param service by its name in the chain
     */
    public List<Output> sentBy(String service) {
        return messages(requireService(service) + 1);
    }

    /**
     * Has the next message or tick of a service throw this in place of being handled, which goes through the error policy.
     *
     * @param service by its name in the chain
     * @param thrown by the message or tick
     * @return this
     */
    public ChainTester throwNext(String service, Exception thrown) {
        throwNext(service, 1, thrown);
        return this;
    }

    /**
     * {@return the sequence of the newest input that a service has acknowledged, 0 for none}
     *
     * @param service by its name in the chain; {@link Chain#SINK} for the output handler
     */
    public long acknowledgedBy(String service) {
        return acknowledged(service);
    }

    /**
     * {@return the sequence of the newest input that a service has handled or skipped, 0 for none}
     *
     * @param service by its name in the chain; {@link Chain#SINK} for the output handler
     */
    public long handledBy(String service) {
        return handled(service);
    }
}
