package dev.baton.proofs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that proofs can begin and mutants fit the present classes; {@code proofs/run mutants} checks that proofs detect them. */
class MutantsTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    static List<Mutant> mutants() {
        return Mutants.ALL;
    }

    static Stream<Class<?>> proofs() {
        return Mutants.ALL.stream().<Class<?>>map(Mutant::proof).distinct();
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void everyMutantFitsItsClass(Mutant mutant, @TempDir Path classes) throws Exception {
        mutant.write(classes);
        assertThat(classes).isNotEmptyDirectory();
    }

    /** The proofs run for a minute; this finds within a second that a class they use has changed. */
    @ParameterizedTest
    @MethodSource("proofs")
    void stateOfEveryProofCanBeCreated(Class<?> proof, @TempDir Path directory) throws Exception {
        System.setProperty("baton.proofs.directory", directory.toString());
        assertThat(proof.getConstructor().newInstance()).isNotNull();
    }

    @Test
    void everyProofHasAVisibleMutant() throws Exception {
        try (Stream<Path> sources = Files.walk(ROOT.resolve("proofs/src/test/java"))) {
            List<String> proofs = sources.map(path -> path.getFileName().toString())
                    .filter(name -> name.endsWith("Proof.java"))
                    .map(name -> name.replace(".java", ""))
                    .toList();
            assertThat(Mutants.ALL.stream()
                            .filter(mutant -> !mutant.isHidden())
                            .map(mutant -> mutant.proof().getSimpleName())
                            .distinct())
                    .containsExactlyInAnyOrderElementsOf(proofs);
        }
    }
}
