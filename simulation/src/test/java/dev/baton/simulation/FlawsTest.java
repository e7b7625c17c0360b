package dev.baton.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The planted flaws fit the classes as they are. */
class FlawsTest {
    static List<Flaw> flaws() {
        return Flaws.ALL;
    }

    @ParameterizedTest
    @MethodSource("flaws")
    void everyFlawFitsItsClass(Flaw flaw) throws Exception {
        assertThat(flaw.classes()).isNotEmpty();
    }
}
