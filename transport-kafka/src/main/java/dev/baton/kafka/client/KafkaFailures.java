package dev.baton.kafka.client;

import dev.baton.kafka.KafkaOptions;
import dev.baton.spi.errors.AccessRefusedException;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.Causes;
import java.security.cert.CertificateException;
import java.util.List;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.IllegalSaslStateException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.UnsupportedSaslMechanismException;

/**
 * Translates the exceptions of Kafka's clients into one line that names the setting or the ACL to check, and no secret.
 * Stateless, thread-safe.
 */
public final class KafkaFailures {
    private static final String JAAS = "client.sasl.jaas.config";
    private static final String MECHANISM = "client.sasl.mechanism";
    private static final String PROTOCOL = "client.security.protocol";
    private static final String TRUST_STORE = "client.ssl.truststore.location";

    private KafkaFailures() {}

    /**
     * Returns the exception to throw.
     *
     * @param what could not be done, such as "could not create topic 'a'"
     * @param cause Kafka's
     * @param needed what an ACL has to allow for it; null when it takes no permission
     */
    public static TransportException because(String what, Throwable cause, Permission needed) {
        if (cause instanceof AuthenticationException refused) {
            return new AccessRefusedException(what + ": " + login(refused), cause);
        }
        if (cause instanceof AuthorizationException refused) {
            return new AccessRefusedException(what + ": " + permission(refused, needed), cause);
        }
        String said = cause.getMessage();
        return new TransportException(
                what + ": " + (said == null || said.isBlank() ? cause.getClass().getSimpleName() : said), cause);
    }

    /** Returns whether authentication or authorization failed. */
    public static boolean isAccess(Throwable cause) {
        return cause instanceof AuthenticationException || cause instanceof AuthorizationException;
    }

    /**
     * Returns the exception for a client that could not be created because a setting is wrong. Secrets that Kafka
     * quotes are masked.
     */
    public static TransportException client(KafkaException failure, KafkaOptions options) {
        String root = PassedSecrets.in(options.passed()).hiddenIn(String.valueOf(rootMessage(failure)));
        String start = "no Kafka client for " + options.get(KafkaOptions.BOOTSTRAP_SERVERS) + ": ";
        if (root.contains("JAAS config entry") || root.contains("in JAAS config") || root.contains("Login module")) {
            return new AccessRefusedException(start + JAAS + " is not understood; it is a login module, 'required',"
                    + " username=\"NAME\" password=\"PASSWORD\" and a semicolon at the end");
        }
        if (root.startsWith("Invalid value")) {
            return new AccessRefusedException(start + root + "; check what is passed as client.", failure);
        }
        if (root.contains("JAAS configuration")) {
            return new AccessRefusedException(
                    start + PROTOCOL + " requires a login, and " + JAAS + " is not set", failure);
        }
        if (root.contains("No LoginModule found") || root.contains("serviceName")) {
            return new AccessRefusedException(
                    start + "the login module in " + JAAS + " and " + MECHANISM + " do not fit: " + root, failure);
        }
        for (Throwable each : Causes.of(failure)) {
            if (String.valueOf(each.getMessage()).startsWith("Failed to load")) {
                return new AccessRefusedException(
                        start + each.getMessage() + " (" + root + "); check " + TRUST_STORE
                                + ", client.ssl.keystore.location, and their type and password",
                        failure);
            }
        }
        return new TransportException(start + root, failure);
    }

    /** Returns the exception for a broker with another security protocol than this client. */
    static TransportException protocol(String what, String servers, String spoken, String wanted) {
        return new AccessRefusedException(
                what + ": the broker at " + servers + " " + spoken + "; " + PROTOCOL + " has to be " + wanted);
    }

    private static String login(AuthenticationException refused) {
        if (refused instanceof SslAuthenticationException) {
            return certificate(refused);
        }
        if (refused instanceof UnsupportedSaslMechanismException) {
            return refused.getMessage() + "; check " + MECHANISM;
        }
        if (refused instanceof IllegalSaslStateException) {
            return "the broker accepts no login (" + refused.getMessage() + "); check " + PROTOCOL;
        }
        return "the broker refused the login (" + refused.getMessage() + "); check user name and password in " + JAAS;
    }

    private static String certificate(Throwable refused) {
        String root = rootMessage(refused);
        if (root.contains("certification path") || root.contains("trustAnchors")) {
            return "the broker's certificate is signed by nobody that this client trusts (" + root + "); check "
                    + TRUST_STORE;
        }
        if (Causes.first(refused, CertificateException.class) != null && root.startsWith("No ")) {
            return "the broker's certificate is for another host (" + root
                    + "); name a host of the certificate in bootstrap-servers and in the brokers' advertised.listeners";
        }
        if (root.contains("Received fatal alert")) {
            return "the broker refused this client's certificate (" + root + "); check client.ssl.keystore.location";
        }
        return "TLS with the broker failed (" + root + "); check " + PROTOCOL + " and " + TRUST_STORE;
    }

    private static String permission(AuthorizationException refused, Permission needed) {
        String reason = "not authorized";
        if (needed == null) {
            return reason + " (" + refused.getMessage() + "); the user needs an ACL for it";
        }
        String more = refused instanceof ClusterAuthorizationException
                ? " (" + refused.getMessage().replaceAll("\\.$", "") + ")"
                : "";
        return reason + more + "; the user needs an ACL that allows " + needed;
    }

    /** Returns the message of the innermost cause, as Kafka wraps it in "failed to construct". */
    static String rootMessage(Throwable failure) {
        List<Throwable> causes = Causes.of(failure);
        Throwable root = causes.get(causes.size() - 1);
        return root.getMessage() == null ? root.toString() : root.getMessage();
    }
}
