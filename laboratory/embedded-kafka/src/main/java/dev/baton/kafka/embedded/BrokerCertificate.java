package dev.baton.kafka.embedded;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A certificate for a broker at the loopback address and at no other name or address, signed by a new authority whose key is deleted. Both
 * keys are made by the JDK's keytool; the password of the store is random and on no command line. Immutable, thread-safe.
 *
 * @param keyStore PKCS12, with the broker's key
 * @param authority PEM, for a client to trust
 */
record BrokerCertificate(Path keyStore, String password, Path authority) {
    private static final String PASSWORD_VARIABLE = "BATON_STORE_PASSWORD";
    private static final String SIGNER = "authority";
    private static final String BROKER = "broker";
    private static final int PASSWORD_BYTES = 24;
    private static final long LIMIT_SECONDS = 60;

    /** Creates one in a directory, and replaces an existing one. Takes a second. */
    static BrokerCertificate make(Path directory) {
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        BrokerCertificate made = new BrokerCertificate(
                directory.resolve("broker.p12"), HexFormat.of().formatHex(random), authorityIn(directory));
        try {
            Files.deleteIfExists(made.keyStore);
            Files.deleteIfExists(made.authority);
            made.keytool(key(SIGNER, "-ext", "bc:c=ca:true", "-ext", "ku:c=keyCertSign"));
            made.keytool(key(BROKER, "-signer", SIGNER, "-ext", "san=ip:" + Loopback.NUMBER));
            made.exportAuthority();
        } catch (IOException failure) {
            throw new UncheckedIOException("no certificate for the broker", failure);
        }
        return made;
    }

    /** {@return the place of the authority of a certificate in a directory} */
    static Path authorityIn(Path directory) {
        return directory.resolve("authority.pem");
    }

    /** Writes the authority's certificate to a file and deletes its key. */
    private void exportAuthority() throws IOException {
        char[] secret = password.toCharArray();
        try {
            KeyStore store = KeyStore.getInstance(keyStore.toFile(), secret);
            Base64.Encoder lines = Base64.getMimeEncoder(64, new byte[] {'\n'});
            String text = lines.encodeToString(store.getCertificate(SIGNER).getEncoded());
            Files.writeString(authority, "-----BEGIN CERTIFICATE-----\n" + text + "\n-----END CERTIFICATE-----\n");
            store.deleteEntry(SIGNER);
            try (OutputStream out = Files.newOutputStream(keyStore)) {
                store.store(out, secret);
            }
        } catch (GeneralSecurityException failure) {
            throw new EmbeddedKafkaException("no certificate for the broker", failure);
        }
    }

    private static List<String> key(String name, String... further) {
        List<String> arguments = new ArrayList<>(List.of("-genkeypair", "-alias", name, "-dname", "CN=Baton " + name));
        arguments.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1", "-validity", "365"));
        arguments.addAll(List.of(further));
        return arguments;
    }

    private void keytool(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"));
        command.addAll(arguments);
        command.addAll(List.of("-keystore", keyStore.toString(), "-storetype", "PKCS12"));
        command.addAll(List.of("-storepass:env", PASSWORD_VARIABLE));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put(PASSWORD_VARIABLE, password);
        Process process = builder.start();
        try {
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new EmbeddedKafkaException("keytool created no certificate; its output: " + said.strip());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new EmbeddedKafkaException("interrupted while keytool made a certificate", interrupted);
        } finally {
            process.destroyForcibly();
        }
    }
}
