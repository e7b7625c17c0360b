package dev.baton.kafka.client;

import dev.baton.kafka.KafkaOptions;
import dev.baton.spi.errors.TransportException;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * Distinguishes a broker that does not answer from one with another security protocol than this client: TLS or not,
 * with a login or without. Immutable, thread-safe; {@link #look} blocks for its limit at most.
 */
final class ProtocolMismatch {
    /** The answers of a server. */
    private enum Answer {
        NOTHING,
        OPEN,
        LOGIN,
        /** A server with TLS that requires a certificate of the client. */
        CERTIFICATE
    }

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
        server = options.get(KafkaOptions.BOOTSTRAP_SERVERS).split(",")[0];
        isTls = protocol.endsWith("SSL");
        isLogin = protocol.startsWith("SASL");
    }

    /**
     * Probes the first server and returns the exception for a mismatch.
     *
     * @return null when the first of the servers does not answer either, or speaks as it should
     */
    TransportException look(String what, Deadline deadline) {
        Answer same = new ListenerProbe(server, share(deadline)).ask(isTls);
        if (same == Answer.NOTHING) {
            Answer other = new ListenerProbe(server, share(deadline)).ask(!isTls);
            if (other == Answer.NOTHING) {
                return null;
            }
            boolean wantsLogin = other == Answer.LOGIN;
            return isTls
                    ? KafkaFailures.protocol(what, server, "speaks no TLS", wantsLogin ? "SASL_" + PLAIN : PLAIN)
                    : KafkaFailures.protocol(what, server, "speaks TLS", wantsLogin ? "SASL_SSL" : "SSL or SASL_SSL");
        }
        if (same == Answer.LOGIN && !isLogin) {
            return KafkaFailures.protocol(what, server, "wants a login", isTls ? "SASL_SSL" : "SASL_" + PLAIN);
        }
        return null;
    }

    /** Returns a third of the time that is left, as there are two probes and an answer to wait for, up to a limit. */
    private static int share(Deadline deadline) {
        return (int) Math.max(1, Math.min(LONGEST_MILLIS, deadline.left().toMillis() / 3));
    }

    /**
     * The probe of a listener's security protocol, for a client that gets no answer: with the wrong protocol a broker
     * closes the connection without an answer, and Kafka's clients connect again until they time out.
     *
     * <p>It requests a SASL mechanism that does not exist, in plain text or over TLS: a listener without SASL answers
     * that it has none, one with SASL names its mechanisms. It sends nothing that is secret, so it verifies no
     * certificate. Used once, by one thread, which it blocks for its limit at most.
     */
    private static final class ListenerProbe {
        private static final short HANDSHAKE = 17;
        private static final short ILLEGAL_STATE = 34;
        private static final int CORRELATION = 0x6261746f;
        private static final int LONGEST_ANSWER = 4096;
        private static final int LEAST_ANSWER = 6;

        private final InetSocketAddress address;
        private final int limitMillis;

        ListenerProbe(String server, int limitMillis) {
            int colon = server.lastIndexOf(':');
            this.address = new InetSocketAddress(
                    server.substring(0, colon).replaceAll("[\\[\\]]", ""),
                    Integer.parseInt(server.substring(colon + 1)));
            this.limitMillis = limitMillis;
        }

        Answer ask(boolean overTls) {
            try (Socket plain = new Socket()) {
                plain.connect(address, limitMillis);
                plain.setSoTimeout(limitMillis);
                if (!overTls) {
                    return exchange(plain);
                }
                try (SSLSocket encrypted = (SSLSocket) trustingContext()
                        .getSocketFactory()
                        .createSocket(plain, address.getHostString(), address.getPort(), false)) {
                    encrypted.startHandshake();
                    return exchange(encrypted);
                } catch (SSLException refused) {
                    return String.valueOf(refused.getMessage()).contains("fatal alert")
                            ? Answer.CERTIFICATE
                            : Answer.NOTHING;
                }
            } catch (IOException | GeneralSecurityException nobody) {
                return Answer.NOTHING;
            }
        }

        private static Answer exchange(Socket socket) throws IOException {
            byte[] mechanism = "BATON-PROBE".getBytes(StandardCharsets.US_ASCII);
            byte[] client = "baton-probe".getBytes(StandardCharsets.US_ASCII);
            int length = 2 + 2 + 4 + 2 + client.length + 2 + mechanism.length;
            ByteBuffer request = ByteBuffer.allocate(4 + length).putInt(length);
            request.putShort(HANDSHAKE).putShort((short) 1).putInt(CORRELATION);
            request.putShort((short) client.length).put(client);
            request.putShort((short) mechanism.length).put(mechanism);
            socket.getOutputStream().write(request.array());
            socket.getOutputStream().flush();
            InputStream input = socket.getInputStream();
            DataInputStream answer = new DataInputStream(input);
            int answered = answer.readInt();
            if (answered < LEAST_ANSWER || answered > LONGEST_ANSWER || answer.readInt() != CORRELATION) {
                return Answer.NOTHING; // not a broker, or one that speaks TLS
            }
            return answer.readShort() == ILLEGAL_STATE ? Answer.OPEN : Answer.LOGIN;
        }

        private static SSLContext trustingContext() throws GeneralSecurityException {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new Anybody()}, null);
            return context;
        }

        /** Trusts every server, as nothing secret is sent to it. */
        private static final class Anybody implements X509TrustManager {
            @Override
            public void checkClientTrusted(X509Certificate[] chain, String type) {}

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String type) {}

            @Override
            public X509Certificate[] getAcceptedIssuers() {
                return new X509Certificate[0];
            }
        }
    }
}
