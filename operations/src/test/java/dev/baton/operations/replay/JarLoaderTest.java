package dev.baton.operations.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Chain;
import dev.baton.Claim;
import dev.baton.KeyedService;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.Service;
import dev.baton.ServiceContext;
import dev.baton.ValueCodec;
import dev.baton.chronicle.ChronicleProvider;
import dev.baton.spi.Transport;
import dev.baton.state.KeyedState;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The classes of another build that has all its dependencies in one jar, Baton's core included. */
class JarLoaderTest {
    private static final String SUFFIX = ".class";

    @TempDir
    private Path directory;

    private Path jar;
    private List<String> core;

    @BeforeEach
    void pack() throws Exception {
        jar = directory.resolve("orders-with-all.jar");
        Path baton = placeOf(Chain.class);
        String own = Counting.class.getName().replace('.', '/') + SUFFIX;
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            add(zip, own, placeOf(Counting.class).resolve(own));
            if (Files.isDirectory(baton)) {
                core = add(zip, baton);
            } else {
                try (FileSystem packed = FileSystems.newFileSystem(baton)) {
                    core = add(zip, packed.getPath("/"));
                }
            }
        }
    }

    private static Path placeOf(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    /** Adds all classes below a directory, and returns their names. */
    private static List<String> add(ZipOutputStream zip, Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            List<String> entries = files.map(file -> root.relativize(file).toString())
                    .filter(name -> name.startsWith("dev/") && name.endsWith(SUFFIX))
                    .toList();
            for (String name : entries) {
                add(zip, name, root.resolve(name));
            }
            return entries.stream()
                    .map(name -> name.replace(SUFFIX, "").replace('/', '.'))
                    .filter(name -> !name.endsWith("-info"))
                    .toList();
        }
    }

    private static void add(ZipOutputStream zip, String name, Path file) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        Files.copy(file, zip);
        zip.closeEntry();
    }

    @Test
    void bothBuildsShareAllClassesOfCore() throws Exception {
        assertThat(core).hasSizeGreaterThan(100);
        try (JarLoader loader = JarLoader.of(jar)) {
            for (String name : core) {
                assertThat(loader.loadClass(name).getClassLoader()).as(name).isNotSameAs(loader);
            }
        }
    }

    @Test
    void keyedStateOfTheOtherBuildIsReplayed() throws Exception {
        try (Transport transport = new ChronicleProvider()
                        .open(Map.of("dir", directory.resolve("topics").toString()));
                JarLoader loader = JarLoader.of(jar)) {
            new Recording(transport, Duration.ofMillis(1)).of(chain(Counting::new), Counting::write, Long.BYTES, 20);
            Class<?> other = loader.loadClass(Counting.class.getName());
            assertThat(other).isNotSameAs(Counting.class);

            ReplayComparison compared = Replay.of(chain(Counting::new))
                    .against(chain(() -> made(other)))
                    .compareWith(transport);

            assertThat(compared.isSame()).as(compared.toString()).isTrue();
            assertThat(compared.of("count").same()).isEqualTo(20);
        }
    }

    private static Service made(Class<?> type) {
        try {
            return (Service) type.getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static Chain chain(Supplier<Service> service) {
        return Chain.named("numbers").then("count", service).build();
    }

    /** A service that both builds have. */
    public static final class Counting implements KeyedService {
        private KeyedState<Long, Long> counts;

        static int write(long number, Claim into) {
            into.putLong(0, number % 3);
            return Long.BYTES;
        }

        @Override
        public void onStart(ServiceContext context) {
            counts = context.state("counts", ValueCodec.longs(0), ValueCodec.longs(0));
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            Long before = counts.get(in.getLong(0));
            counts.put(in.getLong(0), before == null ? 1 : before + 1);
            out.claim(Long.BYTES).putLong(0, counts.get(in.getLong(0))).commit(Long.BYTES);
        }
    }
}
