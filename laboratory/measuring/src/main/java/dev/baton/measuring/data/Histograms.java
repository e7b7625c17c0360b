package dev.baton.measuring.data;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.Histogram;

/**
 * The whole histograms of a trial, each as base64 of HdrHistogram's compressed V2 form. Null: an earlier version did not
 * keep it; the interval log has it.
 */
public record Histograms(String response, String service, String sendDelay) {
    private static final long LOWEST_HIGHEST = 2;

    /** Encodes three histograms in nanoseconds, which must not change meanwhile. */
    public static Histograms of(AbstractHistogram response, AbstractHistogram service, AbstractHistogram sendDelay) {
        return new Histograms(encoded(response), encoded(service), encoded(sendDelay));
    }

    static String encoded(AbstractHistogram histogram) {
        ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(bytes);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
    }

    /**
     * Decodes one of them; any program with HdrHistogram can do that.
     *
     * @throws IllegalArgumentException when the text is no histogram
     */
    public static Histogram decoded(String text) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(text));
            return Histogram.decodeFromCompressedByteBuffer(bytes, LOWEST_HIGHEST);
        } catch (DataFormatException | RuntimeException malformed) {
            throw new IllegalArgumentException(
                    "not a compressed histogram"
                            + (malformed.getMessage() == null ? "" : ": " + malformed.getMessage()),
                    malformed);
        }
    }
}
