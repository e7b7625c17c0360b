package dev.baton.kafka.embedded;

import java.util.HashMap;
import java.util.Map;

/**
 * The access control of an embedded Kafka: TLS on every listener with a certificate created at the start and, if there are users, a login
 * over TLS and an authorizer that permits everything to the administrator only. Immutable, thread-safe.
 *
 * @param administrator name of the user who may do everything, with a password in {@code plain}; empty without users
 * @param plain passwords by name, of users who log in with SASL PLAIN
 * @param scram passwords by name, of users who log in with SASL SCRAM-SHA-512
 */
public record BrokerSecurity(String administrator, Map<String, String> plain, Map<String, String> scram) {
    /** The texts that a login's configuration may contain between quotes. */
    private static final String FINE = "[A-Za-z0-9_.+-]{1,100}";

    public BrokerSecurity {
        plain = Map.copyOf(plain);
        scram = Map.copyOf(scram);
        check(plain);
        check(scram);
        boolean hasUsers = !plain.isEmpty() || !scram.isEmpty();
        if (hasUsers && !plain.containsKey(administrator)) {
            throw new IllegalArgumentException("administrator '" + administrator
                    + "' has no password; one of the plain users is allowed: " + plain.keySet());
        }
        if (!hasUsers && !administrator.isEmpty()) {
            throw new IllegalArgumentException("administrator '" + administrator + "' without users is not allowed");
        }
    }

    /** Encryption without a login: a client that trusts the certificate may do everything. */
    public static BrokerSecurity tls() {
        return new BrokerSecurity("", Map.of(), Map.of());
    }

    /** Encrypted, and a login: at first only the administrator, who logs in with PLAIN. */
    public static BrokerSecurity users(String administrator, String password) {
        return new BrokerSecurity(administrator, Map.of(administrator, password), Map.of());
    }

    /** Adds a user who logs in with PLAIN, and who may do nothing until an ACL permits it. */
    public BrokerSecurity withPlain(String name, String password) {
        return new BrokerSecurity(administrator, with(plain, name, password), scram);
    }

    /** Adds a user who logs in with SCRAM-SHA-512, and who may do nothing until an ACL permits it. */
    public BrokerSecurity withScram(String name, String password) {
        return new BrokerSecurity(administrator, plain, with(scram, name, password));
    }

    boolean hasUsers() {
        return !plain.isEmpty();
    }

    /** {@return a text without passwords} */
    @Override
    public String toString() {
        return "BrokerSecurity[administrator=" + administrator + ", plain=" + plain.keySet() + ", scram="
                + scram.keySet() + "]";
    }

    private static void check(Map<String, String> users) {
        users.forEach((name, password) -> {
            if (!name.matches(FINE)) {
                throw new IllegalArgumentException("a user called '" + name + "'; " + FINE + " is allowed");
            }
            if (!password.matches(FINE)) {
                throw new IllegalArgumentException(
                        "the password of user '" + name + "' is not allowed; it has to match " + FINE);
            }
        });
    }

    private static Map<String, String> with(Map<String, String> users, String name, String password) {
        Map<String, String> more = new HashMap<>(users);
        more.put(name, password);
        return more;
    }
}
