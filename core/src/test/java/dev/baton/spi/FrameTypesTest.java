package dev.baton.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.Buffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The classes that have to be loaded before the JIT can inline accesses to a frame. */
class FrameTypesTest {
    /** Uses a frame in a new JVM, in which nothing else has loaded classes. */
    static final class Fresh {
        private Fresh() {}

        public static void main(String[] arguments) {
            new Frame();
        }
    }

    @Test
    void frameLoadsTheTypesOfBuffers() throws Exception {
        Process fresh = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xlog:class+load",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Fresh.class.getName())
                .redirectErrorStream(true)
                .start();
        try {
            String said = new String(fresh.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(fresh.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(fresh.exitValue()).isZero();
            assertThat(typesOfBuffer())
                    .isNotEmpty()
                    .allSatisfy(type -> assertThat(said).contains(" " + type + " source:"));
        } finally {
            fresh.destroyForcibly();
        }
    }

    /** Returns the classes in the signatures of a buffer's own fields and methods. */
    private static List<String> typesOfBuffer() {
        Stream<Class<?>> fields =
                Arrays.stream(Buffer.class.getDeclaredFields()).map(Field::getType);
        Stream<Class<?>> results =
                Arrays.stream(Buffer.class.getDeclaredMethods()).map(Method::getReturnType);
        Stream<Class<?>> parameters = Arrays.stream(Buffer.class.getDeclaredMethods())
                .map(Executable::getParameterTypes)
                .flatMap(Arrays::stream);
        return Stream.of(fields, results, parameters)
                .flatMap(each -> each)
                .filter(type -> !type.isPrimitive() && !type.isArray())
                .map(Class::getName)
                .distinct()
                .toList();
    }
}
