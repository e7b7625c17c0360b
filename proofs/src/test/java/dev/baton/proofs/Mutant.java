package dev.baton.proofs;

import dev.baton.simulation.defects.MethodChange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * One defect of the engine, which a proof has to detect: the changed class is found before the right one. So a proof that could not fail is
 * detected. Immutable, thread-safe.
 *
 * @param name description of the defect
 * @param proof the class that has to fail
 * @param isHidden whether processors that keep the order of stores, as x86 does, hide it
 * @param changes what methods do otherwise
 */
record Mutant(String name, Class<?> proof, boolean isHidden, List<MethodChange> changes) {
    static Mutant of(String name, Class<?> proof, MethodChange... changes) {
        return new Mutant(name, proof, false, List.of(changes));
    }

    /** Returns the defect as one that the order of stores hides. */
    Mutant hidden() {
        return new Mutant(name, proof, true, changes);
    }

    /**
     * Writes the changed classes.
     *
     * @param classes a directory for the result
     * @throws IllegalStateException if a class has no place for its change any more
     */
    void write(Path classes) throws IOException {
        for (var changed : MethodChange.applied(changes).entrySet()) {
            Path file = classes.resolve(changed.getKey().replace('.', '/') + ".class");
            Files.createDirectories(file.getParent());
            Files.write(file, changed.getValue());
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
