package dev.baton.lab.study.density;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.baton.lab.results.Headline;
import dev.baton.operations.terminal.Terminal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChainCostTest {
    private static CorePrice price(String typed) {
        return new CorePrice.Converter().convert(typed);
    }

    @Test
    void thePublishedChainsCostAFiveHundredth() {
        ChainCost many = new ChainCost(500, 7);

        assertThat(many.relativeTo(new ChainCost(1, 7))).isCloseTo(0.002, within(1e-12));
        assertThat(many.perHour(1_000, 0.04)).isCloseTo(0.56, within(1e-12));
        assertThatThrownBy(() -> new ChainCost(0, 7)).hasMessageContaining("0 chains on 7 cores");
    }

    @ParameterizedTest
    @CsvSource({
        "0.04, 0.0560",
        "0.04 EUR, 0.0560 EUR",
        "0.04EUR, 0.0560 EUR",
        "$0.04, $0.0560",
        "CHF 0.04, CHF 0.0560",
        "0.04 €, 0.0560 €"
    })
    void anyCurrencyIsTakenAsTyped(String typed, String text) {
        assertThat(price(typed).amount()).isEqualTo(0.04);
        assertThat(price(typed).text(0.056)).isEqualTo(text);
        assertThat(price(typed).text(1_234.5)).startsWith(text.replaceAll("0\\.0560.*", "") + "1,235");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "EUR", "0", "0.0", "-1", "1e3", "$1 EUR", "1,5", "NaN", "0.04 a very long currency", "1\n"})
    void invalidPriceIsRefused(String typed) {
        if (typed.isBlank() || !typed.equals("1\n")) {
            assertThatThrownBy(() -> price(typed)).hasMessageContaining("is not a price above 0");
        } else {
            assertThat(price(typed).amount()).isEqualTo(1); // a line's end is no currency
        }
    }

    @Test
    void tableHasPricesBoundsAndProvisionalMarks() {
        Contender found = Searches.contender("kafka", "baton", 8, 1_000, null);
        Contender bound = Searches.contender("chronicle", "baton", 8, 32, null);
        Searches searches = new Searches();
        searches.run(
                List.of(found, bound),
                Duration.ofHours(24),
                plan -> Searches.holding(plan, plan.subject().transport().equals("kafka") ? 10 : 1_000));
        String report = String.join(
                "\n",
                DensityReport.lines(
                        List.of(found, bound),
                        price("0.04 EUR"),
                        Path.of("/results/density-1"),
                        new Terminal(false, false, 140, false)));

        assertThat(report)
                .contains("cost at 0.04 EUR for a core and hour")
                .containsPattern("kafka, baton +10 +2 +5\\.00 +0\\.10000 +100 % +8\\.00 EUR +125")
                .containsPattern(
                        "chronicle, baton +>= 32 +2 +>= 16\\.0 +<= 0\\.03125 +<= 31\\.[23] % +<= 2\\.50 EUR +>= 400")
                .containsPattern("kafka elsewhere +1 +7 +0\\.143 +1\\.00000 +100 % +- +-")
                .containsPattern("chronicle elsewhere +500 +7 +71\\.4 +0\\.00200 +0\\.2");
        assertThat(DensityReport.headline(List.of(found), price("0.04 EUR")).toString())
                .contains(
                        "Cost, kafka, baton: 5.00 chains per core (2 cores), normalised (1 / chains) 0.10000; at 0.04 EUR"
                                + " for a core and hour a thousand chains cost 8.00 EUR an hour.");
        assertThat(DensityReport.headline(List.of(found, bound), price("0.04 EUR"))
                        .costs())
                .containsExactly(
                        new Headline.Cost("kafka, baton", 10, 2, false, true, false, 8.0, "EUR"),
                        new Headline.Cost("chronicle, baton", 32, 2, true, true, false, 2.5, "EUR"),
                        new Headline.Cost("kafka elsewhere", 1, 7, false, true, true, null, null),
                        new Headline.Cost("chronicle elsewhere", 500, 7, false, true, true, null, null));
    }
}
