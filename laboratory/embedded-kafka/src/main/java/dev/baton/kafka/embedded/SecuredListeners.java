package dev.baton.kafka.embedded;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;

/**
 * The security of the listeners of a cluster's nodes, as server properties: equal for all, so that no port of a secured cluster is open
 * without a login. Immutable, thread-safe.
 *
 * @param security access control; empty: everything is permitted, unencrypted
 * @param certificate of all nodes; null without encryption
 */
record SecuredListeners(Optional<BrokerSecurity> security, BrokerCertificate certificate) {
    /** The prefix of the settings of one listener. */
    private static final String BROKER = prefix(NodeProperties.BROKER_LISTENER);

    private static final String CONTROLLER = prefix(NodeProperties.CONTROLLER_LISTENER);

    /** Creates the security for the options of a cluster, with a new certificate in the cluster's directory. */
    static SecuredListeners of(Optional<BrokerSecurity> security, Path directory) {
        return new SecuredListeners(security, security.isPresent() ? BrokerCertificate.make(directory) : null);
    }

    /** {@return the settings of a client that may do everything} */
    Properties administrator() {
        Properties all = new Properties();
        all.put("security.protocol", protocol());
        security.ifPresent(wanted -> {
            truststore(all);
            if (wanted.hasUsers()) {
                all.put("sasl.mechanism", "PLAIN");
                all.put("sasl.jaas.config", plainLogin(wanted) + ";");
            }
        });
        return all;
    }

    /** {@return the protocol in the broker's notation} */
    String protocol() {
        return security.map(each -> each.hasUsers() ? "SASL_SSL" : "SSL").orElse("PLAINTEXT");
    }

    void addTo(Properties all) {
        security.ifPresent(wanted -> {
            all.put("ssl.keystore.type", "PKCS12");
            all.put("ssl.keystore.location", certificate.keyStore().toString());
            all.put("ssl.keystore.password", certificate.password());
            all.put("ssl.key.password", certificate.password());
            truststore(all); // the nodes among themselves
            if (wanted.hasUsers()) {
                logins(all, wanted);
                all.put("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
                all.put("allow.everyone.if.no.acl.found", "false");
                all.put("super.users", "User:" + wanted.administrator());
            }
        });
    }

    /** Users whose passwords are kept in the cluster's metadata, in the notation of the formatter. */
    List<String> scramUsers() {
        return security.stream()
                .flatMap(each -> each.scram().entrySet().stream())
                .map(user -> "SCRAM-SHA-512=[name=" + user.getKey() + ",password=" + user.getValue() + "]")
                .toList();
    }

    private void truststore(Properties all) {
        all.put("ssl.truststore.type", "PEM");
        all.put("ssl.truststore.location", certificate.authority().toString());
    }

    private static String plainLogin(BrokerSecurity wanted) {
        return "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"" + wanted.administrator()
                + "\" password=\"" + wanted.plain().get(wanted.administrator()) + '"';
    }

    /** The nodes log in to each other as the administrator. SCRAM is for clients only, as it needs a running controller. */
    private static void logins(Properties all, BrokerSecurity wanted) {
        String plain = wanted.plain().entrySet().stream()
                .map(user -> " user_" + user.getKey() + "=\"" + user.getValue() + '"')
                .collect(Collectors.joining("", plainLogin(wanted), ";"));
        all.put(CONTROLLER + "plain.sasl.jaas.config", plain);
        all.put(CONTROLLER + "sasl.enabled.mechanisms", "PLAIN");
        all.put(BROKER + "plain.sasl.jaas.config", plain);
        all.put(
                BROKER + "scram-sha-512.sasl.jaas.config",
                "org.apache.kafka.common.security.scram.ScramLoginModule required;");
        all.put(BROKER + "sasl.enabled.mechanisms", "PLAIN,SCRAM-SHA-512");
        all.put("sasl.mechanism.inter.broker.protocol", "PLAIN");
        all.put("sasl.mechanism.controller.protocol", "PLAIN");
    }

    private static String prefix(String listener) {
        return "listener.name." + listener.toLowerCase(Locale.ROOT) + ".";
    }
}
