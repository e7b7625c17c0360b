package dev.baton.operations.chains;

import dev.baton.Chain;
import dev.baton.Service;
import java.util.function.IntFunction;

/**
 * The chain that needs no jar: services {@code s1}, {@code s2} ... that forward each message unchanged. It stands for real services in
 * measurements of a transport and in first tries. Stateless, thread-safe.
 */
public final class ForwardingChain {
    /** The name on the command line. */
    public static final String NAME = "forwarding";

    public static final String SUMMARY =
            "services that forward each message unchanged, to measure the transport between services; --services"
                    + " sets their number, --payload the bytes of a message";

    private ForwardingChain() {}

    /** Name of a service, counted from 1. */
    public static String service(int number) {
        return "s" + number;
    }

    public static Service forwarding() {
        return (in, out) -> out.forward(in);
    }

    public static Chain of(String name, int services) {
        return of(name, services, number -> forwarding());
    }

    /**
     * Returns a chain with these names of services.
     *
     * @param byNumber creates the service with a number, counted from 1
     */
    public static Chain of(String name, int services, IntFunction<? extends Service> byNumber) {
        Chain.Builder chain = Chain.named(name);
        for (int service = 1; service <= services; service++) {
            int number = service;
            chain.then(service(number), () -> byNumber.apply(number));
        }
        return chain.build();
    }
}
