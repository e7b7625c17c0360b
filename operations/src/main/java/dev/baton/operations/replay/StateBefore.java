package dev.baton.operations.replay;

import dev.baton.Chain;
import dev.baton.SavedState;
import dev.baton.Service;
import dev.baton.spi.PartitionTopic;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportException;

/**
 * The newest snapshot of a service that contains nothing of the input at which a replay differs. Immutable, thread-safe.
 *
 * @param input the last one that the state contains
 * @param bytes of the state
 * @param version of the service that saved it
 * @param text of the state; null where the service has none, or cannot read it
 */
record StateBefore(long input, long bytes, int version, String text) {
    /** Null where there is none, or its topic cannot be read. */
    static StateBefore of(Chain chain, ServiceReplay.Result result, Transport transport) {
        String input = result.place().input();
        String service = result.place().service();
        String topic = chain.snapshotTopic(0, service)
                + input.substring(PartitionTopic.base(input).length());
        long cause = result.difference().cause();
        try {
            return cause == 0 || !transport.topics().contains(topic)
                    ? null
                    : SavedState.newest(transport, topic, cause - 1)
                            .map(saved -> of(chain, service, saved))
                            .orElse(null);
        } catch (TransportException unreadable) {
            return null; // the difference is what matters
        }
    }

    private static StateBefore of(Chain chain, String name, SavedState saved) {
        return new StateBefore(saved.input(), saved.bytes(), saved.version(), text(chain.newService(name), saved));
    }

    private static String text(Service made, SavedState saved) {
        if (made.state() == null) {
            return null;
        }
        try {
            saved.restore(made.state());
            return made.state().stateText();
        } catch (Exception cannot) {
            return null; // another version, or a service that needs its onStart
        }
    }
}
