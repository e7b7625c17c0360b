package dev.baton.lab.launch.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JvmProbeTest {
    @Test
    void defaultSafepointIntervalIsFound() {
        String value = JvmProbe.flag(JvmChoice.current(), "GuaranteedSafepointInterval");
        int feature = Runtime.version().feature();
        if (feature == 17) {
            assertThat(value).isEqualTo("1000");
        } else if (feature == 25) {
            assertThat(value).isEqualTo("0");
        } else {
            assertThat(value).matches("\\d+");
        }
        assertThat(JvmProbe.flag(JvmChoice.current(), "NoSuchFlag")).isNull();
    }
}
