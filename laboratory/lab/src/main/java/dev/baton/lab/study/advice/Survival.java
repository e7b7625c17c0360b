package dev.baton.lab.study.advice;

import dev.baton.operations.line.Checks;
import dev.baton.operations.line.ChosenTransport;
import dev.baton.spi.Guarantee;
import dev.baton.spi.TransportProvider;
import java.util.List;

/** What stored messages have to survive, and which transports promise that. */
public enum Survival {
    NOTHING("may be lost with the process", List.of()),
    PROCESS("survive the process", List.of(Guarantee.DURABLE)),

    /** A copy lies on another machine: a transport of this machine alone has none. */
    HOST("survive the loss of a host", List.of(Guarantee.DURABLE, Guarantee.CROSS_HOST));

    /** Copies of a frame, two of which confirm it, when brokers of our own are to survive the loss of one. */
    private static final int COPIES = 3;

    /** What messages do, for a sentence. */
    final String meaning;

    private final List<Guarantee> needed;

    Survival(String meaning, List<Guarantee> needed) {
        this.meaning = meaning;
        this.needed = needed;
    }

    /** Why this transport does not promise it, as it was set; null when it does. */
    String reason(ChosenTransport chosen) {
        TransportProvider provider = chosen.provider();
        for (Guarantee each : needed) {
            if (!provider.guarantees().contains(each)) {
                return "does not promise that a frame " + each.meaning();
            }
        }
        return this == HOST ? provider.lostWithHost(chosen.options()) : null;
    }

    /** The same with as many brokers of our own as that takes. @param isTyped whether somebody has typed how many */
    ChosenTransport copied(ChosenTransport chosen, boolean isTyped) {
        if (this != HOST || !chosen.needsBroker()) {
            return chosen;
        }
        Checks.require(
                !isTyped || chosen.brokers() == COPIES,
                "--survives host takes " + COPIES + " copies, each with a broker: --brokers " + COPIES
                        + ", or --bootstrap-servers of a cluster");
        return new ChosenTransport(chosen.provider(), chosen.options(), COPIES);
    }
}
