package dev.baton.lab.study.advice;

import dev.baton.operations.line.Checks;
import dev.baton.operations.options.ChosenTransport;
import dev.baton.spi.Guarantee;
import dev.baton.spi.TransportProvider;
import java.util.List;

/** The failures that stored messages have to survive, and the transports with the required guarantees. */
public enum Survival {
    NOTHING("may be lost with the process", List.of()),
    PROCESS("survive the process", List.of(Guarantee.DURABLE)),

    /** Another machine stores a copy; a transport within this machine has none. */
    HOST("survive the loss of a host", List.of(Guarantee.DURABLE, Guarantee.CROSS_HOST));

    /** Copies of a frame, two of which confirm it, if our own brokers have to survive the loss of one. */
    private static final int COPIES = 3;

    /** The meaning, as a part of a sentence. */
    final String meaning;

    private final List<Guarantee> needed;

    Survival(String meaning, List<Guarantee> needed) {
        this.meaning = meaning;
        this.needed = needed;
    }

    /** {@return why this transport lacks the guarantee with its options; null when it has it} */
    String reason(ChosenTransport chosen) {
        TransportProvider provider = chosen.provider();
        for (Guarantee each : needed) {
            if (!provider.guarantees().contains(each)) {
                return "does not promise that a frame " + each.meaning();
            }
        }
        return this == HOST ? provider.lostWithHost(chosen.options()) : null;
    }

    /** Returns the transport with enough brokers of our own. @param isTyped whether the command line has their number */
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
