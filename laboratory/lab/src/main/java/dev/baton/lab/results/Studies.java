package dev.baton.lab.results;

import dev.baton.lab.request.Study;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** The registry: every {@link StudyKind} on the class path, in the order in which they are named. Thread-safe. */
public final class Studies {
    private static final List<StudyKind> ALL = ServiceLoader.load(StudyKind.class).stream()
            .map(ServiceLoader.Provider::get)
            .toList();

    private Studies() {}

    public static List<StudyKind> all() {
        return ALL;
    }

    /** Returns the implementation of a role by a study's kind. */
    public static <R> Optional<R> in(Class<R> role, Study study) {
        return ALL.stream()
                .filter(kind -> kind.request() == study.getClass() && role.isInstance(kind))
                .findFirst()
                .map(role::cast);
    }
}
