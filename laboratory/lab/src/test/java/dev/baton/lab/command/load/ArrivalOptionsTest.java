package dev.baton.lab.command.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lab.request.Load;
import dev.baton.lab.request.Load.Arrivals;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ArrivalOptionsTest {
    private static final Load STEADY = new Load(1_000, Arrivals.EVEN, 7);

    private static ArrivalOptions typed(String... words) {
        ArrivalOptions options = new ArrivalOptions();
        new CommandLine(options).parseArgs(words);
        return options;
    }

    @Test
    void sendTimesAreEvenByDefault() {
        assertThat(typed().of(STEADY)).isEqualTo(STEADY);
        assertThat(typed("--arrivals", "steady").of(STEADY)).isEqualTo(STEADY);
    }

    @Test
    void arrivalsKeepRateAndSeed() {
        assertThat(typed("--arrivals", "poisson").of(STEADY)).isEqualTo(new Load(1_000, Arrivals.POISSON, 7));
        assertThat(typed("--arrivals", "bursts").of(STEADY)).isEqualTo(STEADY.arriving(Arrivals.BURSTS, 10));
        assertThat(typed("--arrivals", "bursts:250").of(STEADY).burst()).isEqualTo(250);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "burst", "bursts:", "bursts:1", "bursts:10001", "bursts:x", "bursts:-5", "Poisson"})
    void otherWordsAreRefusedWithTheGrammar(String words) {
        assertThatThrownBy(() -> typed("--arrivals", words))
                .hasMessageContaining("steady, poisson or bursts:N with N from 2 to 10000");
    }

    @Test
    void saturationHasNoArrivals() {
        assertThat(typed().of(Load.saturating(1))).isEqualTo(Load.saturating(1));
        assertThatThrownBy(() -> typed("--arrivals", "poisson").of(Load.saturating(1)))
                .hasMessageContaining("--rate max has none");
    }
}
