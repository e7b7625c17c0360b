package dev.baton.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.Chain;
import dev.baton.Claim;
import dev.baton.Deployment;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.RunningChain;
import dev.baton.StatefulService;
import dev.baton.chronicle.ChronicleTransport;
import dev.baton.disruptor.DisruptorTransport;
import dev.baton.manage.StorageWatch;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import dev.baton.spi.Transport.StorageUse;
import dev.baton.state.SnapshotInput;
import dev.baton.state.SnapshotOutput;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The table of docs/observability.md lists the meters that are registered. */
@Timeout(60)
class MetersPageTest {
    private static final Path PAGE = Path.of("../../docs/observability.md");
    private static final String BEGIN = "<!-- generated: meters -->\n";

    private static final Chain TOTAL =
            Chain.named("total").then("total", Total::new).build();

    private final BatonMetrics metrics = new BatonMetrics();
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    @TempDir
    private Path directory;

    private static final class Total implements StatefulService {
        private long total;

        @Override
        public void onMessage(Message in, Outlet out) {
            total++;
            out.forward(in);
        }

        @Override
        public int snapshotVersion() {
            return 0;
        }

        @Override
        public boolean saveState(SnapshotOutput out) {
            out.putLong(total);
            return true;
        }

        @Override
        public void restoreState(SnapshotInput in, int version) {
            total = in.getLong();
        }
    }

    @Test
    void tableListsEveryMeter() throws IOException {
        metrics.bindTo(registry);
        metrics.add(StorageWatch.of("disk", () -> Optional.of(new StorageUse(3_000, 7_000))));
        try (Transport durable = ChronicleTransport.in(directory);
                Loops loops = metrics.add(Loops.cooperative(1));
                RunningChain total = metrics.start(TOTAL.on(durable).with(loops).partitions(2))) {
            assertThat(total.status()).isNotNull();
            holdBack();
        }
        registry.close();
    }

    /** Fills a topic with messages that a closed tap has not read, until its meter is there; then compares the page. */
    private void holdBack() throws IOException {
        try (Transport ring = DisruptorTransport.create();
                Loops loops = Loops.manual()) {
            Deployment orders = Chain.named("orders")
                    .then("price", () -> (in, out) -> out.forward(in))
                    .build()
                    .on(ring)
                    .with(loops)
                    .onOutput(in -> {});
            RunningChain running = metrics.start(orders);
            Chain.tap("audit", "orders-0")
                    .on(ring)
                    .with(loops)
                    .onOutput(in -> {})
                    .start()
                    .close();
            for (int refused = 0; refused < 1000; loops.turn()) {
                Claim claim = running.inlet().tryClaim(8);
                refused = claim == null ? refused + 1 : 0;
                if (claim != null) {
                    claim.commit(8);
                }
            }
            await().pollInSameThread().until(() -> {
                loops.turn();
                assertThat(running.inlet().tryClaim(8)).isNull();
                return registry.scrape().contains("baton_held_back");
            });
            compare();
            running.close(Duration.ofMillis(1));
        }
    }

    private void compare() throws IOException {
        TreeMap<String, String> rows = new TreeMap<>();
        for (Meter meter : registry.getMeters()) {
            Meter.Id id = meter.getId();
            String unit = id.getBaseUnit() == null ? "" : ", " + id.getBaseUnit();
            String tags = id.getTags().stream().map(Tag::getKey).collect(Collectors.joining(", "));
            rows.put(
                    id.getName(),
                    "| `" + id.getName() + "` | " + id.getType().name().toLowerCase(Locale.ROOT) + unit + " | " + tags
                            + " | " + id.getDescription() + " |");
        }
        String table =
                "| meter | kind | tags | meaning |\n|---|---|---|---|\n" + String.join("\n", rows.values()) + "\n";
        String page = Files.readString(PAGE);
        int from = page.indexOf(BEGIN) + BEGIN.length();
        int to = page.indexOf("<!-- end -->", from);
        if (Boolean.getBoolean("baton.meters.write")) {
            Files.writeString(PAGE, page.substring(0, from) + table + page.substring(to));
        } else {
            assertThat(page.substring(from, to))
                    .as("run with -Dbaton.meters.write=true to write docs/observability.md")
                    .isEqualTo(table);
        }
        assertThat(List.copyOf(rows.keySet()))
                .contains("baton.snapshot.size", "baton.loop.busy", "baton.storage.used", "baton.partitions");
    }
}
