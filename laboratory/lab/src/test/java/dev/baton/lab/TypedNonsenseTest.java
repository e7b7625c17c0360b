package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What fuzzing found: a number that fills the memory when it is written out, a word that takes minutes to look through. */
@Timeout(30)
class TypedNonsenseTest {
    private final FakeLaboratory laboratory = new FakeLaboratory(Void.class);

    @ParameterizedTest
    @ValueSource(strings = {"1e999999999", "-1e999999999", "1e-999999999", "1e2147483647k", "1e-2147483647"})
    void hugeNumberIsRefused(String number) {
        assertThat(laboratory.run("chain", "--transport", "plain", "--instances", number))
                .isEqualTo(2);
        assertThat(laboratory.complaints()).singleElement().asString().contains("is not a number");
    }

    @Test
    void longWordIsCheckedQuickly() {
        String word = "x".repeat(1_000_000);
        assertThat(laboratory.run("chain", "--no-such-option", word)).isEqualTo(2);
        assertThat(laboratory.run("chain", "--no-such-option", "pwd".repeat(300_000)))
                .isEqualTo(2);
        assertThat(laboratory.run("chain", "--no-such-option", word + "://" + word))
                .isEqualTo(2);
    }
}
