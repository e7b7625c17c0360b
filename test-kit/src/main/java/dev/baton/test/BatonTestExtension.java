package dev.baton.test;

import dev.baton.Chain;
import dev.baton.Service;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * Resolves the parameters of a {@link BatonTest}: {@link Testers}, {@link ServiceTester} and {@link ChainTester} with {@link TestOf}, and a
 * {@code long} with {@link Seed}. Closes the testers after each test, and adds the seed to a failure, so that the test can be repeated.
 * Stateless.
 */
public final class BatonTestExtension implements ParameterResolver, AfterEachCallback, TestExecutionExceptionHandler {
    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(BatonTestExtension.class);
    private static final int MAX_SEED = 1_000_000;

    /** Called by JUnit. */
    public BatonTestExtension() {}

    /** The suppressed exception that describes how to repeat a failed test. */
    private static final class Repetition extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Repetition(String text) {
            super(text, null, false, false);
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        Class<?> type = parameter.getParameter().getType();
        return type == Testers.class
                || type == long.class && parameter.isAnnotated(Seed.class)
                || (type == ServiceTester.class || type == ChainTester.class) && parameter.isAnnotated(TestOf.class);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
        Class<?> type = parameter.getParameter().getType();
        if (type == long.class) {
            return seed(test).base();
        }
        Testers testers = testers(test);
        if (type == Testers.class) {
            return testers;
        }
        Class<?> tested =
                parameter.findAnnotation(TestOf.class).map(TestOf::value).orElseThrow();
        return type == ServiceTester.class
                ? testers.of(tested.getSimpleName(), services(tested))
                : testers.of(chain(tested));
    }

    @Override
    public void afterEach(ExtensionContext test) {
        testers(test).closeAll();
    }

    @Override
    public void handleTestExecutionException(ExtensionContext test, Throwable failure) throws Throwable {
        if (!(failure instanceof NotRepeatableError)) { // whose message has the seed
            failure.addSuppressed(new Repetition(
                    "repeat with -D" + TestSeed.PROPERTY + "=" + seed(test).base()));
        }
        throw failure;
    }

    private static Testers testers(ExtensionContext test) {
        return test.getStore(NAMESPACE)
                .getOrComputeIfAbsent(
                        Testers.class, any -> new Testers(seed(test).base()), Testers.class);
    }

    /** Returns the seed of the system property, or one that depends on the test alone. */
    private static TestSeed seed(ExtensionContext test) {
        return test.getStore(NAMESPACE)
                .getOrComputeIfAbsent(
                        TestSeed.class,
                        any -> TestSeed.of(1 + Math.floorMod(test.getUniqueId().hashCode(), MAX_SEED)),
                        TestSeed.class);
    }

    private static Supplier<Service> services(Class<?> tested) {
        if (Service.class.isAssignableFrom(tested)) {
            Constructor<?> constructor = constructor(tested);
            return () -> (Service) instance(constructor);
        }
        Object made = made(tested);
        if (!(made instanceof Service)) {
            throw unsuitable(tested, "a service, or a supplier of services");
        }
        return () -> (Service) made(tested);
    }

    private static Chain chain(Class<?> tested) {
        if (made(tested) instanceof Chain chain) {
            return chain;
        }
        throw unsuitable(tested, "a supplier of a chain");
    }

    /** Returns the product of a supplier; null if the class is no supplier. */
    private static Object made(Class<?> tested) {
        return Supplier.class.isAssignableFrom(tested) ? ((Supplier<?>) instance(constructor(tested))).get() : null;
    }

    private static ParameterResolutionException unsuitable(Class<?> tested, String wanted) {
        return new ParameterResolutionException("@TestOf(" + tested.getSimpleName() + ".class) is not " + wanted);
    }

    private static Constructor<?> constructor(Class<?> tested) {
        try {
            Constructor<?> constructor = tested.getDeclaredConstructor();
            constructor.trySetAccessible();
            return constructor;
        } catch (NoSuchMethodException withArguments) {
            throw new ParameterResolutionException(
                    tested.getName()
                            + " has no constructor without parameters; make the tester with a parameter of type Testers:"
                            + " testers.of(() -> new " + tested.getSimpleName() + "(...))",
                    withArguments);
        }
    }

    private static Object instance(Constructor<?> constructor) {
        try {
            return constructor.newInstance();
        } catch (InvocationTargetException thrown) {
            throw new ParameterResolutionException(constructor + " threw", thrown.getCause());
        } catch (ReflectiveOperationException unusable) {
            throw new ParameterResolutionException(constructor + " cannot be called", unusable);
        }
    }
}
