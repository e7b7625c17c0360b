package dev.baton.spring;

import java.time.Duration;
import java.util.function.Supplier;

/** Values of properties, checked by Baton's calls or here, so that a refusal names the property. Stateless. */
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

    static Duration notNegative(String property, Duration value) {
        if (value.isNegative()) {
            throw BatonTransports.invalid(property, value, "0 or more is allowed, such as 20s");
        }
        return value;
    }
}
