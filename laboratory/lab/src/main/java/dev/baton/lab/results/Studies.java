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

    /** Returns the kinds that have a role. */
    public static <R extends StudyKind> List<R> all(Class<R> role) {
        return ALL.stream().filter(role::isInstance).map(role::cast).toList();
    }

    /** Returns the kind of a study if it has a role. */
    public static <R extends StudyKind> Optional<R> in(Class<R> role, Study study) {
        return all(role).stream()
                .filter(kind -> kind.request() == study.getClass())
                .findFirst();
    }
}
