package dev.baton.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportProvider;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.options.OptionSpec;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** The transports of an application, which it closes together. */
class BatonTransportsTest {
    private static final List<String> CLOSED = Collections.synchronizedList(new ArrayList<>());

    /** Opens transports that cannot be closed without a failure. */
    private abstract static class Unreachable implements TransportProvider {
        @Override
        public String summary() {
            return name();
        }

        @Override
        public Set<Guarantee> guarantees() {
            return Set.of();
        }

        @Override
        public List<OptionSpec> options() {
            return List.of();
        }

        @Override
        public Transport open(Map<String, String> options) {
            return (Transport) Proxy.newProxyInstance(
                    Transport.class.getClassLoader(), new Class<?>[] {Transport.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("close")) {
                            CLOSED.add(name());
                            throw new TransportException(name() + " is not reached");
                        }
                        return null;
                    });
        }
    }

    /** One of two. */
    public static final class First extends Unreachable {
        @Override
        public String name() {
            return "first";
        }
    }

    /** The other one. */
    public static final class Second extends Unreachable {
        @Override
        public String name() {
            return "second";
        }
    }

    private BatonTransports withProviders(Path services, Class<?>... providers) throws IOException {
        Files.write(services, List.of(providers).stream().map(Class::getName).toList());
        URL listed = services.toUri().toURL();
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(new ClassLoader(getClass().getClassLoader()) {
            @Override
            public Enumeration<URL> getResources(String name) throws IOException {
                return name.endsWith(TransportProvider.class.getName())
                        ? Collections.enumeration(List.of(listed))
                        : super.getResources(name);
            }
        });
        try {
            return new BatonTransports(
                    new Binder(new MapConfigurationPropertySource(Map.of()))
                            .bindOrCreate("baton", BatonProperties.class),
                    List.of());
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    @Test
    void everyTransportIsClosedWhenOneFails(@TempDir Path directory) throws IOException {
        CLOSED.clear();
        BatonTransports transports = withProviders(directory.resolve("services"), First.class, Second.class);
        transports.of("", "first");
        transports.of("", "second");

        assertThatThrownBy(transports::close)
                .isInstanceOf(TransportException.class)
                .hasMessage("first is not reached");
        assertThat(CLOSED).containsExactly("first", "second");
    }
}
