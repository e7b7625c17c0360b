package dev.baton.tck.harness;

import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/**
 * An extension that adds the call of the transport and the broken rule to an unexpected exception. Without it a test would fail with the
 * bare exception, such as one on a null reference. Stateless.
 */
public final class NamedFailures implements TestExecutionExceptionHandler, LifecycleMethodExecutionExceptionHandler {
    private static final String CONTRACT = "dev.baton.tck.";

    private static final String RULE =
            "; rule: a call throws what its documentation names: an IllegalArgumentException or IllegalStateException for"
                    + " a mistake of its caller, a TransportException for a failure of the environment";

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable thrown) throws Throwable {
        throw named(thrown);
    }

    @Override
    public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable thrown) throws Throwable {
        throw named(thrown);
    }

    @Override
    public void handleAfterEachMethodExecutionException(ExtensionContext context, Throwable thrown) throws Throwable {
        throw named(thrown);
    }

    private static Throwable named(Throwable thrown) {
        if (thrown instanceof TestAbortedException
                || !(thrown instanceof Exception)
                || thrown instanceof InterruptedException) {
            return thrown;
        }
        StackTraceElement[] stack = thrown.getStackTrace();
        int contract = firstOfTheContract(stack);
        boolean isOwn = contract == 0 || contract == stack.length;
        String text = isOwn
                ? "the transport answered what the contract cannot use, such as null, and " + where(stack, contract)
                        + " failed with " + thrown
                : where(stack, contract - 1) + ", called by " + where(stack, contract) + ", threw " + thrown + RULE;
        return new AssertionError(text, thrown);
    }

    /** Returns the index of the first call by a class of the contract, or the length. */
    private static int firstOfTheContract(StackTraceElement[] stack) {
        return (int) Stream.of(stack)
                .takeWhile(call -> !call.getClassName().startsWith(CONTRACT))
                .count();
    }

    private static String where(StackTraceElement[] stack, int index) {
        if (index >= stack.length) {
            return "a test";
        }
        String name = stack[index].getClassName();
        return name.substring(name.lastIndexOf('.') + 1) + "." + stack[index].getMethodName();
    }
}
