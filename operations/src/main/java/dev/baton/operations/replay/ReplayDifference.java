package dev.baton.operations.replay;

import dev.baton.spi.support.Causes;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A difference between a replay and what it is compared with. Immutable, thread-safe.
 *
 * @param expected recorded output, or output of the other build; null for none
 * @param replayed output of the replay; null for none
 * @param thrown description of the exception that the service threw; null for none
 */
public record ReplayDifference(MessageCopy expected, MessageCopy replayed, String thrown) {
    /** The kinds of differences. */
    public enum Kind {
        /** Only the payloads differ. */
        PAYLOAD("payload changed"),
        /** The types differ. */
        TYPE("type changed"),
        /** The keys differ. */
        KEY("key changed"),
        /** The replay did not send this output. */
        MISSING("output missing"),
        /** Only the replay sent this output. */
        ADDITIONAL("additional output"),
        /** The service threw an exception that stopped it. */
        THROWN("service threw");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        /** {@return the kind as reports name it} */
        public String text() {
            return text;
        }
    }

    /** {@return the first of the kinds that applies} */
    public Kind kind() {
        if (thrown != null) {
            return Kind.THROWN;
        }
        if (expected == null || replayed == null) {
            return expected == null ? Kind.ADDITIONAL : Kind.MISSING;
        }
        if (expected.type() != replayed.type()) {
            return Kind.TYPE;
        }
        return Arrays.equals(expected.key(), replayed.key()) ? Kind.PAYLOAD : Kind.KEY;
    }

    /**
     * Returns the difference of two outputs. Where one side lacks an output, only the other is kept: the next output of the lacking side
     * answers a later input.
     */
    static ReplayDifference between(MessageCopy expected, MessageCopy replayed) {
        int order = expected == null || replayed == null ? 0 : expected.compareCause(replayed);
        return new ReplayDifference(order > 0 ? null : expected, order < 0 ? null : replayed, null);
    }

    /** Returns the difference of a service that threw at an input. */
    static ReplayDifference thrown(Throwable thrown) {
        List<Throwable> causes = Causes.of(thrown);
        Throwable cause = causes.get(causes.size() - 1);
        return new ReplayDifference(null, null, thrown.getMessage() + (cause == thrown ? "" : ": " + cause));
    }

    /**
     * {@return the fields whose values differ, with the expected and the replayed value} Empty unless both outputs are decoded
     * values of one class. A field that is not accessible by reflection is not compared.
     */
    public Map<String, Change> changes() {
        Map<String, Change> changes = new LinkedHashMap<>();
        Object before = expected == null ? null : expected.value();
        Object after = replayed == null ? null : replayed.value();
        if (before != null && after != null && before.getClass() == after.getClass()) {
            for (Field field : before.getClass().getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && field.trySetAccessible()) {
                    Change change = new Change(value(field, before), value(field, after));
                    if (!Objects.deepEquals(change.expected(), change.replayed())) {
                        changes.put(field.getName(), change);
                    }
                }
            }
        }
        return changes;
    }

    /**
     * The values of a field that differ. Immutable if the values are.
     *
     * @param expected value in the expected output
     * @param replayed value in the replayed output
     */
    public record Change(Object expected, Object replayed) {}

    private static Object value(Field field, Object owner) {
        try {
            return field.get(owner);
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible); // it was made accessible
        }
    }

    /** {@return the input that led to the outputs, the older one if they answer two; 0 if it is not known} */
    public long cause() {
        if (expected == null || replayed == null) {
            return expected == null ? replayed == null ? 0 : replayed.cause() : expected.cause();
        }
        return Math.min(expected.cause(), replayed.cause());
    }

    /** {@return whether a second replay had the same difference} */
    boolean isRepeatedBy(ReplayDifference again) {
        return again != null
                && (replayed == null ? again.replayed == null : replayed.isSame(again.replayed))
                && (expected == null ? again.expected == null : expected.isSame(again.expected))
                && (thrown == null) == (again.thrown == null);
    }
}
