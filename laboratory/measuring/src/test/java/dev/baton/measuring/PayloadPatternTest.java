package dev.baton.measuring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadPatternTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8, 9, 16, 23, 100})
    void anyAlteredByteIsSeen(int length) {
        PayloadPattern pattern = new PayloadPattern(length, 3);
        byte[] payload = new byte[length];
        pattern.write(12, payload, 0);

        assertThat(pattern.matches(12, payload)).isTrue();
        for (int i = 0; i < length; i++) {
            byte right = payload[i];
            payload[i] ^= 0x10;
            assertThat(pattern.matches(12, payload)).isFalse();
            payload[i] = right;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 16, 23})
    void foreignPayloadIsDetected(int length) {
        PayloadPattern pattern = new PayloadPattern(length, 3);
        byte[] payload = new byte[length];
        pattern.write(12, payload, 0);

        assertThat(pattern.matches(13, payload)).isFalse();
        assertThat(new PayloadPattern(length, 4).matches(12, payload)).isFalse();
    }
}
