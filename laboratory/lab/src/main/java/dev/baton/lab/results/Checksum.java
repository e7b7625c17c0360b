package dev.baton.lab.results;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The SHA-256 of a file, in lower-case hexadecimal. Stateless, thread-safe. */
public final class Checksum {
    private static final int BUFFER_BYTES = 1 << 16;

    private Checksum() {}

    /** Reads the whole file. */
    public static String of(Path file) throws IOException {
        MessageDigest digest = sha256();
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
            byte[] buffer = new byte[BUFFER_BYTES];
            while (in.read(buffer) >= 0) {
                // the digest has seen it
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    public static byte[] of(byte[] bytes) {
        return sha256().digest(bytes);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }
}
