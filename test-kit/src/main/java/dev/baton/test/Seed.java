package dev.baton.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A parameter of type {@code long} that is the seed of the test, for the inputs that it makes. It depends on the test alone, so that
 * each build runs the same; the system property {@code baton.test.seed} sets another one.
 */
@Documented
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface Seed {}
