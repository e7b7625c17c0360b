package dev.baton.spring;

import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** The health indicator {@code baton} of Spring Boot 3. */
@AutoConfiguration(after = BatonAutoConfiguration.class)
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnBean(BatonChains.class)
class BatonHealthOfBoot3AutoConfiguration {
    @Bean
    HealthIndicator batonHealthIndicator(BatonChains chains) {
        return () -> {
            ChainsHealth health = ChainsHealth.of(chains);
            return Health.status(health.status()).withDetails(health.details()).build();
        };
    }
}
