package dev.baton.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulator finds each planted flaw. */
@Tag("long")
class FoundFlawsTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final int SCHEDULES = 80_000;

    static List<Flaw> flaws() {
        return Flaws.ALL;
    }

    @ParameterizedTest
    @MethodSource("flaws")
    void everyFlawIsFound(Flaw flaw) throws Exception {
        assertThat(FlawedClasses.hunt(flaw, ROOT, flaw.firstSeed(), SCHEDULES))
                .as(flaw.name())
                .isNotNull();
    }
}
