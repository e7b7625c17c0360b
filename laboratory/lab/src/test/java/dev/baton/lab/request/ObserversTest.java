package dev.baton.lab.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lab.request.Observers.Stages;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ObserversTest {
    @ParameterizedTest
    @CsvSource({
        "true, AUTO, 1, 1000, 1",
        "true, AUTO, 1, 10000, 1",
        "true, AUTO, 1, 100000, 64",
        "true, AUTO, 1, max, 0",
        "true, AUTO, 2, 1000, 0",
        "true, ON, 1, max, 64",
        "true, ON, 1000, 1000, 1",
        "true, OFF, 1, 1000, 0",
        "false, ON, 1, 1000, 0",
    })
    void messagesAreTimedWhereThatDoesNotShow(boolean isOn, Stages stages, int instances, String rate, int oneOf) {
        Load load = rate.equals("max") ? Load.saturating(1) : new Load(Double.parseDouble(rate), Load.Arrivals.EVEN, 1);

        assertThat(new Observers(isOn, 99.9, stages).timesOneOf(new Shape(5, instances, 0), load))
                .isEqualTo(oneOf);
    }

    @ParameterizedTest
    @CsvSource({"49.9", "100", "NaN", "-1"})
    void invalidTailIsRefusedWithRange(double percentile) {
        assertThatThrownBy(() -> new Observers(true, percentile, Stages.AUTO))
                .hasMessage("tail percentile " + percentile + " is out of range; 50.0 to 99.9999");
    }

    @Test
    void planWithoutObserversUsesDefaults() {
        assertThat(Observers.USUAL).isEqualTo(new Observers(true, 99.9, Stages.AUTO));
    }
}
