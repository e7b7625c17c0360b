package dev.baton.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The subject of a parameter of type {@link ServiceTester} or {@link ChainTester}. A subject that takes arguments is tested with {@link
 * Testers} instead.
 */
@Documented
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface TestOf {
    /**
     * {@return the class of a {@link dev.baton.Service}, or of a {@link java.util.function.Supplier} of a service or a
     * {@link dev.baton.Chain}: it has a constructor without parameters, which may be private}
     */
    Class<?> value();
}
