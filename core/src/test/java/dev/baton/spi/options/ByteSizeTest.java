package dev.baton.spi.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {
    private static final int TRIES = 20_000;

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "256, 256",
        "4k, 4096",
        "4K, 4096",
        "1.5k, 1536",
        "64m, 67108864",
        "64M, 67108864",
        "2g, 2147483648",
        "007, 7",
        "9223372036854775807, 9223372036854775807",
    })
    void aSizeIsReadWithItsUnit(String text, long bytes) {
        assertThat(ByteSize.parse(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "k",
                "-1",
                "+1",
                "1 k",
                " 1",
                "1\n",
                "1kb",
                "1t",
                "0x10",
                "1e3",
                "1_000",
                "1,000",
                ".5k",
                "1.k",
                "0.3",
                "1.0001k",
                "\uff11",
                "\u0663",
                "1\u212a",
                "9223372036854775808",
                "9007199254740992k",
                "8589934592g",
                "99999999999999999999"
            })
    void whatIsNoSizeIsRefusedWithAnExample(String text) {
        assertThatThrownBy(() -> ByteSize.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'" + text + "' is not a size; write one such as 256, 4k, 64m or 2g");
    }

    @Test
    void shownSizesReadBackUnchanged() {
        Random random = new Random(1);
        for (int i = 0; i < TRIES; i++) {
            long bytes = (random.nextLong() >>> 1 + random.nextInt(63)) << random.nextInt(31) & Long.MAX_VALUE;
            String text = ByteSize.text(bytes);
            assertThat(ByteSize.parse(text)).as(text).isEqualTo(bytes);
            assertThat(ByteSize.parse(Long.toString(bytes))).isEqualTo(bytes);
        }
    }

    @Test
    void unitsAreExactOrTheSizeIsRefused() {
        Random random = new Random(2);
        for (int i = 0; i < TRIES; i++) {
            long number = random.nextLong() >>> 1 + random.nextInt(63);
            int unit = random.nextInt(4);
            BigInteger bytes = BigInteger.valueOf(number).shiftLeft(10 * unit);
            String text = number + " kmg".substring(unit, unit + 1).trim();
            for (String typed : new String[] {text, text.toUpperCase(Locale.ROOT)}) {
                if (bytes.bitLength() < Long.SIZE) {
                    assertThat(ByteSize.parse(typed)).as(typed).isEqualTo(bytes.longValueExact());
                } else {
                    assertThatThrownBy(() -> ByteSize.parse(typed)).hasMessageContaining(typed);
                }
            }
        }
    }

    @Test
    void anyTextIsReadOrRefused() {
        String alphabet = "0123456789kmgKMG.-+ eEx,_\n\u0000\uff11\u212a\ud83d";
        Random random = new Random(3);
        for (int i = 0; i < TRIES; i++) {
            StringBuilder text = new StringBuilder();
            for (int length = random.nextInt(24); length > 0; length--) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            try {
                assertThat(ByteSize.parse(text.toString())).isNotNegative();
                assertThat(text.toString()).matches("[0-9.]+[kmgKMG]?");
            } catch (IllegalArgumentException refused) {
                assertThat(refused).hasMessageContaining("'" + text + "' is not a size");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1023, 1023", "1024, 1k", "1536, 1536", "262144, 256k", "1073741824, 1g", "1099511627776, 1024g"
    })
    void largestUnitWithWholeNumberIsShown(long bytes, String text) {
        assertThat(ByteSize.text(bytes)).isEqualTo(text);
    }

    @Test
    void rangesAreShownAsSizesAreTyped() {
        assertThat(ByteSize.range(0, 1 << 20)).isEqualTo("0 to 1m bytes");
        assertThatThrownBy(() -> ByteSize.text(-1)).hasMessageContaining("-1");
    }
}
