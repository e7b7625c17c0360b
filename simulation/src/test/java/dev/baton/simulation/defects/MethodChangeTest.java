package dev.baton.simulation.defects;

import static dev.baton.simulation.defects.MethodChange.in;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/** Each kind of change, in a class of this test. */
class MethodChangeTest {
    private static final String SAMPLE = Sample.class.getName();

    /** The class that is changed. */
    public static class Sample {
        private long number = 5;
        private long other = 100;
        private boolean isCalled;
        private volatile int shared = 1;

        public long sum(int first, long second) {
            note();
            return plus(first, second) + number;
        }

        public long inLambda() {
            LongSupplier later = () -> plus(1, number);
            return later.getAsLong() + number;
        }

        public boolean isCalled() {
            return isCalled;
        }

        public long written() {
            number = 7;
            return number;
        }

        public Sample self() {
            return another();
        }

        public CompletableFuture<String> future() {
            return unfinished();
        }

        CompletableFuture<String> unfinished() {
            return new CompletableFuture<>();
        }

        Sample another() {
            return new Sample();
        }

        void note() {
            isCalled = true;
        }

        long plus(long one, long two) {
            return one + two;
        }

        long minus(long one, long two) {
            return one - two;
        }

        public boolean holdsMonitor() {
            synchronized (this) {
                return Thread.holdsLock(this);
            }
        }
    }

    static long times(Sample sample, long one, long two) {
        return one * two;
    }

    static void note(Sample sample) {
        sample.note();
    }

    private static Object changed(MethodChange change) throws Exception {
        byte[] bytes = change.applied(MethodChange.classFile(SAMPLE));
        ClassLoader loader = new ClassLoader(MethodChangeTest.class.getClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean isResolved) throws ClassNotFoundException {
                return name.equals(SAMPLE) && findLoadedClass(name) == null
                        ? defineClass(name, bytes, 0, bytes.length)
                        : super.loadClass(name, isResolved);
            }
        };
        return loader.loadClass(SAMPLE).getConstructor().newInstance();
    }

    private static Object call(MethodChange change, String method) throws Exception {
        Object sample = changed(change);
        return sample.getClass().getMethod(method).invoke(sample);
    }

    private static Object sum(MethodChange change) throws Exception {
        Object sample = changed(change);
        return sample.getClass().getMethod("sum", int.class, long.class).invoke(sample, 1, 2L);
    }

    @Test
    void callIsOmitted() throws Exception {
        Object sample = changed(in(SAMPLE, "sum").call("note", Edit.OMITTED));
        sample.getClass().getMethod("sum", int.class, long.class).invoke(sample, 1, 2L);
        assertThat(sample.getClass().getMethod("isCalled").invoke(sample)).isEqualTo(false);
    }

    @Test
    void resultOfACallIsChanged() throws Exception {
        assertThat(sum(in(SAMPLE, "sum").call("plus", Edit.is(50)))).isEqualTo(55L);
        assertThat(sum(in(SAMPLE, "sum").call("Sample.plus", Edit.plus(-1)))).isEqualTo(7L);
        assertThat(sum(in(SAMPLE, "sum").call("plus", Edit.field("other")))).isEqualTo(105L);
        assertThat(sum(in(SAMPLE, "sum").call("plus", Edit.method("minus")))).isEqualTo(4L);
    }

    @Test
    void callIsMadeToAStaticMethod() throws Exception {
        // the sample is of another class loader, so only a class of its own could be called
        byte[] changed = in(SAMPLE, "sum")
                .call("plus", Edit.by(MethodChangeTest.class, "times"))
                .applied(MethodChange.classFile(SAMPLE));
        assertThat(new String(changed, StandardCharsets.ISO_8859_1))
                .contains("(L" + SAMPLE.replace('.', '/') + ";JJ)J");
    }

    @Test
    void monitorIsNotEntered() throws Exception {
        assertThat(call(in(SAMPLE, "holdsMonitor").entersNoMonitor(), "holdsMonitor"))
                .isEqualTo(false);
    }

    @Test
    void volatileFieldBecomesPlain() throws Exception {
        Object sample = changed(MethodChange.plain(SAMPLE, "shared"));
        assertThat(Modifier.isVolatile(
                        sample.getClass().getDeclaredField("shared").getModifiers()))
                .isFalse();
    }

    @Test
    void callIsAnsweredByItsReceiver() throws Exception {
        MethodChange change = in(SAMPLE, "self").call("another", Edit.RECEIVER);
        Object sample = changed(change);
        assertThat(sample.getClass().getMethod("self").invoke(sample)).isSameAs(sample);
    }

    @Test
    void callIsAnsweredByACompletedFuture() throws Exception {
        assertThat((CompletableFuture<?>) call(in(SAMPLE, "future").call("unfinished", Edit.COMPLETED), "future"))
                .isCompletedWithValue(null);
    }

    @Test
    void argumentAndParameterAreChanged() throws Exception {
        assertThat(sum(in(SAMPLE, "sum").passes("plus", Edit.plus(1)))).isEqualTo(9L);
        assertThat(sum(in(SAMPLE, "sum").parameter(0, Edit.is(10)))).isEqualTo(17L);
        assertThat(sum(in(SAMPLE, "sum").parameter(1, Edit.plus(10)))).isEqualTo(18L);
    }

    @Test
    void fieldIsReadAndWrittenOtherwise() throws Exception {
        assertThat(call(in(SAMPLE, "written").writes("number", Edit.OMITTED), "written"))
                .isEqualTo(5L);
        assertThat(call(in(SAMPLE, "written").writes("number", Edit.plus(1)), "written"))
                .isEqualTo(8L);
        assertThat(call(in(SAMPLE, "written").reads("number", Edit.field("other")), "written"))
                .isEqualTo(100L);
    }

    @Test
    void methodReturnsAnotherValueOrDoesNothing() throws Exception {
        assertThat(sum(in(SAMPLE, "sum").returns(Edit.is(3)))).isEqualTo(3L);
        assertThat(sum(in(SAMPLE, "sum").doesNothing())).isEqualTo(0L);
        assertThat(call(in(SAMPLE, "self").returns(Edit.NULL), "self")).isNull();
    }

    @Test
    void lambdaExpressionsBelongToTheirMethod() throws Exception {
        assertThat(call(in(SAMPLE, "inLambda").call("plus", Edit.is(0)), "inLambda"))
                .isEqualTo(5L);
    }

    @Test
    void onlyTheFirstPlaceIsChanged() throws Exception {
        // the body of the method precedes those of its lambda expressions
        assertThat(call(in(SAMPLE, "inLambda").reads("number", Edit.is(0)).first(), "inLambda"))
                .isEqualTo(6L);
    }

    @Test
    void changeWithoutAPlaceIsRefused() throws Exception {
        MethodChange outdated = in(SAMPLE, "sum").call("renamed", Edit.OMITTED);
        byte[] right = MethodChange.classFile(SAMPLE);
        assertThatThrownBy(() -> outdated.applied(right)).hasMessageContaining("renamed");
    }
}
