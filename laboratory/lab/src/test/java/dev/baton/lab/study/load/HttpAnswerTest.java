package dev.baton.lab.study.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpAnswerTest {
    private static final String HELLO = "HTTP/1.1 200 OK\r\nDate: now\r\nContent-length: 5\r\n\r\nhello";

    private final HttpAnswer answer = new HttpAnswer(0);

    /** Bytes as they come from a connection. */
    private boolean takes(byte[] bytes) {
        boolean isComplete = false;
        int from = 0;
        while (from < bytes.length) {
            int count = Math.min(answer.room().remaining(), bytes.length - from);
            answer.room().put(bytes, from, count);
            isComplete = answer.took(count);
            from += count;
        }
        return isComplete;
    }

    private boolean takes(String text) {
        return takes(ascii(text));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 49, 50, 51})
    void anAnswerMayComeInAnyPieces(int length) {
        for (int from = 0; from < HELLO.length(); from += length) {
            String piece = HELLO.substring(from, Math.min(HELLO.length(), from + length));
            assertThat(takes(piece)).isEqualTo(from + length >= HELLO.length());
        }
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.isSuccess()).isTrue();
        assertThat(answer.isBody(ascii("hello"))).isTrue();
        assertThat(answer.isBody(ascii("hellO"))).isFalse();
        assertThat(answer.isBody(ascii("hell"))).isFalse();
    }

    @Test
    void theNextOneStartsAfresh() {
        assertThat(takes(HELLO)).isTrue();
        answer.clear();
        assertThat(takes("HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"))
                .isTrue();
        assertThat(answer.isSuccess()).isFalse();
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.isClosing()).isTrue();
    }

    @Test
    void longBodyIsCountedToItsEnd() {
        int length = 3 * HttpAnswer.KEPT_BYTES;
        assertThat(takes("HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n"))
                .isFalse();
        assertThat(takes(new byte[length - 1])).isFalse();
        assertThat(takes(new byte[1])).isTrue();
        assertThat(answer.isBody(new byte[length])).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SSH-2.0-OpenSSH\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
                "HTTP/1.1 200 OK\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nab"
            })
    void invalidAnswerIsReported(String text) {
        assertThatThrownBy(() -> takes(text))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("answer");
    }
}
