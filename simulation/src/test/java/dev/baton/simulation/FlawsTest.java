package dev.baton.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The planted flaws fit the sources as they are. */
class FlawsTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    static List<Flaw> flaws() {
        return Flaws.ALL;
    }

    @ParameterizedTest
    @MethodSource("flaws")
    void everyFlawFitsItsSource(Flaw flaw) throws Exception {
        assertThat(flaw.changed(ROOT)).isNotEmpty();
    }
}
