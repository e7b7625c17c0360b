package dev.baton.aeron.recording;

import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.archive.client.AeronArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordingDescriptorTest {
    private static final int TERM = 64 << 10;

    private static String defect(long start, long stop, int segment, int term, int mtu) {
        return new RecordingDescriptor("baton-topic;t;", 7, 0, start, stop, 3, segment, term, mtu, 1, 2).defect();
    }

    @Test
    void valuesThatAeronWritesAreAccepted() {
        assertThat(defect(0, 0, TERM, TERM, 1408)).isNull();
        assertThat(defect(TERM, TERM + 32, 4 * TERM, TERM, TERM / 8)).isNull();
        assertThat(defect(32, AeronArchive.NULL_POSITION, TERM, TERM, 32)).isNull();
        assertThat(defect(0, (long) Integer.MAX_VALUE * TERM, TERM, TERM, 1408)).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 64, 65536, 65537, 1408, terms of 65537",
        "0, 64, 65536, 0, 1408, terms of 0",
        "0, 64, 65536, 65536, 1416, an MTU of 1416",
        "0, 64, 65536, 65536, 0, an MTU of 0",
        "0, 64, 65536, 65536, 8224, an MTU of 8224",
        "0, 64, 32768, 65536, 1408, segments of 32768",
        "0, 64, 65540, 65536, 1408, segments of 65540",
        "-32, 64, 65536, 65536, 1408, a start at -32",
        "33, 64, 65536, 65536, 1408, a start at 33",
        "140737488355328, 140737488355328, 65536, 65536, 1408, a start at 140737488355328",
        "64, 32, 65536, 65536, 1408, an end at 32",
        "0, 65, 65536, 65536, 1408, an end at 65",
        "0, 140737488355328, 65536, 65536, 1408, an end at 140737488355328"
    })
    void otherValuesAreNamed(long start, long stop, int segment, int term, int mtu, String wrong) {
        assertThat(defect(start, stop, segment, term, mtu)).contains("recording 7", "baton-topic;t;", wrong);
    }
}
