package dev.baton.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The health indicator {@code baton} of Spring Boot 4. */
@AutoConfiguration(after = BatonAutoConfiguration.class)
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnBean(BatonChains.class)
class BatonHealthAutoConfiguration {
    @Bean
    HealthIndicator batonHealthIndicator(BatonChains chains) {
        return () -> {
            ChainsHealth health = ChainsHealth.of(chains);
            return Health.status(health.status()).withDetails(health.details()).build();
        };
    }
}
