package dev.baton.operations.chains;

import dev.baton.Chain;
import dev.baton.Service;
import java.util.function.IntFunction;

/**
 * The chain that needs no jar: services {@code s1}, {@code s2} ... that forward each message as it is. A stand-in for
 * services, to measure what carries messages between them and to try out its operation. Stateless, thread-safe.
 */
public final class ForwardingChain {
    /** As people type it. */
    public static final String NAME = "forwarding";

    public static final String SUMMARY =
            "services that forward each message as it is: what the way between services costs, without them; --services"
                    + " says how many, --payload how many bytes a message has";

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

    /** The same with other services of these names. @param byNumber makes one for its number, counted from 1 */
    public static Chain of(String name, int services, IntFunction<? extends Service> byNumber) {
        Chain.Builder chain = Chain.named(name);
        for (int service = 1; service <= services; service++) {
            int number = service;
            chain.then(service(number), () -> byNumber.apply(number));
        }
        return chain.build();
    }
}
