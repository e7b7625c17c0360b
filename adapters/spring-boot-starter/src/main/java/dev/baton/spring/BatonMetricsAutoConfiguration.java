package dev.baton.spring;

import dev.baton.Deployment;
import dev.baton.RunningChain;
import dev.baton.micrometer.BatonMetrics;
import dev.baton.run.Loops;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Meters of all chains, when {@code baton-micrometer} is on the class path. Spring Boot binds them to its registries. */
@AutoConfiguration(before = BatonAutoConfiguration.class)
@ConditionalOnClass({BatonMetrics.class, MeterRegistry.class})
class BatonMetricsAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    BatonMetrics batonMetrics() {
        return new BatonMetrics();
    }

    @Bean
    Instrument batonMeters(BatonMetrics metrics) {
        return new Instrument() {
            @Override
            public void loops(Loops loops) {
                metrics.add(loops);
            }

            @Override
            public void deployment(Deployment deployment) {
                metrics.watch(deployment);
            }

            @Override
            public void started(RunningChain chain) {
                metrics.add(chain);
            }
        };
    }
}
