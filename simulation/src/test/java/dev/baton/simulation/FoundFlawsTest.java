package dev.baton.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulator finds each planted flaw. */
@Tag("long")
class FoundFlawsTest {
    private static final int SCHEDULES = 80_000;

    static List<Flaw> flaws() {
        return Flaws.ALL;
    }

    @ParameterizedTest
    @MethodSource("flaws")
    void everyFlawIsFound(Flaw flaw) throws Exception {
        assertThat(FlawedClasses.hunt(flaw, flaw.firstSeed(), SCHEDULES))
                .as(flaw.name())
                .isNotNull();
    }
}
