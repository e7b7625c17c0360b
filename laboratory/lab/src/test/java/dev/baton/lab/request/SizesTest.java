package dev.baton.lab.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SizesTest {
    @TempDir
    private Path temporary;

    private Path file(String content) throws IOException {
        return Files.writeString(temporary.resolve("recorded.csv"), content);
    }

    @Test
    void uniformLengthsCoverTheirRange() {
        int[] lengths = Sizes.of("10..19").lengths(1);
        assertThat(Arrays.stream(lengths).min()).hasValue(10);
        assertThat(Arrays.stream(lengths).max()).hasValue(19);
        assertThat(Arrays.stream(lengths).average().orElseThrow()).isBetween(14.4, 14.6);
    }

    @Test
    void lognormalLengthsHaveTheirMedian() {
        Sizes sizes = Sizes.of("lognormal:256,1.0");
        int[] lengths = sizes.lengths(1);
        Arrays.sort(lengths);
        assertThat(lengths[lengths.length / 2]).isBetween(245, 267);
        assertThat(lengths[(int) (lengths.length * 0.8413)]).isBetween(660, 730); // one sigma above
        assertThat((long) lengths[lengths.length - 1]).isLessThanOrEqualTo(sizes.maxBytes());
    }

    @Test
    void sameSeedDrawsTheSameLengths() {
        Sizes sizes = Sizes.of("1k..2k");
        assertThat(sizes.lengths(7)).isEqualTo(sizes.lengths(7)).isNotEqualTo(sizes.lengths(8));
    }

    @Test
    void fileGivesLengthsInOrder() throws IOException {
        Sizes sizes = Sizes.of("file:" + file("# bytes\n300\n\n100,20\n"));
        assertThat(sizes.lengths(1)).containsExactly(300, 20);
        assertThat(sizes.maxBytes()).isEqualTo(300);
        assertThat(sizes.file().rows()).isEqualTo(2);
    }

    @Test
    void byteOrderMarkIsSkipped() throws IOException {
        assertThat(DataFile.of(file("\uFEFF10,300\n5,20\n"), true).rows()).isEqualTo(2);
        assertThat(Sizes.of("file:" + file("\uFEFF# bytes\n300\n")).lengths(1)).containsExactly(300);
    }

    @Test
    void oneSizeIsNoDistribution() {
        assertThat(Sizes.of("4k")).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"5..", "..5", "9..5", "5..5", "lognormal:", "lognormal:256", "lognormal:0,1", "lognormal:9,x"})
    void malformedDistributionsAreRefusedWithTheGrammar(String typed) {
        assertThatThrownBy(() -> Sizes.of(typed)).hasMessageContaining(Sizes.GRAMMAR);
    }

    @ParameterizedTest
    @ValueSource(strings = {"10,300\nx,5\n", "10,300\n-1,5\n", "10,300\n7\n", "10,300\n1,2,3\n", "10,300\n1,1.5\n"})
    void badRowsAreRefusedWithTheirLine(String content) throws IOException {
        Path file = file(content);
        assertThatThrownBy(() -> DataFile.of(file, true)).hasMessageContaining("line 2: '");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "# nothing\n"})
    void emptyFilesAreRefused(String content) throws IOException {
        Path file = file(content);
        assertThatThrownBy(() -> DataFile.of(file, false)).hasMessageContaining("has no messages");
    }

    @Test
    void changedFileIsRefused() throws IOException {
        DataFile data = DataFile.of(file("1,2\n"), true);
        file("1,3\n");
        assertThatThrownBy(() -> data.read(true)).hasMessageContaining("has changed since the trial was planned");
    }

    @Test
    void missingFileIsNamed() {
        assertThatThrownBy(() -> DataFile.of(temporary.resolve("none"), false))
                .hasMessageContaining(temporary.resolve("none") + " does not exist");
    }
}
