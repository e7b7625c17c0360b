package dev.baton.spi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WriterSuccessionTest {
    @Test
    void framesOfAReplacedWriterDoNotCountBehindTheMarkerOfItsSuccessor() {
        WriterSuccession succession = new WriterSuccession(0);
        succession.marker(10);
        assertThat(succession.accepts(10)).isTrue();
        succession.marker(20);
        assertThat(succession.accepts(10)).isFalse();
        assertThat(succession.accepts(20)).isTrue();
        assertThat(succession.accepts(10)).isFalse();
        assertThat(succession.owner()).isEqualTo(20);
        assertThat(succession.dropped()).isEqualTo(2);
    }

    @Test
    void theMarkerOfANewerWriterMayHaveBeenRemoved() {
        WriterSuccession succession = new WriterSuccession(0);
        assertThat(succession.accepts(10)).isTrue();
        assertThat(succession.accepts(20)).isTrue();
        assertThat(succession.accepts(10)).isFalse();
    }

    @Test
    void aStoredPositionNamesTheWriterOfBefore() {
        WriterSuccession succession = new WriterSuccession(20);
        assertThat(succession.accepts(10)).isFalse();
        assertThat(succession.accepts(20)).isTrue();
    }
}
