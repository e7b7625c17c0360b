package dev.baton.kafka.client;

import dev.baton.kafka.KafkaOptions;
import dev.baton.kafka.client.ListenerProbe.Answer;
import dev.baton.spi.TransportException;
import java.util.Locale;

/**
 * Tells a broker that does not answer from one that speaks another protocol than this client: TLS or not, with a login or
 * without. Immutable, thread-safe; {@link #look} blocks for its limit at most.
 */
final class ProtocolMismatch {
    private static final String PLAIN = "PLAINTEXT";
    private static final int LONGEST_MILLIS = 3_000;

    private final String server;
    private final boolean isTls;
    private final boolean isLogin;

    ProtocolMismatch(KafkaOptions options) {
        String protocol = options.passed()
                .getOrDefault(
                        "admin.security.protocol", options.passed().getOrDefault("client.security.protocol", PLAIN))
                .toUpperCase(Locale.ROOT);
        server = options.bootstrapServers().split(",")[0];
        isTls = protocol.endsWith("SSL");
        isLogin = protocol.startsWith("SASL");
    }

    /** @return null when the first of the servers does not answer either, or speaks as it should */
    TransportException look(String what, Deadline deadline) {
        Answer same = new ListenerProbe(server, share(deadline)).ask(isTls);
        if (same == Answer.NOTHING) {
            Answer other = new ListenerProbe(server, share(deadline)).ask(!isTls);
            if (other == Answer.NOTHING) {
                return null;
            }
            boolean wantsLogin = other == Answer.LOGIN;
            return isTls
                    ? Refused.protocol(what, server, "speaks no TLS", wantsLogin ? "SASL_" + PLAIN : PLAIN)
                    : Refused.protocol(what, server, "speaks TLS", wantsLogin ? "SASL_SSL" : "SSL or SASL_SSL");
        }
        if (same == Answer.LOGIN && !isLogin) {
            return Refused.protocol(what, server, "wants a login", isTls ? "SASL_SSL" : "SASL_" + PLAIN);
        }
        return null;
    }

    /** A third of what is left: there are two questions, and an answer to wait for. At most what a busy machine needs. */
    private static int share(Deadline deadline) {
        return (int) Math.max(1, Math.min(LONGEST_MILLIS, deadline.left().toMillis() / 3));
    }
}
