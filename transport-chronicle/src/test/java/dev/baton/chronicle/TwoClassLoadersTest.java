package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chronicle.platform.DirectoryLocks;
import dev.baton.spi.TopicWriter;
import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two class loaders of one process have Baton, each its own, over one directory. */
@Tag("slow")
@Timeout(60)
class TwoClassLoadersTest {
    private final TemporaryDirectory directory = new TemporaryDirectory();

    @AfterEach
    void remove() {
        directory.close();
    }

    @Test
    void aRefusedClassLoaderLeavesTheOthersLocks() throws Exception {
        try (URLClassLoader first = withItsOwnBaton();
                URLClassLoader second = withItsOwnBaton()) {
            Function<String, String> writer = open(first);
            assertThat(writer.apply("write")).isEqualTo("stored 1");

            Function<String, String> rival = open(second);
            assertThat(rival.apply("write"))
                    .contains(
                            "OccupiedException",
                            "has a live writer already",
                            "process " + ProcessHandle.current().pid());
            assertThat(rival.apply("close")).isEqualTo("closed");

            assertThat(anotherProcess())
                    .contains(
                            "OccupiedException",
                            "has a live writer already",
                            "process " + ProcessHandle.current().pid());
            assertThat(writer.apply("write")).isEqualTo("stored 2");
            assertThat(writer.apply("close")).isEqualTo("closed");
            assertThat(anotherProcess()).isEqualTo("stored 3");
            assertThat(System.getProperties().get(DirectoryLocks.REGISTRY))
                    .as("directories that are open")
                    .isEqualTo(Map.of());
        }
    }

    private String anotherProcess() {
        try (QueueProcess child =
                QueueProcess.start(WritesOnce.class, directory.path().toString())) {
            return child.line();
        }
    }

    /** Has the whole class path, and shares the JDK alone with this test. */
    private static URLClassLoader withItsOwnBaton() throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            urls.add(Path.of(entry).toUri().toURL());
        }
        return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    @SuppressWarnings("unchecked") // it is one, of the JDK's interface
    private Function<String, String> open(ClassLoader loader)
            throws ClassNotFoundException, NoSuchMethodException, IllegalAccessException, InvocationTargetException,
                    InstantiationException {
        var constructor = loader.loadClass(User.class.getName()).getDeclaredConstructor(String.class);
        constructor.setAccessible(true);
        return (Function<String, String>)
                constructor.newInstance(directory.path().toString());
    }

    /** An application: does what it is asked, and answers with what became of it. */
    static final class User implements Function<String, String> {
        private final Topic topic;
        private TopicWriter writer;

        User(String directory) {
            topic = Topic.in(Path.of(directory));
        }

        @Override
        public String apply(String command) {
            try {
                if (command.equals("close")) {
                    topic.close();
                    return "closed";
                }
                writer = writer == null ? topic.writer() : writer;
                Topic.write(writer, "frame");
                return "stored " + writer.storedSequence();
            } catch (RuntimeException e) {
                return e.toString();
            }
        }
    }

    static final class WritesOnce {
        private WritesOnce() {}

        public static void main(String[] arguments) {
            User user = new User(arguments[0]);
            System.out.println(user.apply("write"));
            user.apply("close");
        }
    }
}
