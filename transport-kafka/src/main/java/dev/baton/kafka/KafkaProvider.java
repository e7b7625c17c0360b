package dev.baton.kafka;

import dev.baton.spi.Guarantee;
import dev.baton.spi.OptionSpec;
import dev.baton.spi.Options;
import dev.baton.spi.RepairReport;
import dev.baton.spi.RepairingProvider;
import dev.baton.spi.Transport;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Opens {@link KafkaTransport}s by name and {@code key=value}. Thread-safe. */
public final class KafkaProvider implements RepairingProvider {
    @Override
    public String name() {
        return KafkaTransport.NAME;
    }

    @Override
    public String summary() {
        return "Apache Kafka: replicated topics on a cluster of brokers (clients " + KafkaProperties.version() + ")";
    }

    @Override
    public Set<Guarantee> guarantees() {
        return KafkaProperties.guarantees();
    }

    @Override
    public List<OptionSpec> options() {
        return OptionTexts.SPECS;
    }

    /** Opens a transport; whether a broker answers is seen when it is first asked. */
    @Override
    public Transport open(Map<String, String> options) {
        return connectable(options);
    }

    @Override
    public RepairReport repair(Map<String, String> options, String topic, boolean isDryRun) {
        try (KafkaTransport transport = connectable(options)) {
            return transport.repair(topic, isDryRun);
        }
    }

    private KafkaTransport connectable(Map<String, String> options) {
        Map<String, String> own = new HashMap<>();
        Map<String, String> passed = new HashMap<>();
        options.forEach((key, value) -> (PassedSettings.isPassed(key) ? passed : own).put(key, value));
        return KafkaTransport.at(OptionTexts.parse(new Options(KafkaTransport.NAME, options(), own), passed));
    }
}
