package dev.baton.engine.message;

import dev.baton.Claim;
import dev.baton.ConfigurationException;
import dev.baton.Serde;
import java.nio.BufferOverflowException;

/** Encodes values and reports codecs that return invalid lengths. Stateless. */
public final class Encoding {
    private Encoding() {}

    /** Returns the maximum number of bytes that the codec needs for a value. */
    public static <T> int maxLength(Serde<T> codec, T value) {
        if (codec == null) {
            throw new ConfigurationException("codec must not be null");
        }
        int maxLength;
        try {
            maxLength = codec.maxLength(value);
        } catch (UnsupportedOperationException unsupported) {
            throw cannotEncode(codec, unsupported);
        }
        if (maxLength < 0) {
            throw new ConfigurationException("codec " + codec.getClass().getName() + ": maxLength returned " + maxLength
                    + "; 0 or more is allowed");
        }
        return maxLength;
    }

    /** Encodes a value into a claim of its {@link #maxLength} and commits it, or aborts it on failure. */
    public static <T> void send(Claim claim, T value, Serde<T> codec) {
        try {
            int length = encode(codec, value, claim);
            claim.type(codec.type()).commit(length);
        } finally {
            claim.abort(); // no effect after a commit: aborts the claim only if the encoder threw
        }
    }

    /** Writes a value into a claim of its {@link #maxLength}; returns the number of bytes used. */
    public static <T> int encode(Serde<T> codec, T value, Claim into) {
        int length;
        try {
            length = codec.encode(value, into);
        } catch (UnsupportedOperationException unsupported) {
            throw cannotEncode(codec, unsupported);
        } catch (IndexOutOfBoundsException | BufferOverflowException e) {
            throw new ConfigurationException(
                    "codec " + codec.getClass().getName() + ": encode wrote beyond the " + into.maxLength()
                            + " bytes of its maxLength",
                    e);
        }
        if (length < 0 || length > into.maxLength()) {
            throw new ConfigurationException("codec " + codec.getClass().getName() + ": encode returned " + length
                    + "; 0 to " + into.maxLength() + ", its maxLength, are allowed");
        }
        return length;
    }

    private static ConfigurationException cannotEncode(Serde<?> codec, UnsupportedOperationException thrown) {
        return new ConfigurationException(
                "codec " + codec.getClass().getName() + " cannot encode: " + thrown.getMessage(), thrown);
    }
}
