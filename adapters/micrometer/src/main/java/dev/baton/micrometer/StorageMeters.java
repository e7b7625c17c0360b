package dev.baton.micrometer;

import dev.baton.manage.StorageWatch;
import dev.baton.manage.StorageWatch.StorageGrowth;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** The meters of a disk that stores topics. Thread-safe. */
final class StorageMeters {
    private final Registries registries;
    private final StorageWatch watch;
    private final Tags tags;

    StorageMeters(Registries registries, StorageWatch watch) {
        this.registries = registries;
        this.watch = watch;
        this.tags = Tags.of("storage", watch.name());
    }

    /** Registers them. */
    void add() {
        gauge("baton.storage.used", "Bytes that the topics take", StorageGrowth::bytes);
        gauge("baton.storage.free", "Bytes that writers may still take", StorageGrowth::freeBytes);
        gauge("baton.storage.growth.per.hour", "Bytes that the topics grow by in an hour", StorageGrowth::bytesPerHour);
        registries.add(
                this,
                registry -> TimeGauge.builder(
                                "baton.storage.full.in",
                                this,
                                TimeUnit.SECONDS,
                                storage -> storage.now(StorageGrowth::secondsUntilFull))
                        .description("Time until the disk is full at the present growth")
                        .tags(tags)
                        .register(registry));
    }

    private void gauge(String name, String description, Function<StorageGrowth, Long> figure) {
        registries.add(
                this,
                registry -> Gauge.builder(name, this, storage -> storage.now(figure))
                        .description(description)
                        .baseUnit("bytes")
                        .tags(tags)
                        .register(registry));
    }

    private double now(Function<StorageGrowth, Long> figure) {
        return watch.growth().map(figure).map(Long::doubleValue).orElse(Double.NaN);
    }
}
