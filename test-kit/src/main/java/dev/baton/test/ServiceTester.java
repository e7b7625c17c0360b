package dev.baton.test;

import dev.baton.Chain;
import dev.baton.Service;
import dev.baton.deadletters.DeadLetter;
import java.util.List;
import java.util.function.Supplier;

/**
 * A test of one service between two topics in memory: it sends inputs, advances the clock, takes outputs, and lets the service fail and restart.
 *
 * <pre>{@code
 * try (ServiceTester tester = ServiceTester.of(Price::new)) {
 *     tester.send(new Order(1, 10), Order.CODEC);
 *     assertEquals(new Priced(1, 250), tester.takeOne(Priced.CODEC));
 *     tester.assertRepeatable();
 * }
 * }</pre>
 *
 * <p>Confined to one thread.
 */
public final class ServiceTester extends Tester<ServiceTester> {
    private static final String DEFAULT_NAME = "service";

    private final String name;

    private ServiceTester(String name, Supplier<? extends Service> factory) {
        super(Chain.named("test").then(name, factory).build());
        this.name = name;
    }

    /**
     * Tests a service.
     *
     * @param factory makes a new instance at each start, as for {@link Chain.Builder#then}
     * @return a tester that has not started
     */
    public static ServiceTester of(Supplier<? extends Service> factory) {
        return of(DEFAULT_NAME, factory);
    }

    /**
     * Tests a service that has this name.
     *
     * @param name as for {@link Chain.Builder#then}
     * @param factory makes a new instance at each start
     * @return a tester that has not started
     */
    public static ServiceTester of(String name, Supplier<? extends Service> factory) {
        return new ServiceTester(name, factory);
    }

    @Override
    ServiceTester self() {
        return this;
    }

    /**
     * Has the next message or tick throw this in place of being handled, which goes through the error policy.
     *
     * @param thrown by the message or tick
     * @return this
     */
    public ServiceTester throwNext(Exception thrown) {
        return throwNext(1, thrown);
    }

    /**
     * Has the next messages or ticks throw this in place of being handled, which goes through the error policy.
     *
     * @param times how many of them
     * @param thrown by each of them
     * @return this
     */
    public ServiceTester throwNext(int times, Exception thrown) {
        throwNext(name, times, thrown);
        return this;
    }

    /**
     * {@return the sequence of the newest input that is acknowledged, 0 for none: those behind it come again after a
     * crash}
     */
    public long acknowledged() {
        return acknowledged(name);
    }

    /** {@return the sequence of the newest input that is handled or skipped, 0 for none} */
    public long handled() {
        return handled(name);
    }

    /**
     * {@return the number of inputs that are handled and not acknowledged: those that the service holds, when it is at
     * rest}
     */
    public long held() {
        return handled() - acknowledged();
    }

    /** {@return the dead letters of the service, oldest first} */
    public List<DeadLetter> deadLetters() {
        return deadLetters(name);
    }
}
