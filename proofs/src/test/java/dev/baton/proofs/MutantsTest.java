package dev.baton.proofs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.disruptor.RingReuseProof;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that proofs can begin and mutants fit the present sources; {@code proofs/run mutants} checks that proofs detect them. */
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
    void everyMutantFitsItsSource(Mutant mutant) throws Exception {
        assertThat(mutant.changed(ROOT)).contains(mutant.wrong());
    }

    /** The proofs run for a minute; this finds within a second that a class they use has changed. */
    @ParameterizedTest
    @MethodSource("proofs")
    void stateOfEveryProofCanBeCreated(Class<?> proof, @TempDir Path directory) throws Exception {
        System.setProperty("baton.proofs.directory", directory.toString());
        assertThat(proof.getConstructor().newInstance()).isNotNull();
    }

    @Test
    void mutantPrecedesTheRightClass(@TempDir Path classes) throws Exception {
        Mutants.ALL.get(0).compile(ROOT, classes);
        assertThat(classes.resolve("dev/baton/disruptor/RingWriter.class")).isNotEmptyFile();
    }

    @Test
    void outdatedMutantReportsItsText() {
        Mutant old = new Mutant("old", RingReuseProof.class, Mutants.ALL.get(0).source(), "no such line", "", false);
        assertThatThrownBy(() -> old.changed(ROOT)).hasMessageContaining("does not hold:\nno such line");
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
