package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.chronicle.platform.Linux;
import dev.baton.spi.TransportException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinuxTest {
    @ParameterizedTest
    @ValueSource(strings = {"Mac OS X", "Windows 11", "FreeBSD"})
    void topicsAreNotWrittenWhereSpaceCannotBeTakenOrNamesHaveNoCase(String system) {
        assertThatThrownBy(() -> Linux.require(system))
                .isInstanceOf(TransportException.class)
                .hasMessageStartingWith("chronicle writes topics on Linux, and this is " + system)
                .hasMessageEndingWith("use disruptor or kafka");
    }

    @Test
    void theyAreOnLinux() {
        assertThatCode(() -> Linux.require("Linux")).doesNotThrowAnyException();
    }
}
