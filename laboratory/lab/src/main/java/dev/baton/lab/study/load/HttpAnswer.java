package dev.baton.lab.study.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * One HTTP/1.1 answer, read from a connection in pieces: its status, and as much of its body as fits the buffer. It supports only answers
 * that contain their length. Confined to one thread.
 */
final class HttpAnswer {
    /** Head and body that are looked at, besides an expected body; a longer body is counted and dropped. */
    static final int KEPT_BYTES = 16 * 1024;

    private static final String LENGTH = "content-length:";
    private static final String CHUNKED = "transfer-encoding:";
    private static final String CLOSES = "connection: close";
    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;

    private final ByteBuffer kept;
    private int status;
    private int bodyStart = -1; // -1: the head is not complete
    private long bodyLength;
    private long bodySeen;
    private boolean isClosing;

    /**
     * Creates an answer.
     *
     * @param expectedBytes length of the longest body that {@link #isBody} compares, if that is longer than what is kept anyway
     */
    HttpAnswer(int expectedBytes) {
        kept = ByteBuffer.allocate(Math.addExact(KEPT_BYTES, expectedBytes));
    }

    /** {@return the buffer for the next bytes of a connection} */
    ByteBuffer room() {
        if (bodyStart >= 0 && !kept.hasRemaining()) {
            kept.position(bodyStart); // a body that nobody compares
        }
        return kept;
    }

    /**
     * Looks at what came.
     *
     * @param count bytes that were put into {@link #room}
     * @return whether the answer is complete
     * @throws IllegalStateException when it is no answer that can be understood, in words for a person
     */
    boolean took(int count) {
        if (bodyStart >= 0) {
            bodySeen += count;
        } else {
            findBody();
        }
        if (bodyStart >= 0 && bodySeen > bodyLength) {
            throw new IllegalStateException(
                    "an answer of " + bodySeen + " bytes where its header announced " + bodyLength);
        }
        return bodyStart >= 0 && bodySeen == bodyLength;
    }

    private void findBody() {
        byte[] bytes = kept.array();
        for (int i = 3; i < kept.position(); i++) {
            if (bytes[i] == '\n' && bytes[i - 1] == '\r' && bytes[i - 2] == '\n' && bytes[i - 3] == '\r') {
                readHead(new String(bytes, 0, i - 3, StandardCharsets.ISO_8859_1));
                bodyStart = i + 1;
                bodySeen = kept.position() - bodyStart;
                return;
            }
        }
        if (!kept.hasRemaining()) {
            throw new IllegalStateException("the head of an answer is longer than " + kept.capacity() + " bytes");
        }
    }

    private void readHead(String head) {
        String[] lines = head.split("\r\n");
        if (!lines[0].matches("HTTP/1\\.[01] [1-5][0-9]{2}.*")) {
            throw new IllegalStateException("the response is no HTTP/1.1 answer: '" + shortened(lines[0]) + "'");
        }
        status = Integer.parseInt(lines[0].substring(9, 12));
        bodyLength = status == NO_CONTENT || status == NOT_MODIFIED ? 0 : -1;
        isClosing = false;
        for (String line : lines) {
            String lower = line.toLowerCase(Locale.ROOT);
            if (lower.startsWith(LENGTH)) {
                bodyLength = Long.parseLong(lower.substring(LENGTH.length()).trim());
            } else if (lower.startsWith(CHUNKED)) {
                throw new IllegalStateException("an answer in chunks; this client understands Content-Length alone");
            }
            isClosing |= lower.equals(CLOSES);
        }
        if (bodyLength < 0) {
            throw new IllegalStateException("an answer without Content-Length");
        }
    }

    private static String shortened(String line) {
        return line.length() <= 40 ? line : line.substring(0, 40) + "...";
    }

    int status() {
        return status;
    }

    boolean isSuccess() {
        return status / 100 == 2;
    }

    /** {@return whether the server closes the connection after this answer} */
    boolean isClosing() {
        return isClosing;
    }

    /** {@return whether the body is exactly this} */
    boolean isBody(byte[] expected) {
        if (bodyLength != expected.length || bodyStart + bodyLength > kept.capacity()) {
            return false;
        }
        return Arrays.equals(kept.array(), bodyStart, bodyStart + expected.length, expected, 0, expected.length);
    }

    /** Ready for the next one. */
    void clear() {
        kept.clear();
        bodyStart = -1;
        bodySeen = 0;
        bodyLength = 0;
        status = 0;
    }
}
