package dev.baton.spring;

import java.util.function.Supplier;

/** Calls of Baton whose argument is the value of a property, so that a refusal names the property. Stateless. */
final class Checked {
    private Checked() {}

    static <T> T get(String property, Object value, Supplier<T> call) {
        try {
            return call.get();
        } catch (IllegalArgumentException | UnsupportedOperationException refused) {
            throw BatonTransports.invalid(property, value, refused.getMessage());
        }
    }

    static void run(String property, Object value, Supplier<?> call) {
        get(property, value, call);
    }
}
