package dev.baton.operations.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.KnownTransports;
import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportProvider;
import dev.baton.spi.options.OptionSpec;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Topics of transports that have neither a directory nor brokers are named, and missed, as those of others are. */
class StoredTopicsTest {
    private record Named(String name, Set<Guarantee> guarantees, Set<String> topics) implements TransportProvider {
        @Override
        public String summary() {
            return name;
        }

        @Override
        public List<OptionSpec> options() {
            return List.of();
        }

        @Override
        public Transport open(Map<String, String> options) {
            return (Transport) Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {Transport.class},
                    (proxy, method, arguments) -> method.getName().equals("topics") ? topics : null);
        }
    }

    @Test
    void missingTopicIsReportedWithExistingOnes() {
        assertThatThrownBy(() -> read(Set.of("orders-0", "orders-1"), "archived", "nothere"))
                .isInstanceOf(CommandException.class)
                .hasMessage("there is no topic 'nothere', and no chain of that name, at archived; it has orders-0,"
                        + " orders-1")
                .extracting(refused -> ((CommandException) refused).kind())
                .isEqualTo(CommandException.Kind.USAGE);
    }

    @Test
    void branchIsFoundByItsName() {
        Set<String> found = new TreeSet<>();
        KnownTransports known = KnownTransports.of(List.of(new Named(
                "archived", Set.of(Guarantee.DURABLE), Set.of("orders-0", "orders-1", "bills-1", "bills-2"))));
        CommandLine.populateCommand(new StoredTopics(), "--transport", "archived", "bills")
                .read(known, (opened, chosen) -> {
                    found.addAll(chosen);
                    return 0;
                });
        assertThat(found).containsExactly("bills-1", "bills-2");
    }

    @Test
    void ofManyTopicsTenAreNamed() {
        Set<String> topics =
                IntStream.range(10, 25).mapToObj(i -> "t" + i).collect(Collectors.toCollection(TreeSet::new));
        assertThatThrownBy(() -> read(topics, "archived", "nothere")).hasMessageEndingWith("t18, t19 and 5 more");
        assertThatThrownBy(() -> read(Set.of(), "archived", "nothere")).hasMessageEndingWith("it has no topic");
    }

    @Test
    void transportWithoutStorageNamesDurableOnes() {
        assertThatThrownBy(() -> read(Set.of(), "ring", "orders"))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("--transport ring keeps no topics that could be read; those that do: archived");
    }

    private static void read(Set<String> topics, String transport, String place) {
        KnownTransports known = KnownTransports.of(
                List.of(new Named("archived", Set.of(Guarantee.DURABLE), topics), new Named("ring", Set.of(), topics)));
        CommandLine.populateCommand(new StoredTopics(), "--transport", transport, place)
                .read(known, (opened, chosen) -> 0);
    }
}
