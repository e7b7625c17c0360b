package dev.baton.test;

import dev.baton.Chain;
import dev.baton.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A factory of testers that have the seed of the test and are closed after it; a parameter of a {@link BatonTest}. Confined to one thread.
 */
public final class Testers {
    private final long seed;
    private final List<Tester<?>> made = new ArrayList<>();

    Testers(long seed) {
        this.seed = seed;
    }

    /**
     * {@return a tester of a service, as {@link ServiceTester#of(Supplier)}}
     *
     * @param factory makes a new instance at each start
     */
    public ServiceTester of(Supplier<? extends Service> factory) {
        return closed(ServiceTester.of(factory));
    }

    /**
     * {@return a tester of a service that has this name, as {@link ServiceTester#of(String, Supplier)}}
     *
     * @param name as for {@link dev.baton.Chain.Builder#then}
     * @param factory makes a new instance at each start
     */
    public ServiceTester of(String name, Supplier<? extends Service> factory) {
        return closed(ServiceTester.of(name, factory));
    }

    /**
     * {@return a tester of a chain, as {@link ChainTester#of}}
     *
     * @param chain as it is
     */
    public ChainTester of(Chain chain) {
        return closed(ChainTester.of(chain));
    }

    private <T extends Tester<T>> T closed(T tester) {
        made.add(tester);
        return tester.seed(seed);
    }

    /** Closes all of them, the last one first; throws the first failure when all are closed. */
    void closeAll() {
        RuntimeException failure = null;
        for (int i = made.size() - 1; i >= 0; i--) {
            try {
                made.get(i).close();
            } catch (RuntimeException atClose) {
                if (failure == null) {
                    failure = atClose;
                } else {
                    failure.addSuppressed(atClose);
                }
            }
        }
        made.clear();
        if (failure != null) {
            throw failure;
        }
    }
}
